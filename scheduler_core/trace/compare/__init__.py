"""Two runs side by side: where pods went, who had to go, who waited, and where the runs part."""

from __future__ import annotations

from scheduler_core.trace.compare.comparison import (
    Comparison,
    Difference,
    DivergingCycle,
    PlacementChange,
    VictimChange,
    WaitChange,
    Waits,
    compare_runs,
)
from scheduler_core.trace.compare.tipping import explain_tipping

__all__ = [
    "Comparison",
    "Difference",
    "DivergingCycle",
    "PlacementChange",
    "VictimChange",
    "WaitChange",
    "Waits",
    "compare_runs",
    "explain_tipping",
]
