"""Questions about a cluster as a whole, each answered by runs: how much more fits, what is missing, what could go."""

from __future__ import annotations

from scheduler_core.planning.after import after_edits
from scheduler_core.planning.capacity import (
    Capacity,
    CapacityPoint,
    Template,
    capacity,
    round_of,
    template_of,
)
from scheduler_core.planning.changes import Change
from scheduler_core.planning.growth import Growth, GrowthPoint, growth
from scheduler_core.planning.removal import NodeRemoval, Removals, removals
from scheduler_core.planning.repair import Repair, Repairs, repairs
from scheduler_core.planning.what_if import Before, Changes, Moved, Placed, WhatIf, what_if

__all__ = [
    "Before",
    "Capacity",
    "CapacityPoint",
    "Change",
    "Changes",
    "Growth",
    "GrowthPoint",
    "Moved",
    "NodeRemoval",
    "Placed",
    "Removals",
    "Repair",
    "Repairs",
    "Template",
    "WhatIf",
    "after_edits",
    "capacity",
    "growth",
    "removals",
    "repairs",
    "round_of",
    "template_of",
    "what_if",
]
