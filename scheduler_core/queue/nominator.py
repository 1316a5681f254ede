"""Nominations: pods that preemption has promised a node.

Source: pkg/scheduler/backend/queue/nominator.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.framework.types import NominatingInfo, NominatingMode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scheduler_core.snapshot.pod_info import PodInfo


class Nominator:
    """Pod → nominated node, and back."""

    __slots__ = ("_by_node", "_is_nominable", "_node_of")

    def __init__(self, is_nominable: Callable[[PodInfo], bool]) -> None:
        """``is_nominable`` tells whether a pod still exists without a node."""
        self._is_nominable = is_nominable
        self._by_node: dict[str, dict[str, PodInfo]] = {}
        self._node_of: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._node_of)

    def nominated_pods_for_node(self, node_name: str) -> Sequence[PodInfo]:
        """Pods nominated to a node, in the order of their nomination."""
        return tuple(self._by_node.get(node_name, {}).values())

    def nodes(self) -> Sequence[str]:
        """Nodes with nominated pods."""
        return tuple(self._by_node)

    def node_of(self, uid: str) -> str:
        """The node a pod is nominated to, or ``""``."""
        return self._node_of.get(uid, "")

    def add(self, pod_info: PodInfo, info: NominatingInfo | None) -> None:
        """Records a nomination: the one given, or without one that in the pod's status."""
        self.delete(pod_info.uid)
        if info is not None and info.mode == NominatingMode.OVERRIDE:
            node_name = info.node_name
        else:
            node_name = pod_info.pod.status.nominated_node_name
        if not node_name or not self._is_nominable(pod_info):
            return
        self._node_of[pod_info.uid] = node_name
        self._by_node.setdefault(node_name, {})[pod_info.uid] = pod_info

    def delete(self, uid: str) -> None:
        """Forgets a pod's nomination."""
        node_name = self._node_of.pop(uid, None)
        if node_name is None:
            return
        pods = self._by_node[node_name]
        del pods[uid]
        if not pods:
            del self._by_node[node_name]

    def update(self, old: PodInfo, new: PodInfo) -> None:
        """Follows a pod's update; a nomination known only here outlives updates that do not speak of it."""
        info = None
        old_name = old.pod.status.nominated_node_name
        new_name = new.pod.status.nominated_node_name
        if not old_name and not new_name and (node_name := self._node_of.get(old.uid)):
            info = NominatingInfo(NominatingMode.OVERRIDE, node_name)
        self.delete(old.uid)
        self.add(new, info)
