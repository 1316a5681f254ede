"""What changed in a node or pod, as the cluster events that the queue understands.

Source: pkg/scheduler/framework/events.go, NodeSchedulingPropertiesChange and PodSchedulingPropertiesChange, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.api.pod_resources import has_same_amounts, pod_requests
from scheduler_core.framework.cluster_event import ActionType, ClusterEvent, EventResource

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod

_NODE_LABELS: Final = {
    ActionType.UPDATE_NODE_ALLOCATABLE: "NodeAllocatableChange",
    ActionType.UPDATE_NODE_LABEL: "NodeLabelChange",
    ActionType.UPDATE_NODE_TAINT: "NodeTaintChange",
    ActionType.UPDATE_NODE_CONDITION: "NodeConditionChange",
    ActionType.UPDATE_NODE_ANNOTATION: "NodeAnnotationChange",
}
_POD_LABELS: Final = {
    ActionType.UPDATE_POD_LABEL: "PodLabelChange",
    ActionType.UPDATE_POD_SCALE_DOWN: "PodRequestScaledDown",
    ActionType.UPDATE_POD_SCHEDULING_GATES_ELIMINATED: "PodSchedulingGateEliminatedChange",
    ActionType.UPDATE_POD_TOLERATION: "PodTolerationChange",
    ActionType.UPDATE_POD_GENERATED_RESOURCE_CLAIM: "PodGeneratedResourceClaimChange",
    ActionType.UPDATE_POD_OTHER: "PodOtherUpdate",
}


def node_changes(old: Node, new: Node) -> list[ClusterEvent]:
    """The events that an updated node stands for."""
    actions = []
    if old.spec.unschedulable and not new.spec.unschedulable:  # cordoning is no event
        actions.append(ActionType.UPDATE_NODE_TAINT)
    if old.status.allocatable != new.status.allocatable:
        actions.append(ActionType.UPDATE_NODE_ALLOCATABLE)
    if old.metadata.labels != new.metadata.labels:
        actions.append(ActionType.UPDATE_NODE_LABEL)
    if old.spec.taints != new.spec.taints:
        actions.append(ActionType.UPDATE_NODE_TAINT)
    if _conditions(old) != _conditions(new):
        actions.append(ActionType.UPDATE_NODE_CONDITION)
    if old.metadata.annotations != new.metadata.annotations:
        actions.append(ActionType.UPDATE_NODE_ANNOTATION)
    return [ClusterEvent(EventResource.NODE, action, _NODE_LABELS[action]) for action in actions]


def pod_changes(old: Pod, new: Pod) -> list[ClusterEvent]:
    """The events that an updated pod stands for; at least the one for changes of no particular kind."""
    actions = []
    if old.metadata.labels != new.metadata.labels:
        actions.append(ActionType.UPDATE_POD_LABEL)
    if _is_scaled_down(old, new):
        actions.append(ActionType.UPDATE_POD_SCALE_DOWN)
    if old.spec.scheduling_gates and not new.spec.scheduling_gates:
        actions.append(ActionType.UPDATE_POD_SCHEDULING_GATES_ELIMINATED)
    if len(old.spec.tolerations) != len(new.spec.tolerations):
        actions.append(ActionType.UPDATE_POD_TOLERATION)
    if old.status.resource_claim_statuses != new.status.resource_claim_statuses:
        actions.append(ActionType.UPDATE_POD_GENERATED_RESOURCE_CLAIM)
    if not actions:
        actions.append(ActionType.UPDATE_POD_OTHER)
    resource = EventResource.ASSIGNED_POD if new.spec.node_name else EventResource.UNSCHEDULABLE_POD
    return [ClusterEvent(resource, action, _POD_LABELS[action]) for action in actions]


def _conditions(node: Node) -> dict[str, str]:
    return {condition.type: condition.status for condition in node.status.conditions}


def _is_scaled_down(old: Pod, new: Pod) -> bool:
    if has_same_amounts(old, new):
        return False
    before, after = pod_requests(old), pod_requests(new)
    return any(name not in after or after[name] < amount for name, amount in before.items())
