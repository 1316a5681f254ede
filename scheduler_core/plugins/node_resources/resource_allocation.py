"""What would be requested of each row with the pod on it, next to what the row offers, resource by resource.

Source: pkg/scheduler/framework/plugins/noderesources/resource_allocation.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scheduler_core.api.pod_resources import (
    DEFAULT_MEMORY_REQUEST,
    DEFAULT_MILLI_CPU_REQUEST,
    has_pod_level_requests,
    pod_requests,
)
from scheduler_core.snapshot.axes import CPU, MEMORY, is_scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scheduler_core.config.plugin_args import ResourceSpec
    from scheduler_core.snapshot.axes import ResourceAxis
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

_NON_MISSING: Final = {"cpu": DEFAULT_MILLI_CPU_REQUEST, "memory": DEFAULT_MEMORY_REQUEST}


class PreScoreState:
    """The pod's requests, in the order of the resources that are scored."""

    __slots__ = ("requests",)

    def __init__(self, requests: tuple[int, ...]) -> None:
        self.requests = requests

    def clone(self) -> PreScoreState:
        """Itself: it is never changed."""
        return self


class ResourceAllocation:
    """The resources that a score is made of, and how requests are counted.

    ``use_requested`` counts what is requested; else cpu and memory count with the defaults for containers
    that request none, and the incoming pod without its pod-level resources.
    """

    def __init__(self, resources: Iterable[ResourceSpec], *, use_requested: bool) -> None:
        resources = tuple(resources)
        self.names = tuple(resource.name for resource in resources)
        self.weights: Int64Array = np.array([resource.weight for resource in resources], np.int64)
        self._use_requested = use_requested

    def pod_requests(self, pod: PodInfo, axis: ResourceAxis) -> tuple[int, ...]:
        """What the pod counts for, by resource; cpu in milli-cores, else the resource's unit."""
        if self._use_requested:
            amounts: Mapping[str, int] = {axis.names[column]: amount for column, amount in pod.requests}
        elif has_pod_level_requests(pod.pod) or has_statuses(pod):
            amounts = pod_requests(
                pod.pod,
                skip_pod_level_resources=True,
                use_status_resources=False,
                non_missing_container_requests=_NON_MISSING,
            )
        else:
            amounts = {axis.names[column]: amount for column, amount in pod.requests}
            amounts |= {"cpu": pod.non_zero_cpu, "memory": pod.non_zero_memory}
        return tuple(amounts.get(name, 0) for name in self.names)

    def tables(
        self, nodes: NodeInfos, rows: RowIndex, pod_requests: tuple[int, ...]
    ) -> tuple[Int64Array, Int64Array]:
        """Requested, the pod included, and allocatable; both 0 where a resource does not count for a row.

        Shapes: int64[number of resources, len(rows)] each
        """
        shape = (len(self.names), len(rows))
        requested, allocatable = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        width = nodes.allocatable.shape[1]
        for index, (name, request) in enumerate(zip(self.names, pod_requests, strict=True)):
            column = nodes.axis.find(name)
            if column is None or column >= width or (request == 0 and is_scalar(name)):
                continue
            if column in (CPU, MEMORY) and not self._use_requested:
                used = nodes.non_zero_requested[rows, column]
            else:
                used = nodes.requested[rows, column]
            allocatable[index] = nodes.allocatable[rows, column]
            requested[index] = np.where(allocatable[index] == 0, 0, used + request)
        return requested, allocatable


def weighted_mean(scores: Int64Array, counts: np.ndarray, weights: Int64Array) -> Int64Array:
    """The mean of the scores that count, by weight; 0 for a row without any.

    Shapes: scores int64[resources, n], counts bool[resources, n], weights int64[resources] → int64[n]
    """
    total = (scores * weights[:, np.newaxis] * counts).sum(axis=0)
    weight = (counts * weights[:, np.newaxis]).sum(axis=0)
    return np.where(weight == 0, 0, total // np.maximum(weight, 1))


def has_statuses(pod: PodInfo) -> bool:
    """Whether the kubelet reports on the pod's containers: their requests may differ from the spec's."""
    status = pod.pod.status
    return bool(status.container_statuses or status.init_container_statuses)
