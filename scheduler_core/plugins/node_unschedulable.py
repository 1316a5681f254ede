"""Keeps pods off cordoned nodes.

Source: pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.api.taints import NO_SCHEDULE, Taint
from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import unresolvable
from scheduler_core.framework.types import FilterResult
from scheduler_core.plugins import names
from scheduler_core.plugins.helper.taints import tolerations_tolerate

if TYPE_CHECKING:
    from collections.abc import Hashable

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.NODE_UNSCHEDULABLE
REASON: Final = "node(s) were unschedulable"

_REFUSED: Final = unresolvable(REASON)
_TAINT: Final = Taint(key="node.kubernetes.io/unschedulable", effect=NO_SCHEDULE)


class NodeUnschedulable:
    """Refuses nodes with ``spec.unschedulable``, unless the pod tolerates the taint that stands for it."""

    name = NAME
    reads_pods = False

    def sign_pod(self, pod: PodInfo) -> Hashable:
        """The tolerations."""
        return pod.pod.spec.tolerations

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Looks at the tolerations only where a row is cordoned."""
        unschedulable = nodes.unschedulable.take(rows)
        if not unschedulable.any() or tolerations_tolerate(pod.pod.spec.tolerations, _TAINT):
            return None
        return FilterResult.from_mask(~unschedulable, _REFUSED)

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Nodes that come or are uncordoned, and tolerations that the pod itself gains."""
        node = ClusterEvent(EventResource.NODE, ActionType.ADD | ActionType.UPDATE_NODE_TAINT)
        pod = ClusterEvent(EventResource.POD, ActionType.UPDATE_POD_TOLERATION)
        return (
            ClusterEventWithHint(node, self._after_node_change),
            ClusterEventWithHint(pod, self._after_pod_toleration_change),
        )

    def _after_node_change(self, pod: Pod, old: Node | None, new: Node) -> QueueingHint:
        was_closed = old is None or old.spec.unschedulable
        return QueueingHint.QUEUE if was_closed and not new.spec.unschedulable else QueueingHint.SKIP

    def _after_pod_toleration_change(self, pod: Pod, old: Pod | None, new: Pod) -> QueueingHint:
        if new.metadata.uid == pod.metadata.uid and tolerations_tolerate(new.spec.tolerations, _TAINT):
            return QueueingHint.QUEUE
        return QueueingHint.SKIP


def new(args: None, handle: Handle) -> NodeUnschedulable:
    """Makes the plugin."""
    return NodeUnschedulable()
