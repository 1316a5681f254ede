"""Which nodes were looked at, and how a tie was broken, in words and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.scheduler.find_nodes import (
    MIN_FEASIBLE_NODES_TO_FIND,
    num_feasible_nodes_to_find,
)
from scheduler_core.scheduler.tie_break import LowestName, RandomTieBreak
from scheduler_core.trace.detail import SampleDetail

if TYPE_CHECKING:
    from scheduler_core.scheduler.attempt import Attempt
    from scheduler_core.scheduler.find_nodes import FoundNodes
    from scheduler_core.scheduler.scheduler import Scheduler
    from scheduler_core.scheduler.tie_break import TieBreak


def sample_detail(attempt: Attempt, found: FoundNodes, scheduler: Scheduler) -> SampleDetail:
    """Where the search began, how many nodes it had to find, and why it ended where it did."""
    if found.pre_filter.status is not None:
        return SampleDetail(text="No node was looked at: PreFilter had refused the pod.")
    framework = attempt.framework
    assert framework is not None
    refused = len(found.diagnosis.node_to_status)
    num = len(found.candidates)
    nominated = attempt.pod.pod.status.nominated_node_name
    if nominated and not refused and num > 1 and _names(attempt, found) == [nominated]:
        return SampleDetail(
            text=f"Only {nominated} was looked at: the pod is nominated to it, and it fits.",
            num_candidates=num,
        )
    if not num:
        return SampleDetail(text="No node was left by PreFilter.")
    share = scheduler.finder.percentage_for(framework)
    to_find = num_feasible_nodes_to_find(share, num) if scheduler.ranks_nodes(framework) else 1
    start = attempt.start_index % num
    looked_at = len(found.rows) + refused
    first = f"from {_name_at(attempt, found, start)} on (index {start})"
    if num == 1:
        why = "PreFilter left no other" if attempt.num_nodes > 1 else "there is no other"
        text = f"Only {_name_at(attempt, found, 0)} was looked at: {why}."
    elif to_find == 1:
        text = f"The search started {first} and ended at the first node that fits, as nothing ranks nodes."
    elif num < MIN_FEASIBLE_NODES_TO_FIND:
        text = f"All {num} nodes were looked at, {first}: below {MIN_FEASIBLE_NODES_TO_FIND} nodes none is left out."
    elif looked_at >= num:
        text = f"All {num} nodes were looked at, {first}: fewer than the {to_find} to find fit before the last one."
    else:
        rule = f"percentageOfNodesToScore is {share}" if share else "the adaptive share of nodes to score"
        text = f"{looked_at} of {num} nodes were looked at, {first}, until {to_find} fitted ({rule})."
    return SampleDetail(
        text=text, start_index=start, num_candidates=num, num_to_find=to_find, percentage=to_find * 100 // num
    )


def _names(attempt: Attempt, found: FoundNodes) -> list[str]:
    assert attempt.nodes is not None
    return [attempt.nodes.names[row] for row in found.rows.tolist()]


def _name_at(attempt: Attempt, found: FoundNodes, index: int) -> str:
    assert attempt.nodes is not None
    return attempt.nodes.names[int(found.candidates[index])]


def tie_break_text(tie_break: TieBreak, number: int) -> str:
    """How one of several nodes with the highest total was taken."""
    if isinstance(tie_break, LowestName):
        return f"Of {number} tied nodes the first by name is taken."
    if isinstance(tie_break, RandomTieBreak):
        return f"Of {number} tied nodes one is drawn, with kube-scheduler's reservoir and the run's seed."
    return f"Of {number} tied nodes one is taken."
