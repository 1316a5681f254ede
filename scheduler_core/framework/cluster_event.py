"""Cluster events: what changed, so that the queue knows which pods are worth another attempt.

Source: staging/src/k8s.io/kube-scheduler/framework/types.go and pkg/scheduler/framework/events.go, v1.34.1
"""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scheduler_core.api.pod import Pod


class ActionType(IntFlag):
    """Ways in which an object can change."""

    ADD = 1 << 0
    DELETE = 1 << 1
    UPDATE_NODE_ALLOCATABLE = 1 << 2
    UPDATE_NODE_LABEL = 1 << 3
    UPDATE_NODE_TAINT = 1 << 4
    UPDATE_NODE_CONDITION = 1 << 5
    UPDATE_NODE_ANNOTATION = 1 << 6
    UPDATE_POD_LABEL = 1 << 7
    UPDATE_POD_SCALE_DOWN = 1 << 8
    UPDATE_POD_TOLERATION = 1 << 9
    UPDATE_POD_SCHEDULING_GATES_ELIMINATED = 1 << 10
    UPDATE_POD_GENERATED_RESOURCE_CLAIM = 1 << 11
    UPDATE_POD_OTHER = 1 << 12
    UPDATE = (1 << 13) - 1 - 3
    ALL = (1 << 13) - 1


class EventResource:
    """Names of the objects that events are about."""

    POD: Final = "Pod"
    ASSIGNED_POD: Final = "AssignedPod"
    UNSCHEDULABLE_POD: Final = "UnschedulablePod"
    NODE: Final = "Node"
    PERSISTENT_VOLUME: Final = "PersistentVolume"
    PERSISTENT_VOLUME_CLAIM: Final = "PersistentVolumeClaim"
    CSI_NODE: Final = "CSINode"
    CSI_DRIVER: Final = "CSIDriver"
    VOLUME_ATTACHMENT: Final = "VolumeAttachment"
    CSI_STORAGE_CAPACITY: Final = "CSIStorageCapacity"
    STORAGE_CLASS: Final = "StorageClass"
    RESOURCE_CLAIM: Final = "ResourceClaim"
    RESOURCE_SLICE: Final = "ResourceSlice"
    DEVICE_CLASS: Final = "DeviceClass"
    WILDCARD: Final = "*"


_POD_PARTS: Final = frozenset({EventResource.ASSIGNED_POD, EventResource.UNSCHEDULABLE_POD})


class ClusterEvent(NamedTuple):
    """A change of one kind of object; ``label`` is what traces and metrics call it."""

    resource: str
    action_type: ActionType
    label: str = ""

    def matches(self, incoming: ClusterEvent) -> bool:
        """Whether a registration for this event is interested in ``incoming``."""
        if self.is_wildcard:
            return True
        if not self.action_type & incoming.action_type:
            return False
        return self.resource == incoming.resource or (
            self.resource == EventResource.POD and incoming.resource in _POD_PARTS
        )

    @property
    def is_wildcard(self) -> bool:
        """Whether this stands for any change of anything."""
        return self.resource == EventResource.WILDCARD and self.action_type == ActionType.ALL


class QueueingHint(IntEnum):
    """Whether an event may make a rejected pod schedulable."""

    SKIP = 0
    QUEUE = 1


if TYPE_CHECKING:
    QueueingHintFn = Callable[[Pod, Any, Any], QueueingHint]
    """(pod, old object, new object) → hint."""


class ClusterEventWithHint(NamedTuple):
    """A plugin's registration; without a hint function every matching event queues the pod."""

    event: ClusterEvent
    hint: QueueingHintFn | None = None


def _event(resource: str, action: ActionType, label: str) -> ClusterEvent:
    return ClusterEvent(resource, action, label)


WILDCARD_EVENT: Final = _event(EventResource.WILDCARD, ActionType.ALL, "WildCardEvent")
UNSCHEDULABLE_TIMEOUT: Final = _event(EventResource.WILDCARD, ActionType.ALL, "UnschedulableTimeout")
FORCE_ACTIVATE: Final = _event(EventResource.WILDCARD, ActionType.ALL, "ForceActivate")
ASSIGNED_POD_ADD: Final = _event(EventResource.ASSIGNED_POD, ActionType.ADD, "AssignedPodAdd")
ASSIGNED_POD_DELETE: Final = _event(EventResource.ASSIGNED_POD, ActionType.DELETE, "AssignedPodDelete")
NODE_ADD: Final = _event(EventResource.NODE, ActionType.ADD, "NodeAdd")
NODE_DELETE: Final = _event(EventResource.NODE, ActionType.DELETE, "NodeDelete")

POD_ADD_LABEL: Final = "PodAdd"
SCHEDULE_ATTEMPT_FAILURE_LABEL: Final = "ScheduleAttemptFailure"
BACKOFF_COMPLETE_LABEL: Final = "BackoffComplete"

_ACTION_WORDS: Final = {
    ActionType.ADD: "add",
    ActionType.DELETE: "delete",
    ActionType.UPDATE_NODE_ALLOCATABLE: "update (allocatable)",
    ActionType.UPDATE_NODE_LABEL: "update (labels)",
    ActionType.UPDATE_NODE_TAINT: "update (taints)",
    ActionType.UPDATE_NODE_CONDITION: "update (conditions)",
    ActionType.UPDATE_NODE_ANNOTATION: "update (annotations)",
    ActionType.UPDATE_POD_LABEL: "update (labels)",
    ActionType.UPDATE_POD_SCALE_DOWN: "update (requests scaled down)",
    ActionType.UPDATE_POD_TOLERATION: "update (tolerations)",
    ActionType.UPDATE_POD_SCHEDULING_GATES_ELIMINATED: "update (scheduling gates removed)",
    ActionType.UPDATE_POD_GENERATED_RESOURCE_CLAIM: "update (generated resource claim)",
}


def event_names(events: Iterable[ClusterEvent]) -> tuple[str, ...]:
    """Events in words, such as "Node update (allocatable)", each once."""
    names: dict[str, None] = {}
    for event in events:
        if event.action_type == ActionType.ALL:
            names[f"{event.resource} any change"] = None
            continue
        left = event.action_type
        if left & ActionType.UPDATE == ActionType.UPDATE:
            names[f"{event.resource} update"] = None
            left &= ~ActionType.UPDATE
        for action, words in _ACTION_WORDS.items():
            if left & action:
                names[f"{event.resource} {words}"] = None
    return tuple(names)
