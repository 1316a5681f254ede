"""The resource axis: which column of a resource matrix stands for which resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

CPU: Final = 0
MEMORY: Final = 1
EPHEMERAL_STORAGE: Final = 2
NUM_BASE_RESOURCES: Final = 3
BASE_RESOURCES: Final = ("cpu", "memory", "ephemeral-storage")
PODS: Final = "pods"

_HUGEPAGES_PREFIX: Final = "hugepages-"
_VOLUME_PREFIX: Final = "attachable-volumes-"
_NATIVE_DOMAIN: Final = "kubernetes.io/"
_REQUESTS_PREFIX: Final = "requests."


def is_native(name: str) -> bool:
    """Whether a resource is Kubernetes' own (no domain, or a domain of kubernetes.io)."""
    return "/" not in name or _NATIVE_DOMAIN in name


def is_extended(name: str) -> bool:
    """Whether a resource is an extended one, such as ``nvidia.com/gpu``.

    Source: pkg/apis/core/v1/helper/helpers.go, IsExtendedResourceName, v1.34.1
    """
    return not is_native(name) and not name.startswith(_REQUESTS_PREFIX)


def is_scalar(name: str) -> bool:
    """Whether the scheduler counts a resource besides cpu, memory, ephemeral storage and pods.

    Source: pkg/scheduler/util/pod_resources.go and helper.IsScalarResourceName, v1.34.1
    """
    return (
        is_extended(name)
        or name.startswith((_HUGEPAGES_PREFIX, _VOLUME_PREFIX))
        or (_NATIVE_DOMAIN in name and "/" in name)
    )


class ResourceAxis:
    """Resource name ↔ column. Columns are only ever added, so a number stays valid for a whole run.

    cpu is in milli-cores, everything else in the resource's own unit (bytes, pieces).
    """

    __slots__ = ("_columns", "names")

    def __init__(self) -> None:
        self.names: list[str] = list(BASE_RESOURCES)
        self._columns: dict[str, int] = {name: index for index, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def column(self, name: str) -> int:
        """The column of a resource, made when it is new."""
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = len(self.names)
            self.names.append(name)
        return column

    def find(self, name: str) -> int | None:
        """The column of a resource, or None if nothing has named it yet."""
        return self._columns.get(name)

    def pairs(self, amounts: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
        """Amounts by name as (column, amount), in column order, of resources that the scheduler counts."""
        found = [
            (self.column(name), amount)
            for name, amount in amounts.items()
            if name in BASE_RESOURCES or is_scalar(name)
        ]
        found.sort()
        return tuple(found)
