"""Holds a pod that names its node to that node.

Source: pkg/scheduler/framework/plugins/nodename/node_name.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
)
from scheduler_core.framework.status import unresolvable
from scheduler_core.framework.types import FilterResult
from scheduler_core.plugins import names
from scheduler_core.snapshot.vocabulary import ABSENT

if TYPE_CHECKING:
    from collections.abc import Hashable

    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.NODE_NAME
REASON: Final = "node(s) didn't match the requested node name"

_REFUSED: Final = unresolvable(REASON)


class NodeName:
    """Passes the node that ``spec.nodeName`` asks for, or every node where it is empty."""

    name = NAME
    reads_pods = False

    def sign_pod(self, pod: PodInfo) -> Hashable:
        """The node that the pod names."""
        return pod.pod.spec.node_name

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Compares names by their rows."""
        node_name = pod.pod.spec.node_name
        if not node_name:
            return None
        return FilterResult.from_mask(rows == nodes.row_of.get(node_name, ABSENT), _REFUSED)

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """A new node may be the one; no change of a node gives it another name."""
        return (ClusterEventWithHint(ClusterEvent(EventResource.NODE, ActionType.ADD)),)


def new(args: None, handle: Handle) -> NodeName:
    """Makes the plugin."""
    return NodeName()
