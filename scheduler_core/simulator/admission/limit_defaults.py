"""LimitRanger's first half: requests and limits that containers lack.

Source: plugin/pkg/admission/limitranger/admission.go, mergePodResourceRequirements;
pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.resources import ResourceRequirements

if TYPE_CHECKING:
    from scheduler_core.api.containers import Container
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.quotas import LimitRange, LimitRangeItem
    from scheduler_core.api.resources import ResourceList
    from scheduler_core.simulator.object_store import ObjectStore

ANNOTATION: Final = "kubernetes.io/limit-ranger"
_replace = msgspec.structs.replace


def admit_limit_range(limit_range: LimitRange) -> LimitRange:
    """Returns the LimitRange with the API's defaults."""
    limits = tuple(with_defaults(item) for item in limit_range.spec.limits)
    return _replace(limit_range, spec=_replace(limit_range.spec, limits=limits))


def with_defaults(item: LimitRangeItem) -> LimitRangeItem:
    """Returns bounds of containers with defaults: a limit from the maximum, a request from that or the minimum."""
    if item.type != "Container":
        return item
    default = {**item.max, **item.default}
    return _replace(item, default=default, default_request={**item.min, **default, **item.default_request})


def admit_limits(pod: Pod, store: ObjectStore, fields: dict[str, str]) -> Pod:
    """Returns the pod with the defaults of its namespace's LimitRanges, in order of their names."""
    for limit_range in store.list("LimitRange", pod.metadata.namespace):
        requests: ResourceList = {}
        limits: ResourceList = {}
        for item in map(with_defaults, limit_range.spec.limits):
            if item.type == "Container":
                requests = {**requests, **item.default_request}
                limits = {**limits, **item.default}
        if requests or limits:
            pod = _with_defaults(pod, ResourceRequirements(requests=requests, limits=limits), fields)
    return pod


def _with_defaults(pod: Pod, defaults: ResourceRequirements, fields: dict[str, str]) -> Pod:
    told: list[str] = []
    containers = tuple(_merged(item, defaults, "container", told) for item in pod.spec.containers)
    init_containers = tuple(
        _merged(item, defaults, "init container", told) for item in pod.spec.init_containers
    )
    if not told:
        return pod
    note = f"LimitRanger plugin set: {'; '.join(told)}"
    fields[f"metadata.annotations[{ANNOTATION}]"] = note
    annotations = {**pod.metadata.annotations, ANNOTATION: note}
    return _replace(
        pod,
        metadata=_replace(pod.metadata, annotations=annotations),
        spec=_replace(pod.spec, containers=containers, init_containers=init_containers),
    )


def _merged(container: Container, defaults: ResourceRequirements, what: str, told: list[str]) -> Container:
    own = container.resources
    for name, before, filled in (
        ("request", own.requests, defaults.requests),
        ("limit", own.limits, defaults.limits),
    ):
        if missing := sorted(filled.keys() - before.keys()):
            told.append(f"{', '.join(missing)} {name} for {what} {container.name}")
    resources = _replace(
        own, requests={**defaults.requests, **own.requests}, limits={**defaults.limits, **own.limits}
    )
    return container if resources == own else _replace(container, resources=resources)
