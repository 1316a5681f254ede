"""What an expectation must say to be of use, beyond the types of its fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from scheduler_core.api.explain import Fault
from scheduler_core.api.field_path import FieldPath, MapKey
from scheduler_core.api.kinds import KINDS
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.checks.expectations import (
    TYPES,
    DaemonSetGrowth,
    Expectation,
    ExpectationsDocument,
    Headroom,
    MaxSkew,
    NoWarnings,
    RollingUpdate,
    Selection,
)
from scheduler_core.checks.warning_kinds import WARNING_KINDS
from scheduler_core.checks.workload_size import MAKE_PODS
from scheduler_core.errors import DUPLICATE, FORBIDDEN, INVALID, NOT_SUPPORTED, REQUIRED

MAX_ORDERS: Final = 10_000
_ROLLED: Final = frozenset({"DaemonSet", "Deployment", "StatefulSet"})
_KINDS: Final = {info.kind: info for info in KINDS}


def faults_of(document: ExpectationsDocument) -> Iterator[Fault]:
    """Yields all that is wrong with a document whose fields have the right types."""
    spec = document.spec
    if spec.orders is not None and not 1 <= spec.orders <= MAX_ORDERS:
        yield Fault(("spec", "orders"), spec.orders, INVALID, f"must be between 1 and {MAX_ORDERS}")
    if spec.max_snapshot_age is not None and spec.max_snapshot_age <= 0:
        age = str(spec.max_snapshot_age)
        yield Fault(("spec", "maxSnapshotAge"), age, INVALID, "must be greater than 0")
    names: set[str] = set()
    for index, item in enumerate(spec.expectations):
        path: FieldPath = ("spec", "expectations", index)
        if item.name and item.name in names:
            yield Fault((*path, "name"), item.name, DUPLICATE, "")
        names.add(item.name)
        yield from _of_item(item, path)


def _of_item(item: Expectation, path: FieldPath) -> Iterator[Fault]:
    given = item.given()
    if not given:
        yield Fault(path, "", REQUIRED, f"must specify one of: {', '.join(TYPES)}")
    for extra in given[1:]:
        message = f"may not specify more than 1 expectation: there is {given[0]} already"
        yield Fault((*path, extra), "", FORBIDDEN, message)
    attributes = zip(item.__struct_fields__, item.__struct_encode_fields__, strict=True)
    for attribute, name in attributes:
        value = getattr(item, attribute)
        if name in given:
            yield from _of_expectation(value, (*path, name))


def _of_expectation(value: Any, path: FieldPath) -> Iterator[Fault]:
    if isinstance(value, Selection):
        yield from _workloads(value.workloads, MAKE_PODS, path)
        yield from _selector(value.selector, (*path, "selector"))
        if value.workloads and value.selector is not None:
            yield Fault((*path, "selector"), "", FORBIDDEN, "may not be given together with workloads")
        if value.namespace and value.selector is None:
            yield Fault((*path, "namespace"), "", FORBIDDEN, "is of use only with a selector")
    within = getattr(value, "within", None)
    if within is not None and within < 0:
        yield Fault((*path, "within"), str(within), INVALID, "must be greater than or equal to 0")
    if isinstance(value, MaxSkew):
        if not value.topology_key:
            yield Fault((*path, "topologyKey"), "", REQUIRED, "can not be empty")
        if value.max_skew < 0:
            yield Fault((*path, "maxSkew"), value.max_skew, INVALID, "must be greater than or equal to 0")
    elif isinstance(value, Headroom):
        yield from _headroom(value, path)
    elif isinstance(value, RollingUpdate):
        yield from _workloads(value.workloads, _ROLLED, path)
    elif isinstance(value, DaemonSetGrowth):
        yield from _workloads(value.workloads, frozenset({"DaemonSet"}), path)
        yield from _amounts(value.requests, (*path, "requests"))
    elif isinstance(value, NoWarnings):
        for index, kind in enumerate(value.kinds):
            if kind not in WARNING_KINDS:
                message = f"supported values: {', '.join(map(repr, WARNING_KINDS))}".replace("'", '"')
                yield Fault((*path, "kinds", index), kind, NOT_SUPPORTED, message)


def _headroom(value: Headroom, path: FieldPath) -> Iterator[Fault]:
    if not value.resources and value.pod is None:
        yield Fault(path, "", REQUIRED, "must specify one of: resources, pod")
    if value.per and not value.resources:
        yield Fault((*path, "per"), "", FORBIDDEN, "is of use only with resources")
    if value.count < 1:
        yield Fault((*path, "count"), value.count, INVALID, "must be greater than or equal to 1")
    yield from _amounts(value.resources, (*path, "resources"), needed=False)
    if value.pod is not None:
        yield from _amounts(value.pod.requests, (*path, "pod", "requests"))


def _amounts(resources: dict[str, Any], path: FieldPath, *, needed: bool = True) -> Iterator[Fault]:
    if needed and not resources:
        yield Fault(path, "", REQUIRED, 'an amount of at least one resource, such as {cpu: "1"}')
    for name, amount in resources.items():
        if amount.nanos < 0:
            yield Fault((*path, MapKey(name)), str(amount), INVALID, "must be greater than or equal to 0")


def _workloads(workloads: tuple[str, ...], kinds: frozenset[str], path: FieldPath) -> Iterator[Fault]:
    for index, text in enumerate(workloads):
        kind, *rest = text.split("/")
        if not 1 <= len(rest) <= 2 or not all(rest):
            message = 'expected "Kind/namespace/name", or "Kind/name" in the namespace "default"'
            yield Fault((*path, "workloads", index), text, INVALID, message)
        elif kind not in kinds:
            message = f"supported kinds: {', '.join(sorted(kinds))}"
            yield Fault((*path, "workloads", index), text, NOT_SUPPORTED, message)


def _selector(selector: LabelSelector | None, path: FieldPath) -> Iterator[Fault]:
    for index, requirement in enumerate(selector.match_expressions if selector else ()):
        if problem := requirement.problem():
            yield Fault((*path, "matchExpressions", index), requirement.operator, INVALID, problem)


def deletion_problem(text: str) -> str:
    """Returns why a text does not name an object to delete, or an empty text."""
    kind, *rest = text.split("/")
    info = _KINDS.get(kind)
    if not rest or not all(rest) or len(rest) > 2:
        return 'expected "Kind/namespace/name", or "Kind/name" for what is in no namespace'
    if info is None:
        return f'no kind "{kind}" is read here'
    if not info.namespaced and len(rest) == 2:
        return f"a {kind} is in no namespace: write {kind}/{rest[1]}"
    return ""
