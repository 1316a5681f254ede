"""The cache: what the scheduler knows of nodes and of the pods on them, ahead of the API server by its assumptions.

Source: pkg/scheduler/backend/cache/cache.go, cacheImpl, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.cache.node_tree import NodeTree
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.image_states import ImageStates
from scheduler_core.snapshot.node_info import NodeInfo

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot


class SchedulerCache:
    """Nodes, bound pods and assumed pods. ``update_snapshot`` rewrites the rows that changed."""

    def __init__(self, axis: ResourceAxis | None = None) -> None:
        self.axis = axis or ResourceAxis()
        self._nodes: dict[str, NodeInfo] = {}
        self._tree = NodeTree()
        self._images = ImageStates()
        self._pods: dict[str, tuple[PodInfo, str]] = {}
        self._assumed: set[str] = set()
        self._dirty: dict[str, None] = {}
        self._generation = 0

    def __len__(self) -> int:
        return sum(info.node is not None for info in self._nodes.values())

    # Nodes.

    def add_node(self, node: Node) -> None:
        """Takes in a new node."""
        info = self._info(node.metadata.name)
        if info.node is not None:
            self._tree.remove(info.node)
            self._images.remove(info.node)
        self._tree.add(node)
        self._images.add(node)
        info.set_node(node)
        self._touch(info)

    def update_node(self, new: Node) -> None:
        """Takes over a changed node."""
        info = self._info(new.metadata.name)
        if info.node is None:
            self._tree.add(new)
        else:
            self._tree.update(info.node, new)
            self._images.remove(info.node)
        self._images.add(new)
        info.set_node(new)
        self._touch(info)

    def remove_node(self, name: str) -> None:
        """Drops a node; what stands on it is kept until its pods go too."""
        info = self._nodes[name]
        if info.node is not None:
            self._tree.remove(info.node)
            self._images.remove(info.node)
        info.node = None
        self._touch(info)
        if not info.pods:
            del self._nodes[name]

    # Pods.

    def assume_pod(self, pod_info: PodInfo, node_name: str) -> None:
        """Counts a pod on a node before it is bound."""
        self._add(pod_info, node_name)
        self._assumed.add(pod_info.uid)

    def forget_pod(self, uid: str) -> None:
        """Takes an assumption back."""
        self._assumed.discard(uid)
        self._remove(uid)

    def add_pod(self, pod_info: PodInfo, node_name: str) -> None:
        """Takes in a bound pod; it confirms an assumption, also one of another node."""
        uid = pod_info.uid
        if uid in self._pods:
            self._assumed.discard(uid)
            if self._pods[uid][1] == node_name:
                self._replace(pod_info, node_name)
                return
            self._remove(uid)
        self._add(pod_info, node_name)

    def update_pod(self, pod_info: PodInfo, node_name: str) -> None:
        """Takes over a changed bound pod."""
        self._remove(pod_info.uid)
        self._add(pod_info, node_name)

    def remove_pod(self, uid: str) -> None:
        """Drops a pod that was deleted."""
        self._assumed.discard(uid)
        if uid in self._pods:
            self._remove(uid)

    def is_assumed(self, uid: str) -> bool:
        """Whether the pod is assumed and not yet seen bound."""
        return uid in self._assumed

    def node_of(self, uid: str) -> str | None:
        """The node that a bound or assumed pod counts on."""
        found = self._pods.get(uid)
        return found[1] if found else None

    def pod_info(self, uid: str) -> PodInfo | None:
        """A bound or assumed pod as it counts."""
        found = self._pods.get(uid)
        return found[0] if found else None

    # The snapshot.

    def update_snapshot(self, snapshot: Snapshot) -> None:
        """Arrow 2: brings a snapshot up to date, row by row.

        As upstream does, the order of nodes is taken anew only when a node joined or left since the last time.
        """
        rows_changed = False
        snapshot.node_infos.image_columns.states = self._images
        for name in self._dirty:
            info = self._nodes.get(name)
            if info is not None and info.node is not None:
                rows_changed |= snapshot.write(info)
            elif name in snapshot.node_infos.row_of:
                snapshot.remove(name)
                rows_changed = True
        self._dirty.clear()
        if rows_changed:
            snapshot.set_order(self._tree.list())
        snapshot.generation = self._generation

    def _info(self, name: str) -> NodeInfo:
        info = self._nodes.get(name)
        if info is None:
            info = self._nodes[name] = NodeInfo(name, self.axis)
        return info

    def _touch(self, info: NodeInfo) -> None:
        self._generation += 1
        info.generation = self._generation
        self._dirty[info.name] = None

    def _add(self, pod_info: PodInfo, node_name: str) -> None:
        info = self._info(node_name)
        info.add_pod(pod_info)
        self._pods[pod_info.uid] = (pod_info, node_name)
        self._touch(info)

    def _replace(self, pod_info: PodInfo, node_name: str) -> None:
        """Swaps a pod for an equal one (assumed → bound) without counting anew where nothing changed.

        Upstream takes the pod off its node and puts it there again, which makes it the last one.
        """
        before = self._pods[pod_info.uid][0]
        pods = self._nodes[node_name].pods
        if before.derives_same(pod_info) and next(reversed(pods)) == pod_info.uid:
            pods[pod_info.uid] = pod_info
            self._pods[pod_info.uid] = (pod_info, node_name)
            return
        self._remove(pod_info.uid)
        self._add(pod_info, node_name)

    def _remove(self, uid: str) -> None:
        _, node_name = self._pods.pop(uid)
        info = self._nodes[node_name]
        info.remove_pod(uid)
        self._touch(info)
        if info.node is None and not info.pods:
            del self._nodes[node_name]
