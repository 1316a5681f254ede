"""Two runs side by side: where pods went, who had to go, who waited, and where the runs part."""

from __future__ import annotations

from scheduler_core.trace.compare.comparison import (
    Comparison,
    Difference,
    DivergingCycle,
    Refused,
    VictimChange,
    WaitChange,
    Waits,
    compare_runs,
)
from scheduler_core.trace.compare.ends import PlacementChange
from scheduler_core.trace.compare.facts import PodStart
from scheduler_core.trace.compare.tipping import ScoreRow, explain_tipping, score_rows

__all__ = [
    "Comparison",
    "Difference",
    "DivergingCycle",
    "PlacementChange",
    "PodStart",
    "Refused",
    "ScoreRow",
    "VictimChange",
    "WaitChange",
    "Waits",
    "compare_runs",
    "explain_tipping",
    "score_rows",
]
