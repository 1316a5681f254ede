"""Which changes may make room for a pod that NodeResourcesFit refused.

Source: pkg/scheduler/framework/plugins/noderesources/fit.go, isSchedulableAfterPodEvent and
isSchedulableAfterNodeChange, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.api.pod_resources import pod_requests, to_ints
from scheduler_core.framework.cluster_event import QueueingHint
from scheduler_core.snapshot.axes import BASE_RESOURCES, PODS, is_scalar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod


def after_pod_event(pod: Pod, old: Pod | None, new: Pod | None) -> QueueingHint:
    """Queues after a pod with a node (its own or promised) is gone, and after one that shrank."""
    if new is None:
        assert old is not None
        has_node = old.spec.node_name or old.status.nominated_node_name
        return QueueingHint.QUEUE if has_node else QueueingHint.SKIP
    assert old is not None
    return QueueingHint.QUEUE if _scale_down_helps(pod, old, new) else QueueingHint.SKIP


def after_node_change(pod: Pod, old: Node | None, new: Node) -> QueueingHint:
    """Queues where the node, if empty, would hold the pod, and is new or grew in something the pod needs."""
    grown = None if old is None else _grown(old, new)
    if grown is not None and not grown:
        return QueueingHint.SKIP
    requests = _counted(pod_requests(pod, use_status_resources=False))
    if grown is not None and grown.isdisjoint((PODS, *requests)):
        return QueueingHint.SKIP
    return QueueingHint.QUEUE if _is_fit(requests, new) else QueueingHint.SKIP


def _scale_down_helps(pod: Pod, old: Pod, new: Pod) -> bool:
    if new.metadata.uid == pod.metadata.uid:
        return True
    if not new.spec.node_name:
        return False
    before, after = _counted(pod_requests(old)), _counted(pod_requests(new))
    return any(before.get(name, 0) > after.get(name, 0) for name in _counted(pod_requests(pod)))


def _is_fit(requests: Mapping[str, int], node: Node) -> bool:
    allocatable = to_ints(node.status.allocatable)
    if allocatable.get(PODS, 0) < 1:
        return False
    return all(amount <= allocatable.get(name, 0) for name, amount in requests.items())


def _grown(old: Node, new: Node) -> set[str]:
    """The resources that a node has more of."""
    before, after = to_ints(old.status.allocatable), to_ints(new.status.allocatable)
    return {name for name, amount in after.items() if amount > before.get(name, 0)}


def _counted(amounts: Mapping[str, int]) -> dict[str, int]:
    """The amounts above 0 of resources that the scheduler counts."""
    return {
        name: amount
        for name, amount in amounts.items()
        if amount > 0 and (name in BASE_RESOURCES or is_scalar(name))
    }
