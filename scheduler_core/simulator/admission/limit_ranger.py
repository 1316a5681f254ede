"""LimitRanger's second half: bounds on containers, pods and claims.

Source: plugin/pkg/admission/limitranger/admission.go, PodValidateLimitFunc, minConstraint and its like, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.api.quantity import Quantity
from scheduler_core.simulator.admission.pod_totals import pod_limits, pod_requests
from scheduler_core.simulator.api_server.interface import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.quotas import LimitRangeItem
    from scheduler_core.api.resources import ResourceList
    from scheduler_core.api.storage import PersistentVolumeClaim
    from scheduler_core.simulator.object_store import ObjectStore


def check_limits(pod: Pod, store: ObjectStore) -> None:
    """Holds a pod to its namespace's bounds.

    Raises:
        Refusal: with all bounds of the first LimitRange that it breaks.
    """
    for limit_range in store.list("LimitRange", pod.metadata.namespace):
        _refuse([text for item in limit_range.spec.limits for text in _of_pod(item, pod)])


def check_claim_limits(claim: PersistentVolumeClaim, store: ObjectStore) -> None:
    """Holds a claim to its namespace's bounds.

    Raises:
        Refusal: with all bounds of the first LimitRange that it breaks.
    """
    asked = claim.spec.resources.requests
    for limit_range in store.list("LimitRange", claim.metadata.namespace):
        texts: list[str] = []
        for item in limit_range.spec.limits:
            if item.type == "PersistentVolumeClaim":
                texts += _minimum(item, asked, {})
                texts += _maximum_request(item, asked)
        _refuse(texts)


def _refuse(texts: list[str]) -> None:
    """Upstream's aggregate names each cause once."""
    causes = list(dict.fromkeys(texts))
    if causes:
        raise Refusal(causes[0] if len(causes) == 1 else f"[{', '.join(causes)}]")


def _of_pod(item: LimitRangeItem, pod: Pod) -> Iterator[str]:
    if item.type == "Container":
        for container in (*pod.spec.containers, *pod.spec.init_containers):
            yield from _bounds(item, container.resources.requests, container.resources.limits)
    elif item.type == "Pod":
        yield from _bounds(item, pod_requests(pod.spec), pod_limits(pod.spec))


def _bounds(item: LimitRangeItem, requests: ResourceList, limits: ResourceList) -> Iterator[str]:
    yield from _minimum(item, requests, limits)
    yield from _maximum(item, requests, limits)
    yield from _ratio(item, requests, limits)


def _minimum(item: LimitRangeItem, requests: ResourceList, limits: ResourceList) -> Iterator[str]:
    for name, bound in sorted(item.min.items()):
        head = f"minimum {name} usage per {item.type} is {bound}"
        if name not in requests:
            yield f"{head}.  No request is specified"
        elif requests[name] < bound:
            yield f"{head}, but request is {requests[name]}"
        elif name in limits and limits[name] < bound:
            yield f"{head}, but limit is {limits[name]}"


def _maximum(item: LimitRangeItem, requests: ResourceList, limits: ResourceList) -> Iterator[str]:
    for name, bound in sorted(item.max.items()):
        head = f"maximum {name} usage per {item.type} is {bound}"
        if name not in limits:
            yield f"{head}.  No limit is specified"
        elif limits[name] > bound:
            yield f"{head}, but limit is {limits[name]}"
        elif name in requests and requests[name] > bound:
            yield f"{head}, but request is {requests[name]}"


def _maximum_request(item: LimitRangeItem, requests: ResourceList) -> Iterator[str]:
    for name, bound in sorted(item.max.items()):
        head = f"maximum {name} usage per {item.type} is {bound}"
        if name not in requests:
            yield f"{head}.  No request is specified"
        elif requests[name] > bound:
            yield f"{head}, but request is {requests[name]}"


def _ratio(item: LimitRangeItem, requests: ResourceList, limits: ResourceList) -> Iterator[str]:
    nothing = Quantity(0)
    for name, bound in sorted(item.max_limit_request_ratio.items()):
        head = f"{name} max limit to request ratio per {item.type} is {bound}"
        request, limit = requests.get(name, nothing), limits.get(name, nothing)
        if request.is_zero():
            yield f"{head}, but no request is specified or request is 0"
        elif limit.is_zero():
            yield f"{head}, but no limit is specified or limit is 0"
        elif limit.nanos / request.nanos > bound.nanos / 10**9:
            yield f"{head}, but provided ratio is {limit.nanos / request.nanos:f}"
