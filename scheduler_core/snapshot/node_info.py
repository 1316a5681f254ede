"""One node as the cache keeps it: its object, its pods and the sums over them.

Source: pkg/scheduler/framework/types.go, NodeInfo, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.snapshot.axes import PODS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.node import Node
    from scheduler_core.snapshot.axes import ResourceAxis
    from scheduler_core.snapshot.pod_info import HostPort, PodInfo

_NO_PORTS: Final[frozenset[HostPort]] = frozenset()


class NodeInfo:
    """Aggregates of one node. Amounts are ints by resource column; cpu in milli-cores.

    ``node`` is None while only pods that name the node are known. ``changes`` are the pods that came (1) and
    went (-1) since the snapshot last read them.
    """

    __slots__ = (
        "allocatable",
        "allowed_pods",
        "axis",
        "changes",
        "generation",
        "name",
        "node",
        "non_zero_cpu",
        "non_zero_memory",
        "pods",
        "ports",
        "requested",
    )

    def __init__(self, name: str, axis: ResourceAxis) -> None:
        self.name = name
        self.axis = axis
        self.node: Node | None = None
        self.generation = 0
        self.allocatable: dict[int, int] = {}
        self.allowed_pods = 0
        self.pods: dict[str, PodInfo] = {}
        self.changes: list[tuple[PodInfo, int]] = []
        self.ports: frozenset[HostPort] = _NO_PORTS
        self.requested: dict[int, int] = {}
        self.non_zero_cpu = 0
        self.non_zero_memory = 0

    def set_node(self, node: Node) -> None:
        """Takes over what the node offers."""
        self.node = node
        amounts = {
            name: quantity.milli_value() if name == "cpu" else quantity.value()
            for name, quantity in node.status.allocatable.items()
        }
        self.allowed_pods = amounts.pop(PODS, 0)
        self.allocatable = dict(self.axis.pairs(amounts))

    def add_pod(self, pod_info: PodInfo) -> None:
        """Counts a pod on this node."""
        self.pods[pod_info.uid] = pod_info
        self.changes.append((pod_info, 1))
        requested = self.requested
        for column, amount in pod_info.requests:
            requested[column] = requested.get(column, 0) + amount
        self.non_zero_cpu += pod_info.non_zero_cpu
        self.non_zero_memory += pod_info.non_zero_memory
        if pod_info.host_ports:
            self.ports |= pod_info.host_ports

    def remove_pod(self, uid: str) -> PodInfo:
        """Takes a pod off this node; as upstream does, the last pod takes its place in the order.

        Its host ports are free then, as upstream has it, even if another pod was put here with the same ones.

        Raises:
            KeyError: no such pod is on this node.
        """
        pod_info = self.pods[uid]
        last_uid, last = self.pods.popitem()
        if last_uid != uid:
            self.pods = {
                (last_uid if other == uid else other): (last if other == uid else info)
                for other, info in self.pods.items()
            }
        self.changes.append((pod_info, -1))
        requested = self.requested
        for column, amount in pod_info.requests:
            requested[column] -= amount
        self.non_zero_cpu -= pod_info.non_zero_cpu
        self.non_zero_memory -= pod_info.non_zero_memory
        if pod_info.host_ports:
            self.ports -= pod_info.host_ports
        return pod_info

    def pods_last_read(self) -> Iterable[PodInfo]:
        """The pods that were here when the snapshot last read them, in some order."""
        if not self.changes:
            return self.pods.values()
        pods = dict(self.pods)
        for pod_info, delta in reversed(self.changes):
            if delta > 0:
                del pods[pod_info.uid]
            else:
                pods[pod_info.uid] = pod_info
        return pods.values()

    def used_ports(self) -> frozenset[HostPort]:
        """Host ports that the pods on this node hold."""
        return self.ports

    def clone(self) -> NodeInfo:
        """A copy whose pods can be changed without touching this one."""
        copy = NodeInfo(self.name, self.axis)
        copy.node = self.node
        copy.generation = self.generation
        copy.allocatable = self.allocatable
        copy.allowed_pods = self.allowed_pods
        copy.pods = dict(self.pods)
        copy.ports = self.ports
        copy.requested = dict(self.requested)
        copy.non_zero_cpu = self.non_zero_cpu
        copy.non_zero_memory = self.non_zero_memory
        return copy
