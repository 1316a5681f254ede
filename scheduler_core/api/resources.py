"""Requests and limits, and the names of the resources that have rules of their own."""

from __future__ import annotations

from typing import TypeAlias

from scheduler_core.api.meta import KubeStruct
from scheduler_core.api.quantity import Quantity

CPU = "cpu"
MEMORY = "memory"
EPHEMERAL_STORAGE = "ephemeral-storage"
PODS = "pods"
HUGEPAGES_PREFIX = "hugepages-"

ResourceList: TypeAlias = dict[str, Quantity]


class ResourceClaimEntry(KubeStruct, frozen=True, kw_only=True):
    """The use of one of the pod's resource claims by a container."""

    other_fields = frozenset()

    name: str = ""
    request: str = ""


class ResourceRequirements(KubeStruct, frozen=True, kw_only=True):
    """What a container or a pod asks for and may not exceed."""

    other_fields = frozenset()

    requests: ResourceList = {}
    limits: ResourceList = {}
    claims: tuple[ResourceClaimEntry, ...] = ()


def is_pod_level_resource(name: str) -> bool:
    """Returns whether a pod as a whole may ask for the resource."""
    return name in (CPU, MEMORY) or name.startswith(HUGEPAGES_PREFIX)
