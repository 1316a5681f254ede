"""Which candidate it costs least to preempt on.

Source: pkg/scheduler/framework/preemption/preemption.go, pickOneNodeForPreemption, v1.34.1
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.preemption.importance import start_time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scheduler_core.extender.wire import Victims

_PRIORITY_OFFSET: Final = 2**31
"""Makes every priority count for something, so that fewer pods of a negative priority cost less."""


class Criterion(StrEnum):
    """What told the chosen node from the last of the others."""

    ONLY_CANDIDATE = "only candidate"
    PDB_VIOLATIONS = "fewest disruption budget violations"
    HIGHEST_PRIORITY = "lowest highest priority of a victim"
    SUM_OF_PRIORITIES = "lowest sum of priorities"
    NUM_VICTIMS = "fewest victims"
    START_TIME = "latest start of the most important victims"
    NODE_NAME = "lowest node name"


class Choice(NamedTuple):
    """The node chosen, and the criterion that decided."""

    node_name: str
    criterion: Criterion


def pick_one_node(candidates: Mapping[str, Victims]) -> Choice:
    """The cheapest candidate: criteria are asked in order, each of those that the ones before left equal.

    Args:
        candidates: node → victims, of which there is at least one

    Raises:
        ValueError: there is no candidate.
    """
    left = list(candidates)
    if len(left) == 1:
        return Choice(left[0], Criterion.ONLY_CANDIDATE)
    for criterion, cost_of in _COSTS:
        costs = [cost_of(candidates[name]) for name in left]
        lowest = min(costs)
        left = [name for name, cost in zip(left, costs, strict=True) if cost == lowest]
        if len(left) == 1:
            return Choice(left[0], criterion)
    return Choice(min(left), Criterion.NODE_NAME)


def costs_of(victims: Victims) -> tuple[float, ...]:
    """What the criteria see of a candidate, in their order; the lower, the cheaper."""
    return tuple(cost_of(victims) for _, cost_of in _COSTS)


def _num_pdb_violations(victims: Victims) -> float:
    return victims.num_pdb_violations


def _highest_priority(victims: Victims) -> float:
    return victims.pods[0].priority


def _sum_of_priorities(victims: Victims) -> float:
    return sum(pod_info.priority + _PRIORITY_OFFSET for pod_info in victims.pods)


def _num_victims(victims: Victims) -> float:
    return len(victims.pods)


def _early_start(victims: Victims) -> float:
    """How early the first of the victims with the highest priority started: the later, the cheaper."""
    highest = max(pod_info.priority for pod_info in victims.pods)
    return -min(start_time(pod_info) for pod_info in victims.pods if pod_info.priority == highest)


_COSTS: Final[tuple[tuple[Criterion, Callable[[Victims], float]], ...]] = (
    (Criterion.PDB_VIOLATIONS, _num_pdb_violations),
    (Criterion.HIGHEST_PRIORITY, _highest_priority),
    (Criterion.SUM_OF_PRIORITIES, _sum_of_priorities),
    (Criterion.NUM_VICTIMS, _num_victims),
    (Criterion.START_TIME, _early_start),
)
