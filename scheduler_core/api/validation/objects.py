"""Rules checked on every object that is read.

Source: pkg/apis/core/validation/validation.go, v1.34.1
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.api.explain import Fault
from scheduler_core.api.field_path import FieldPath, MapKey
from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.meta import ObjectMeta
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.resources import ResourceList, ResourceRequirements
from scheduler_core.errors import INVALID, REQUIRED

NEGATIVE = "must be greater than or equal to 0"


def validate(obj: KubeObject) -> Iterator[Fault]:
    """Yields what is wrong with an object that has the right types."""
    yield from _validate_name(obj.metadata)
    if isinstance(obj, Pod):
        yield from _validate_pod(obj)
    elif isinstance(obj, Node):
        yield from _non_negative(obj.status.capacity, ("status", "capacity"), as_field=True)
        yield from _non_negative(obj.status.allocatable, ("status", "allocatable"), as_field=True)


def _validate_name(metadata: ObjectMeta) -> Iterator[Fault]:
    if not metadata.name and not metadata.generate_name:
        yield Fault(("metadata", "name"), "", REQUIRED, "name or generateName is required")


def _validate_pod(pod: Pod) -> Iterator[Fault]:
    spec = pod.spec
    for field, containers in (("containers", spec.containers), ("initContainers", spec.init_containers)):
        for index, container in enumerate(containers):
            yield from _validate_resources(container.resources, ("spec", field, index, "resources"))
    if spec.resources is not None:
        yield from _validate_resources(spec.resources, ("spec", "resources"))
    for name, quantity in spec.overhead.items():
        if quantity.nanos < 0:
            path = ("spec", "overhead", MapKey(name))
            yield Fault(path, str(quantity), INVALID, NEGATIVE, f"spec.overhead.limits[{name}]")


def _validate_resources(resources: ResourceRequirements, path: FieldPath) -> Iterator[Fault]:
    yield from _non_negative(resources.limits, (*path, "limits"))
    yield from _non_negative(resources.requests, (*path, "requests"))


def _non_negative(resources: ResourceList, path: FieldPath, *, as_field: bool = False) -> Iterator[Fault]:
    for name, quantity in resources.items():
        if quantity.nanos < 0:
            yield Fault((*path, name if as_field else MapKey(name)), str(quantity), INVALID, NEGATIVE)
