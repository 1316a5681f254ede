"""Watch events → cache and queue.

Source: pkg/scheduler/eventhandlers.go and pkg/scheduler/framework/events.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.pod import FINAL_PHASES
from scheduler_core.framework.cluster_event import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE_ADD,
    NODE_DELETE,
    ActionType,
    ClusterEvent,
    EventResource,
)
from scheduler_core.scheduler.changes import node_changes, pod_changes
from scheduler_core.snapshot.pod_info import PodInfo

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.scheduler.scheduler import Scheduler

_OTHER_KINDS: Final = {
    "PersistentVolume": EventResource.PERSISTENT_VOLUME,
    "PersistentVolumeClaim": EventResource.PERSISTENT_VOLUME_CLAIM,
    "StorageClass": EventResource.STORAGE_CLASS,
    "CSINode": EventResource.CSI_NODE,
    "CSIDriver": EventResource.CSI_DRIVER,
    "CSIStorageCapacity": EventResource.CSI_STORAGE_CAPACITY,
    "VolumeAttachment": EventResource.VOLUME_ATTACHMENT,
    "ResourceClaim": EventResource.RESOURCE_CLAIM,
    "ResourceSlice": EventResource.RESOURCE_SLICE,
    "DeviceClass": EventResource.DEVICE_CLASS,
}


class EventHandlers:
    """Listens to the object store. ``old`` is None for an object that is new, ``new`` for one that went."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._cache = scheduler.cache
        self._queue = scheduler.queue
        self._pending: dict[str, PodInfo] = {}

    def on_event(self, kind: str, old: Any, new: Any) -> None:
        """Takes one watch event."""
        if kind == "Pod":
            self._on_pod(old, new)
        elif kind == "Node":
            self._on_node(old, new)
        elif kind in _OTHER_KINDS:
            action = (
                ActionType.ADD if old is None else ActionType.DELETE if new is None else ActionType.UPDATE
            )
            resource = _OTHER_KINDS[kind]
            label = f"{resource}{'Add' if old is None else 'Delete' if new is None else 'Update'}"
            self._queue.move_all(ClusterEvent(resource, action, label), old, new)

    # Nodes.

    def _on_node(self, old: Node | None, new: Node | None) -> None:
        if new is None:
            assert old is not None
            self._cache.remove_node(old.metadata.name)
            self._queue.move_all(NODE_DELETE, old, None)
        elif old is None:
            self._cache.add_node(new)
            self._queue.move_all(NODE_ADD, None, new)
        else:
            self._cache.update_node(new)
            for event in node_changes(old, new):
                self._queue.move_all(event, old, new)

    # Pods: those with a node are the cache's, the others the queue's. A pod that ended is nobody's.

    def _on_pod(self, old: Pod | None, new: Pod | None) -> None:
        was_assigned = old is not None and _is_assigned(old)
        is_assigned = new is not None and _is_assigned(new)
        was_pending = old is not None and self._is_ours(old)
        is_pending = new is not None and self._is_ours(new)
        if new is not None and is_assigned:
            if old is not None and was_assigned:
                self._update_assigned(old, new)
            else:
                self._add_assigned(new)
        elif old is not None and was_assigned:
            self._delete_assigned(old)
        if new is not None and is_pending:
            if old is not None and was_pending:
                self._update_pending(old, new)
            else:
                self._add_pending(new)
        elif old is not None and was_pending:
            self._delete_pending(old, "bound" if is_assigned else "deleted")

    def _is_ours(self, pod: Pod) -> bool:
        return (
            not pod.spec.node_name
            and pod.status.phase not in FINAL_PHASES
            and self._scheduler.framework_for(pod) is not None
        )

    def _add_assigned(self, pod: Pod) -> None:
        known = self._pending.get(pod.metadata.uid)
        pod_info = known.with_pod(pod) if known is not None else PodInfo(pod, self._cache.axis)
        self._cache.add_pod(pod_info, pod.spec.node_name)
        self._queue.assigned_pod_changed(ASSIGNED_POD_ADD, None, pod)

    def _update_assigned(self, old: Pod, new: Pod) -> None:
        known = self._cache.pod_info(new.metadata.uid)
        if known is not None and known.pod.spec is new.spec and not (_has_amounts(old) or _has_amounts(new)):
            pod_info = known.with_pod(new)  # most updates are of the status
        else:
            pod_info = PodInfo(new, self._cache.axis)
        self._cache.update_pod(pod_info, new.spec.node_name)
        for event in pod_changes(old, new):
            self._queue.assigned_pod_changed(event, old, new)

    def _delete_assigned(self, pod: Pod) -> None:
        self._cache.remove_pod(pod.metadata.uid)
        self._queue.move_all(ASSIGNED_POD_DELETE, pod, None)

    def _add_pending(self, pod: Pod) -> None:
        pod_info = self._pending[pod.metadata.uid] = PodInfo(pod, self._cache.axis)
        framework = self._scheduler.framework_for(pod)
        if framework is not None:
            framework.sign(pod_info)
        self._queue.add(pod_info)

    def _update_pending(self, old: Pod, new: Pod) -> None:
        if self._cache.is_assumed(new.metadata.uid):
            return
        before = self._pending[old.metadata.uid]
        after = self._pending[new.metadata.uid] = self._scheduler.pod_info(new, before)
        self._queue.update(before, after, pod_changes(old, new))
        if old.status.nominated_node_name not in ("", new.status.nominated_node_name):
            self._nomination_gone(old, before.priority)

    def _delete_pending(self, pod: Pod, reason: str) -> None:
        pod_info = self._pending.pop(pod.metadata.uid)
        self._queue.delete(pod_info, reason)
        waiting = self._scheduler.waiting_pods.get(pod.metadata.uid)
        if waiting is not None:
            waiting.reject("", "removed")
            self._queue.move_all(ASSIGNED_POD_DELETE, pod, None)
        elif pod.status.nominated_node_name:
            self._nomination_gone(pod, pod_info.priority)

    def _nomination_gone(self, pod: Pod, priority: int) -> None:
        """A nominated pod counts as assigned for pods of at most its priority: its room is free again."""
        self._queue.move_all(ASSIGNED_POD_DELETE, pod, None, lambda other: other.priority <= priority)


def _has_amounts(pod: Pod) -> bool:
    """Whether the kubelet tells what containers were given: that may count instead of what they request."""
    statuses = (*pod.status.container_statuses, *pod.status.init_container_statuses)
    return any(status.resources is not None or status.allocated_resources is not None for status in statuses)


def _is_assigned(pod: Pod) -> bool:
    return bool(pod.spec.node_name) and pod.status.phase not in FINAL_PHASES
