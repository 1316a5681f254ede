"""What a pod asks of a node, all its containers taken together.

Source: component-helpers/resource/helpers.go, PodRequests, v1.34.1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from scheduler_core.api.containers import Container, ContainerStatus
from scheduler_core.api.pod import Pod, PodSpec
from scheduler_core.api.quantity import Quantity
from scheduler_core.api.resources import CPU, ResourceList, is_pod_level_resource

DEFAULT_MILLI_CPU_REQUEST = 100
DEFAULT_MEMORY_REQUEST = 200 * 1024 * 1024

_RESIZE_PENDING = "PodResizePending"
_INFEASIBLE = "Infeasible"

_Amounts = dict[str, Quantity]


def pod_requests(
    pod: Pod,
    *,
    exclude_overhead: bool = False,
    skip_pod_level_resources: bool = False,
    use_status_resources: bool = True,
    non_missing_container_requests: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Returns a pod's requests: what its containers need together and while starting, and its overhead.

    Args:
        pod: a pod with the API's defaults.
        exclude_overhead: leaves out what the runtime takes.
        skip_pod_level_resources: leaves out `spec.resources`.
        use_status_resources: during a resize takes the larger of what is asked and what is allocated, of containers and
            sidecars; of init containers that end the request always counts.
        non_missing_container_requests: for containers that do not mention a resource; units as returned.

    Returns:
        Amount by resource: cpu in milli, everything else in whole units, rounded up.
    """
    defaults = {
        name: _quantity(name, amount) for name, amount in (non_missing_container_requests or {}).items()
    }
    requests = _effective_requests(pod, use_status_resources, defaults)
    if not skip_pod_level_resources and pod.spec.resources is not None:
        for name, quantity in pod.spec.resources.requests.items():
            if is_pod_level_resource(name):
                requests[name] = quantity
    if not exclude_overhead:
        _add(requests, pod.spec.overhead)
    return to_ints(requests)


def container_requests(spec: PodSpec) -> dict[str, Quantity]:
    """Returns what the containers ask for together, before any defaults."""
    return _aggregate(spec, lambda container, _: container.resources.requests)


def container_limits(spec: PodSpec) -> dict[str, Quantity]:
    """Returns what the containers may use together."""
    return _aggregate(spec, lambda container, _: container.resources.limits)


def has_pod_level_requests(pod: Pod) -> bool:
    """Returns whether the pod as a whole asks for a resource."""
    resources = pod.spec.resources
    return resources is not None and any(is_pod_level_resource(name) for name in resources.requests)


def to_ints(resources: Mapping[str, Quantity]) -> dict[str, int]:
    """Returns amounts as the scheduler counts them: cpu in milli, all else in whole units, rounded up."""
    return {
        name: quantity.milli_value() if name == CPU else quantity.value()
        for name, quantity in resources.items()
    }


def is_resize_infeasible(pod: Pod) -> bool:
    """Returns whether the kubelet said that a resize can never be granted."""
    for condition in pod.status.conditions:
        if condition.type == _RESIZE_PENDING:
            return condition.reason == _INFEASIBLE
    return False


def has_same_amounts(one: Pod, other: Pod) -> bool:
    """Returns whether two states of a pod share everything that its requests are made of."""
    mine, theirs = one.status, other.status
    if (
        one.spec is not other.spec
        or mine.container_statuses is not theirs.container_statuses
        or mine.init_container_statuses is not theirs.init_container_statuses
    ):
        return False
    has_statuses = bool(mine.container_statuses or mine.init_container_statuses)
    return not has_statuses or is_resize_infeasible(one) == is_resize_infeasible(other)


def _effective_requests(pod: Pod, use_status: bool, defaults: _Amounts) -> _Amounts:
    statuses: dict[str, ContainerStatus] = {}
    if use_status:
        for status in (*pod.status.container_statuses, *pod.status.init_container_statuses):
            statuses[status.name] = status
    infeasible = bool(statuses) and is_resize_infeasible(pod)

    def requests_of(container: Container, is_plain_init: bool) -> Mapping[str, Quantity]:
        requests: Mapping[str, Quantity] = container.resources.requests
        status = None if is_plain_init else statuses.get(container.name)
        if status is not None and status.resources is not None:
            asked = () if infeasible else (requests,)
            requests = _maximum((*asked, status.resources.requests, status.allocated_resources or {}))
        return {**defaults, **requests} if defaults else requests

    return _aggregate(pod.spec, requests_of)


def _aggregate(spec: PodSpec, amounts_of: Callable[[Container, bool], Mapping[str, Quantity]]) -> _Amounts:
    """Adds up what ``amounts_of`` says of each container; it is told which are init containers that end."""
    total: _Amounts = {}
    for container in spec.containers:
        _add(total, amounts_of(container, False))
    if spec.init_containers:
        inits = (
            (init.is_sidecar(), amounts_of(init, not init.is_sidecar())) for init in spec.init_containers
        )
        _add_init_containers(total, inits)
    return total


def _add_init_containers(total: _Amounts, containers: Iterable[tuple[bool, Mapping[str, Quantity]]]) -> None:
    """Raises the total to the highest need while starting; a sidecar counts from its start to the end."""
    sidecars: _Amounts = {}
    peak: _Amounts = {}
    for is_sidecar, requests in containers:
        if is_sidecar:
            _add(total, requests)
            _add(sidecars, requests)
            need = sidecars
        else:
            need = dict(requests)
            _add(need, sidecars)
        _raise_to(peak, need)
    _raise_to(total, peak)


def _add(total: _Amounts, more: Mapping[str, Quantity]) -> None:
    for name, quantity in more.items():
        total[name] = total[name] + quantity if name in total else quantity


def _raise_to(total: _Amounts, other: Mapping[str, Quantity]) -> None:
    for name, quantity in other.items():
        if name not in total or quantity > total[name]:
            total[name] = quantity


def _maximum(lists: Iterable[ResourceList]) -> _Amounts:
    result: _Amounts = {}
    for resources in lists:
        _raise_to(result, resources)
    return result


def _quantity(name: str, amount: int) -> Quantity:
    return Quantity.from_milli(amount) if name == CPU else Quantity.from_int(amount)
