"""Keeps pods with scheduling gates out of the queues until the gates are gone.

Source: pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import Status, unresolvable
from scheduler_core.plugins import names

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.SCHEDULING_GATES
REASON: Final = "waiting for scheduling gates: [{gates}]"


class SchedulingGates:
    """Refuses a pod before it is queued, for as long as it carries a gate."""

    name = NAME

    def pre_enqueue(self, pod_info: PodInfo) -> Status | None:
        """Names the gates in the pod's order."""
        gates = pod_info.pod.spec.scheduling_gates
        if not gates:
            return None
        return unresolvable(REASON.format(gates=" ".join(gate.name for gate in gates)))

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """The pod's own loss of its last gate."""
        event = ClusterEvent(EventResource.POD, ActionType.UPDATE_POD_SCHEDULING_GATES_ELIMINATED)
        return (ClusterEventWithHint(event, self._after_gates_eliminated),)

    def _after_gates_eliminated(self, pod: Pod, old: Pod | None, new: Pod) -> QueueingHint:
        return QueueingHint.QUEUE if new.metadata.uid == pod.metadata.uid else QueueingHint.SKIP


def new(args: None, handle: Handle) -> SchedulingGates:
    """Makes the plugin."""
    return SchedulingGates()
