"""Which pods belong together when a pod does not say so itself: those of its Services and of its controller.

Source: pkg/scheduler/framework/plugins/helper/spread.go, DefaultSelector, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.api.selectors import IN
from scheduler_core.snapshot.label_selector import EVERYTHING, Requirement, Selector, compile_label_selector

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.workloads import Service
    from scheduler_core.framework.interface import ObjectLister

_REPLICATION_CONTROLLER: Final = ("v1", "ReplicationController")
_WITH_LABEL_SELECTOR: Final = frozenset((("apps/v1", "ReplicaSet"), ("apps/v1", "StatefulSet")))


def default_selector(pod: Pod, lister: ObjectLister) -> Selector:
    """What the Services that select the pod and its controller select; empty if there are none of them."""
    namespace = pod.metadata.namespace
    services = tuple(lister.list("Service", namespace))
    if not services and not pod.metadata.owner_references:
        return EVERYTHING
    labels = _merged_selectors(pod, services)
    owner = pod.metadata.controller()
    if owner is None:
        return _equal_to(labels) if labels else EVERYTHING
    kind = (owner.api_version, owner.kind)
    if kind == _REPLICATION_CONTROLLER:
        controller = lister.get(owner.kind, namespace, owner.name)
        return _equal_to(labels | (controller.spec.selector if controller else {}))
    selector = _equal_to(labels)
    if kind in _WITH_LABEL_SELECTOR and (workload := lister.get(owner.kind, namespace, owner.name)):
        return joined(selector, compile_label_selector(workload.spec.selector))
    return selector


def service_labels(pod: Pod, lister: ObjectLister) -> dict[str, str]:
    """The merged selectors of the Services that select the pod."""
    return _merged_selectors(pod, lister.list("Service", pod.metadata.namespace))


def _merged_selectors(pod: Pod, services: Iterable[Service]) -> dict[str, str]:
    labels = pod.metadata.labels
    merged: dict[str, str] = {}
    for service in services:
        selector = service.spec.selector
        if selector and selector.items() <= labels.items():
            merged |= selector
    return merged


def joined(selector: Selector, other: Selector) -> Selector:
    """A selector with the other's conditions too; one that matches nothing adds none, as upstream."""
    return _selector((*(selector.requirements or ()), *(other.requirements or ())))


def with_labels(selector: Selector, labels: dict[str, str]) -> Selector:
    """A selector that also asks for labels (matchLabelKeys); of one that matches nothing only they remain."""
    return joined(_equal_to(labels), selector)


def _equal_to(labels: dict[str, str]) -> Selector:
    return _selector(Requirement(key, IN, frozenset((value,))) for key, value in labels.items())


def _selector(requirements: Iterable[Requirement]) -> Selector:
    """Conditions in one order and each once, so that selectors that ask the same are equal."""
    return Selector(tuple(sorted(set(requirements), key=lambda r: (r.key, r.operator, sorted(r.values)))))
