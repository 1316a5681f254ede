"""DefaultPreemption: makes room for a pod that fits nowhere by deleting pods of a lower priority.

Preemption is synchronous (feature gate SchedulerAsyncPreemption off), so the plugin holds no pod back in
PreEnqueue and no event is of interest to it.

Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from scheduler_core.api.policy import PREEMPT_NEVER
from scheduler_core.config.plugin_args import DefaultPreemptionArgs
from scheduler_core.framework.status import Code, Status, unschedulable
from scheduler_core.plugins.names import DEFAULT_PREEMPTION
from scheduler_core.preemption.evaluator import Evaluator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.cluster_event import ClusterEventWithHint
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.diagnosis import NodeToStatus
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.types import PostFilterResult
    from scheduler_core.preemption.handle import PreemptionHandle
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = DEFAULT_PREEMPTION
MESSAGE_PREFIX: Final = "preemption: "
REASON_NEVER: Final = "not eligible due to preemptionPolicy=Never."
REASON_TERMINATING: Final = "not eligible due to a terminating pod on the nominated node."

_DISRUPTION_TARGET: Final = "DisruptionTarget"
_PREEMPTION_BY_SCHEDULER: Final = "PreemptionByScheduler"


class DefaultPreemption:
    """PostFilter: says why preemption does not help, or preempts and nominates a node."""

    name = NAME

    def __init__(self, args: DefaultPreemptionArgs, handle: PreemptionHandle) -> None:
        self._args = args
        self._handle = handle
        self._evaluator = Evaluator(NAME, handle, self.num_candidates)

    def pre_enqueue(self, pod_info: PodInfo) -> Status | None:
        """Holds no pod back."""
        return None

    def post_filter(
        self, state: CycleState, pod: PodInfo, statuses: NodeToStatus
    ) -> tuple[PostFilterResult | None, Status | None]:
        reason = self.ineligible_reason(pod, statuses)
        if reason:
            return None, unschedulable(MESSAGE_PREFIX + reason)
        result, status = self._evaluator.preempt(state, pod, statuses)
        if status is not None and status.message:
            status = Status(status.code, (MESSAGE_PREFIX + status.message,))
        return result, status

    def events_to_register(self) -> Sequence[ClusterEventWithHint]:
        return ()

    def num_candidates(self, num_nodes: int) -> int:
        """How many candidates a dry run over ``num_nodes`` nodes has to find before it may stop."""
        args = self._args
        share = num_nodes * args.min_candidate_nodes_percentage // 100
        return min(max(share, args.min_candidate_nodes_absolute), num_nodes)

    def ineligible_reason(self, pod: PodInfo, statuses: NodeToStatus) -> str:
        """Why the pod may not preempt, or ``""``.

        A pod waits for victims that are still terminating on its nominated node, unless that node turned out
        to be impossible.
        """
        if pod.pod.spec.preemption_policy == PREEMPT_NEVER:
            return REASON_NEVER
        node_name = pod.pod.status.nominated_node_name
        if not node_name or statuses.get(node_name).code == Code.UNSCHEDULABLE_AND_UNRESOLVABLE:
            return ""
        nodes = self._handle.snapshot.node_infos
        row = nodes.row_of.get(node_name)
        if row is None:
            return ""
        for other in nodes.info(row).pods.values():
            if other.priority < pod.priority and _is_terminating_by_preemption(other.pod):
                return REASON_TERMINATING
        return ""


def _is_terminating_by_preemption(pod: Pod) -> bool:
    if pod.metadata.deletion_timestamp is None:
        return False
    for condition in pod.status.conditions:
        if condition.type == _DISRUPTION_TARGET:
            return condition.status == "True" and condition.reason == _PREEMPTION_BY_SCHEDULER
    return False


def new(args: DefaultPreemptionArgs | None, handle: Handle) -> DefaultPreemption:
    """Makes the plugin."""
    return DefaultPreemption(args or DefaultPreemptionArgs(), cast("PreemptionHandle", handle))
