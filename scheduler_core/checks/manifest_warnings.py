"""What looks wrong in the manifests of a check, each warning with its kind and the field it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scheduler_core.api.explain import unknown_fields
from scheduler_core.api.field_path import FieldPath, format_path
from scheduler_core.api.kinds import object_key
from scheduler_core.api.policy import PodDisruptionBudget
from scheduler_core.api.selectors import SelectorError, selector_matches
from scheduler_core.checks.blocking import pod_spec_path, value_at
from scheduler_core.checks.change import Change, FieldRef
from scheduler_core.checks.warning_kinds import WARNING_KINDS

if TYPE_CHECKING:
    from scheduler_core.api.collect import LoadedObject
    from scheduler_core.api.manifest import Loaded
    from scheduler_core.checks.cluster_state import ClusterState

_BUILT_IN_PRIORITIES: Final = frozenset({"", "system-cluster-critical", "system-node-critical"})
_NEEDED: Final = ("cpu", "memory")
_ALL: Final = "100%"
_UNKNOWN: Final = "unknown field"


class Warned(NamedTuple):
    """A warning before its place is looked up."""

    kind: str
    message: str
    ref: FieldRef | None = None


def warnings_of(change: Change, loaded: Loaded, state: ClusterState) -> list[Warned]:
    """Returns all that looks wrong.

    Args:
        change: the objects.
        loaded: how they were read.
        state: the cluster with them in it.
    """
    found = [Warned("Suspicious", each) for each in loaded.warnings if not each.startswith(_UNKNOWN)]
    for kind, number in loaded.skipped.items():
        found.append(Warned("NotRead", f"{number} {kind} bears on no decision and is passed over"))
    for item in change.apply:
        found.extend(_of_object(item, state))
    for denied in state.facts.denied:
        found.append(Warned("Refused", f"{denied.object}: {denied.message}"))
    assert all(each.kind in WARNING_KINDS for each in found)
    return found


def _of_object(item: LoadedObject, state: ClusterState) -> Iterator[Warned]:
    raw = item.raw
    for unknown in unknown_fields(raw, type(item.object)):
        yield Warned("UnknownField", f'unknown field "{format_path(unknown)}"', FieldRef(item.key, unknown))
    base = pod_spec_path(item.kind)
    spec = value_at(raw, base)
    if isinstance(item.object, PodDisruptionBudget):
        yield from _of_budget(item, item.object, state)
    elif isinstance(spec, dict) and isinstance(spec.get("containers"), list):
        yield from _of_spec(item, spec, base, state)
    if item.kind == "Pod" and item.object.metadata.controller() is None:
        yield Warned(
            "BarePod", "no controller makes this pod again when its node goes", FieldRef(item.key, ("kind",))
        )
    for index, template in enumerate(value_at(raw, ("spec", "volumeClaimTemplates")) or ()):
        storage_class = value_at(template, ("spec", "storageClassName"))
        path: FieldPath = ("spec", "volumeClaimTemplates", index, "spec", "storageClassName")
        yield from _of_storage_class(storage_class, FieldRef(item.key, path), state)
    if item.kind == "PersistentVolumeClaim" and not value_at(raw, ("spec", "volumeName")):
        path = ("spec", "storageClassName")
        yield from _of_storage_class(value_at(raw, path), FieldRef(item.key, path), state)


def _of_spec(
    item: LoadedObject, spec: Mapping[str, Any], base: FieldPath, state: ClusterState
) -> Iterator[Warned]:
    for index, container in enumerate(spec["containers"]):
        path = (*base, "containers", index)
        asked = {*(value_at(container, ("resources", "requests")) or ())}
        asked |= {*(value_at(container, ("resources", "limits")) or ())}
        missing = [name for name in _NEEDED if name not in asked]
        if missing:
            name = container.get("name", index)
            message = f"container {name} requests no {' and no '.join(missing)}"
            yield Warned("NoRequests", message, FieldRef(item.key, path))
    name = spec.get("priorityClassName", "")
    if name not in _BUILT_IN_PRIORITIES and object_key("PriorityClass", "", name) not in state.by_key:
        message = f"priority class {name} does not exist"
        yield Warned("MissingPriorityClass", message, FieldRef(item.key, (*base, "priorityClassName")))
    for index, volume in enumerate(spec.get("volumes") or ()):
        claim = value_at(volume, ("persistentVolumeClaim", "claimName"))
        if claim and object_key("PersistentVolumeClaim", item.namespace, claim) not in state.by_key:
            path = (*base, "volumes", index, "persistentVolumeClaim", "claimName")
            yield Warned(
                "MissingClaim", f"claim {item.namespace}/{claim} does not exist", FieldRef(item.key, path)
            )
    node = spec.get("nodeName")
    if node and node not in state.nodes:
        yield Warned("NodeMissing", f"node {node} is not there", FieldRef(item.key, (*base, "nodeName")))


def _of_storage_class(name: Any, ref: FieldRef, state: ClusterState) -> Iterator[Warned]:
    if name is None:
        classes = [each for each in state.objects if each.kind == "StorageClass"]
        if not any(_is_default(each.metadata.annotations) for each in classes):
            yield Warned("MissingStorageClass", "no storage class is the default one", ref)
    elif name and object_key("StorageClass", "", name) not in state.by_key:
        yield Warned("MissingStorageClass", f"storage class {name} does not exist", ref)


def _is_default(annotations: Mapping[str, str]) -> bool:
    return annotations.get("storageclass.kubernetes.io/is-default-class") == "true"


def _of_budget(item: LoadedObject, budget: PodDisruptionBudget, state: ClusterState) -> Iterator[Warned]:
    spec = budget.spec
    try:
        number = sum(
            pod.metadata.namespace == item.namespace and selector_matches(spec.selector, pod.metadata.labels)
            for pod in state.pods.values()
        )
    except SelectorError:
        return
    if not number:
        ref = FieldRef(item.key, ("spec", "selector"))
        yield Warned("BudgetSelectsNothing", "the budget selects no pod", ref)
    elif spec.max_unavailable in (0, "0%"):
        ref = FieldRef(item.key, ("spec", "maxUnavailable"))
        yield Warned(
            "BudgetBlocksEviction", "the budget allows no eviction: its nodes cannot be drained", ref
        )
    elif spec.min_available == _ALL or (isinstance(spec.min_available, int) and spec.min_available >= number):
        ref = FieldRef(item.key, ("spec", "minAvailable"))
        yield Warned(
            "BudgetBlocksEviction", "the budget allows no eviction: its nodes cannot be drained", ref
        )
