"""Requests and limits of containers and pods, and what nodes have.

Source: pkg/apis/core/validation/validation.go, validateResourceRequirements, ValidateResourceQuantityValue,
validatePodResources; pkg/apis/core/helper/helpers.go, v1.34.1
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from scheduler_core.api.field_path import FieldPath, MapKey, format_path
from scheduler_core.api.name_syntax import (
    is_extended_resource,
    is_native_resource,
    qualified_name_problems,
)
from scheduler_core.api.pod import PodSpec
from scheduler_core.api.pod_resources import container_requests
from scheduler_core.api.quantity import Quantity, QuantityError, parse_quantity
from scheduler_core.api.resources import (
    CPU,
    EPHEMERAL_STORAGE,
    HUGEPAGES_PREFIX,
    MEMORY,
    PODS,
    ResourceList,
    ResourceRequirements,
    is_pod_level_resource,
)
from scheduler_core.api.validation.rules import (
    NEGATIVE,
    NOT_INTEGER,
    Faults,
    all_invalid,
    duplicate,
    forbidden,
    invalid,
    not_found,
    one_of,
    required,
)

NameRule: TypeAlias = Callable[[str, FieldPath], Faults]

_OBJECT_COUNTS = frozenset(
    {PODS, "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps"}
    | {"persistentvolumeclaims", "services.nodeports", "services.loadbalancers"}
)
_CONTAINER_RESOURCES = frozenset({CPU, MEMORY, EPHEMERAL_STORAGE})
_QUOTA_RESOURCES = frozenset(
    f"{kind}.{name}" for kind in ("requests", "limits") for name in _CONTAINER_RESOURCES
)
_STANDARD_RESOURCES = (
    _CONTAINER_RESOURCES | _OBJECT_COUNTS | _QUOTA_RESOURCES | {"storage", "requests.storage"}
)
_POD_LEVEL_RESOURCES = (CPU, HUGEPAGES_PREFIX, MEMORY)


def validate_quantity(name: str, quantity: Quantity, path: FieldPath) -> Faults:
    """Yields what is wrong with an amount: negative, or a part of what comes in wholes."""
    if quantity.nanos < 0:
        yield invalid(path, str(quantity), NEGATIVE)
    if (name in _OBJECT_COUNTS or is_extended_resource(name)) and quantity.milli_value() % 1000:
        yield invalid(path, str(quantity), NOT_INTEGER)


def validate_non_negative(resources: ResourceList, path: FieldPath) -> Faults:
    """Yields the amounts that are negative: what would make every later sum wrong."""
    for name, quantity in resources.items():
        if quantity.nanos < 0:
            yield invalid((*path, MapKey(name)), str(quantity), NEGATIVE)


def container_resource_name(name: str, path: FieldPath) -> Faults:
    """Yields what is wrong with the name of a resource that a container asks for."""
    yield from _resource_name(name, path)
    if "/" not in name:
        if name not in _CONTAINER_RESOURCES and not name.startswith(HUGEPAGES_PREFIX):
            yield invalid(path, name, "must be a standard resource for containers")
    elif not is_native_resource(name) and not is_extended_resource(name):
        yield invalid(path, name, "doesn't follow extended resource name standard")


def pod_resource_name(name: str, path: FieldPath) -> Faults:
    """Yields what is wrong with the name of a resource that a pod asks for as a whole."""
    faults = list(_resource_name(name, path))
    yield from faults
    if not faults and not is_pod_level_resource(name):
        yield from one_of(path, name, _POD_LEVEL_RESOURCES)


def _resource_name(name: str, path: FieldPath) -> Faults:
    problems = qualified_name_problems(name)
    yield from all_invalid(path, name, problems)
    if problems or "/" in name:
        return
    if name not in _STANDARD_RESOURCES and not name.removeprefix("requests.").startswith(HUGEPAGES_PREFIX):
        yield invalid(path, name, "must be a standard resource type or fully qualified")


def validate_requirements(
    resources: ResourceRequirements,
    path: FieldPath,
    name_rule: NameRule = container_resource_name,
    claim_names: Collection[str] = (),
) -> Faults:
    """Yields what is wrong with requests and limits, each by itself and against each other."""
    for field, amounts in (("limits", resources.limits), ("requests", resources.requests)):
        for name, quantity in amounts.items():
            at = (*path, field, MapKey(name))
            yield from name_rule(name, at)
            yield from validate_quantity(name, quantity, at)
            yield from _validate_pages(name, quantity, at)
    for name, quantity in resources.requests.items():
        yield from _validate_request(name, quantity, resources.limits.get(name), path)
    asked = {*resources.limits, *resources.requests}
    if any(name.startswith(HUGEPAGES_PREFIX) for name in asked) and not asked & {CPU, MEMORY}:
        yield forbidden(path, "HugePages require cpu or memory")
    yield from _validate_claims(resources, (*path, "claims"), claim_names)


def _validate_request(name: str, request: Quantity, limit: Quantity | None, path: FieldPath) -> Faults:
    """Yields whether a request is above its limit, or not at it where nothing may be overcommitted."""
    overcommits = is_native_resource(name) and not name.startswith(HUGEPAGES_PREFIX)
    at, field = (*path, "requests", MapKey(name)), format_path((*path, "requests"))
    if limit is None:
        if not overcommits:
            yield required((*path, "limits"), "Limit must be set for non overcommitable resources")
    elif request != limit and not overcommits:
        yield invalid(at, str(request), f"must be equal to {name} limit of {limit}", field=field)
    elif request > limit:
        message = f"must be less than or equal to {name} limit of {limit}"
        yield invalid(at, str(request), message, field=field)


def _validate_pages(name: str, quantity: Quantity, path: FieldPath) -> Faults:
    if not name.startswith(HUGEPAGES_PREFIX):
        return
    try:
        size = parse_quantity(name.removeprefix(HUGEPAGES_PREFIX))
    except QuantityError:
        size = Quantity(0)
    if size.nanos <= 0 or size.milli_value() % 1000 or quantity.value() % size.value():
        yield invalid(path, str(quantity), f"{quantity} is not positive integer multiple of {name}")


def _validate_claims(resources: ResourceRequirements, path: FieldPath, known: Collection[str]) -> Faults:
    seen: set[tuple[str, str]] = set()
    listed = f": {', '.join(sorted(known))}" if known else " which is empty"
    for index, claim in enumerate(resources.claims):
        at = (*path, index)
        if not claim.name:
            yield required(at)
            continue
        if (claim.name, claim.request) in seen:
            yield duplicate(at, claim.name)
        seen.add((claim.name, claim.request))
        if claim.name not in known:
            yield not_found(at, claim.name, f"must be one of the names in pod.spec.resourceClaims{listed}")


def validate_pod_level(spec: PodSpec, path: FieldPath) -> Faults:
    """Yields what is wrong with what a pod asks for as a whole, also against its containers."""
    resources = spec.resources
    if resources is None:
        return
    if resources.claims:
        yield forbidden((*path, "claims"), "claims cannot be set for Resources at pod-level")
    without_claims = ResourceRequirements(requests=resources.requests, limits=resources.limits)
    yield from validate_requirements(without_claims, path, pod_resource_name)
    for name, sum_ in container_requests(spec).items():
        request = resources.requests.get(name)
        if request is not None and sum_ > request:
            message = f"must be greater than or equal to aggregate container requests of {sum_}"
            yield invalid((*path, "requests", MapKey(name)), str(request), message)
    for index, container in enumerate(spec.containers):
        for name, limit in container.resources.limits.items():
            whole = resources.limits.get(name)
            if whole is not None and limit > whole:
                # The field is upstream's: below the pod's own resources.
                field = format_path((*path, "containers", index, MapKey(name), "limits"))
                at = (*path[:-1], "containers", index, "resources", "limits", MapKey(name))
                message = f"must be less than or equal to pod limits of {whole}"
                yield invalid(at, str(limit), message, field=field)
