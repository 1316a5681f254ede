"""Keeps a pod off nodes where a host port it wants is taken.

Source: pkg/scheduler/framework/plugins/nodeports/node_ports.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import SKIP, Status, unschedulable
from scheduler_core.framework.types import FilterResult, PreFilterResult
from scheduler_core.plugins import names
from scheduler_core.plugins.helper.interned import VerdictCache
from scheduler_core.snapshot.pod_info import HostPort, host_ports

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.NODE_PORTS
REASON: Final = "node(s) didn't have free ports for the requested pod ports"

_REFUSED: Final = unschedulable(REASON)
_ANY_IP: Final = "0.0.0.0"
_PRE_FILTER_KEY: Final = "PreFilter" + NAME
_NO_PRE_FILTER: Final = 'reading "{key}" from cycleState: {error}'

_Ports = frozenset[HostPort]


class WantedPorts:
    """The ports that the pod wants on its host."""

    __slots__ = ("ports",)

    def __init__(self, ports: _Ports) -> None:
        self.ports = ports

    def clone(self) -> WantedPorts:
        """Itself: pods that come and go do not change it."""
        return self


class NodePorts:
    """Two pods clash on a port of the same protocol where their addresses are equal or one of them is any."""

    name = NAME
    reads_pods = True

    def __init__(self) -> None:
        self._clashes: VerdictCache[_Ports, _Ports] = VerdictCache(clash)

    def sign_pod(self, pod: PodInfo) -> Hashable:
        """The ports that the pod wants."""
        return pod.host_ports

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Skips pods without host ports."""
        if not pod.host_ports:
            return None, SKIP
        state.write(_PRE_FILTER_KEY, WantedPorts(pod.host_ports))
        return None, None

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Judges each distinct set of taken ports once."""
        wanted: WantedPorts = state.read(_PRE_FILTER_KEY, _NO_PRE_FILTER)
        clashes = self._clashes.get(wanted.ports, nodes.port_sets).take(nodes.ports_id.take(rows))
        if not clashes.any():
            return None
        return FilterResult.from_mask(clashes == 0, _REFUSED)

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The ports that are taken, each with the pods on the node that hold it."""
        used = nodes.port_sets.values[nodes.ports_id[row]]
        others = [other for other in nodes.info(row).pods.values() if other.host_ports]
        return [
            {
                "port": wanted.port,
                "protocol": wanted.protocol,
                "ip": wanted.ip,
                "held_by": [other.key for other in others if clash((wanted,), other.host_ports)],
            }
            for wanted in sorted(pod.host_ports)
            if clash((wanted,), used)
        ]

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Pods that free ports, and new nodes."""
        pod = ClusterEvent(EventResource.POD, ActionType.DELETE)
        node = ClusterEvent(EventResource.NODE, ActionType.ADD)
        return (ClusterEventWithHint(pod, self._after_pod_deleted), ClusterEventWithHint(node))

    def _after_pod_deleted(self, pod: Pod, old: Pod, new: None) -> QueueingHint:
        if not old.spec.node_name and not old.status.nominated_node_name:
            return QueueingHint.SKIP
        return QueueingHint.QUEUE if clash(host_ports(pod), frozenset(host_ports(old))) else QueueingHint.SKIP


def clash(wanted: Iterable[HostPort], used: _Ports) -> bool:
    """Whether a wanted port is among the used ones.

    Source: staging/src/k8s.io/kube-scheduler/framework/types.go, HostPortInfo.CheckConflict, v1.34.1
    """
    for port in wanted:
        if port.ip == _ANY_IP:
            if any(port.port == other.port and port.protocol == other.protocol for other in used):
                return True
        elif port in used or port._replace(ip=_ANY_IP) in used:
            return True
    return False


def new(args: None, handle: Handle) -> NodePorts:
    """Makes the plugin."""
    return NodePorts()
