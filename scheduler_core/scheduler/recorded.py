"""Decisions of an earlier run of the same thing, taken over instead of made again.

A run is deterministic, so its trace says which node every attempt came to. A replay takes that node and goes on from
there: everything but the search for a node happens as it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.snapshot.pod_info import UNSIGNED
from scheduler_core.trace.sink import ReplayError

if TYPE_CHECKING:
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.scheduler.decision import Decision
    from scheduler_core.scheduler.scheduler import Scheduler
    from scheduler_core.snapshot.pod_info import PodInfo


def recorded_decision(scheduler: Scheduler, pod: PodInfo, cycle: int) -> Decision | None:
    """The decision to take over; None where it has to be made.

    Pods that plugins have to judge by themselves leave more behind than a node, and so are judged again; so are
    those with a nominated node and all pods of a run with extenders.

    Raises:
        ReplayError: the record is about another pod.
    """
    decision = scheduler.recorded.get(cycle)
    if decision is None or scheduler.extenders or pod.pod.status.nominated_node_name:
        return None
    if decision.pod != pod.key:
        raise ReplayError(f"cycle {cycle} is recorded for pod {decision.pod} and came to {pod.key}")
    return None if pod.signature in (None, UNSIGNED) else decision


def take_over(
    scheduler: Scheduler, framework: Framework, state: CycleState, pod: PodInfo, decision: Decision
) -> str:
    """Leaves what the search would have left: the plugins' data, the place of the next search, the draw."""
    assert pod.signature is not None
    known = scheduler.recorded_states.get((framework.profile_name, pod.signature))
    if known is None:
        framework.run_pre_filter(state, pod, scheduler.snapshot.node_infos, framework.signing.pre_filters)
        scheduler.recorded_states[framework.profile_name, pod.signature] = state
    else:
        state.take_over(known)
    scheduler.finder.advance(decision.num_evaluated)
    if decision.num_ties > 1:
        scheduler.tie_break.choose(np.zeros(decision.num_ties, np.int64))
    if scheduler.tracer.on:
        for line in decision.lines:
            scheduler.tracer.repeat(line)
    return decision.node
