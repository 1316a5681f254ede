"""What would be requested of each row with the pod on it, next to what the row offers, resource by resource.

Source: pkg/scheduler/framework/plugins/noderesources/resource_allocation.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np

from scheduler_core.api.pod_resources import (
    DEFAULT_MEMORY_REQUEST,
    DEFAULT_MILLI_CPU_REQUEST,
    has_pod_level_requests,
    pod_requests,
)
from scheduler_core.plugins.helper.numerics import truncated_quotient
from scheduler_core.snapshot.arrays import constant
from scheduler_core.snapshot.axes import BASE_RESOURCES, CPU, MEMORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.config.plugin_args import ResourceSpec
    from scheduler_core.snapshot.axes import ResourceAxis
    from scheduler_core.snapshot.node_infos import BoolArray, Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

_CPU_AND_MEMORY: Final = (CPU, MEMORY)
_NON_MISSING: Final = {"cpu": DEFAULT_MILLI_CPU_REQUEST, "memory": DEFAULT_MEMORY_REQUEST}


class Columns(NamedTuple):
    """Columns of a table of resources: a slice where they are its first ones, and how wide it has to be."""

    selector: slice | list[int]
    width: int

    @classmethod
    def of(cls, columns: Sequence[int]) -> Columns:
        """The columns with these numbers."""
        number = len(columns)
        if list(columns) == list(range(number)):
            return cls(slice(number), number)
        return cls(list(columns), max(columns, default=-1) + 1)


class PreScoreState:
    """The resources that count for this pod: their columns, what the pod requests, their weights.

    Shapes: requests int64[r, 1]; weights: r of them
    """

    __slots__ = ("column_numbers", "columns", "requests", "weights")

    def __init__(self, counted: Sequence[tuple[int, int, int]]) -> None:
        self.column_numbers = tuple(column for column, _, _ in counted)
        self.columns = Columns.of(self.column_numbers)
        self.requests: Int64Array = np.array([[amount] for _, amount, _ in counted], np.int64).reshape(-1, 1)
        self.weights = [weight for _, _, weight in counted]

    def clone(self) -> PreScoreState:
        """Itself: it is never changed."""
        return self


class Tables(msgspec.Struct, frozen=True):
    """What is requested and what is offered, of the resources that count.

    ``offered`` tells where a resource counts: it does not for rows that offer none of it, of which ``allocatable``
    says 1; None where every row offers all of them.

    Shapes: int64[r, n], int64[r, n], bool[r, n]
    """

    requested: Int64Array
    allocatable: Int64Array
    offered: BoolArray | None


class ResourceAllocation:
    """The resources that a score is made of, and how requests are counted.

    ``use_requested`` counts what is requested; else cpu and memory count with the defaults for containers
    that request none, and the incoming pod without its pod-level resources.
    """

    def __init__(self, resources: Iterable[ResourceSpec], *, use_requested: bool) -> None:
        self._resources = tuple((resource.name, resource.weight) for resource in resources)
        self._use_requested = use_requested

    def pre_score(self, pod: PodInfo, axis: ResourceAxis) -> PreScoreState:
        """What counts for a pod: cpu, memory and ephemeral storage always, others only if the pod wants them.

        A resource that the axis does not know is on no node and counts for none.
        """
        amounts = self._amounts(pod, axis)
        counted = []
        for name, weight in self._resources:
            column = axis.find(name)
            if column is not None and (name in BASE_RESOURCES or amounts.get(column)):
                counted.append((column, amounts.get(column, 0), weight))
        return PreScoreState(counted)

    def tables(self, nodes: NodeInfos, rows: RowIndex, pre_score: PreScoreState) -> Tables:
        """Requested, the pod included, next to what the rows offer."""
        columns = pre_score.columns
        if self._use_requested:
            requested = amounts_of(nodes.requested_at(rows), columns)
        elif pre_score.column_numbers == _CPU_AND_MEMORY:
            requested = nodes.non_zero_requested.T.take(rows, axis=1)
        else:
            requested = amounts_of(nodes.requested_at(rows), columns).copy()
            for index, column in enumerate(pre_score.column_numbers):
                if column in _CPU_AND_MEMORY:
                    requested[index] = nodes.non_zero_requested[:, column].take(rows)
        requested = requested + pre_score.requests
        allocatable = amounts_of(nodes.allocatable_at(rows), columns)
        if nodes.are_offered_everywhere(pre_score.column_numbers):
            return Tables(requested, allocatable, None)
        return Tables(requested, np.maximum(allocatable, 1), allocatable != 0)

    def _amounts(self, pod: PodInfo, axis: ResourceAxis) -> dict[int, int]:
        amounts = dict(pod.requests)
        if self._use_requested:
            return amounts
        if has_pod_level_requests(pod.pod) or has_statuses(pod):
            without = pod_requests(
                pod.pod,
                skip_pod_level_resources=True,
                use_status_resources=False,
                non_missing_container_requests=_NON_MISSING,
            )
            return dict(axis.pairs(without))
        amounts[CPU], amounts[MEMORY] = pod.non_zero_cpu, pod.non_zero_memory
        return amounts


def amounts_of(table: Int64Array, columns: Columns) -> Int64Array:
    """Amounts of some rows by resource; 0 where a resource has no column yet.

    Shapes: int64[resources, n], r columns → int64[r, n]
    """
    if columns.width > len(table):
        table = np.pad(table, ((0, columns.width - len(table)), (0, 0)))
    return table[columns.selector]


def truncated_shares(hundredfold: Int64Array, allocatable: Int64Array) -> Int64Array:
    """The shares in percent; a hundredfold over 2^63 is negative or wrong by as much, as in upstream.

    Shapes: int64[r, n], int64[r, n] above 0 → int64[r, n]

    Numerics: int64, truncated toward 0.
    """
    if hundredfold.min(initial=0) < 0:
        return truncated_quotient(hundredfold, allocatable)
    return hundredfold // allocatable


def weighted_mean(scores: Int64Array, offered: BoolArray | None, weights: Sequence[int]) -> Int64Array:
    """The mean of the scores by weight; a resource that a row does not offer does not count there.

    Shapes: scores int64[r, n], offered bool[r, n] or None for all of them, r weights → int64[n]

    Numerics: int64, truncated toward 0; scores are negative where a share has overflowed.
    """
    if offered is None:
        return truncated_shares(weighted_sum(scores, weights), constant(max(sum(weights), 1)))
    total, weight = weighted_sum(scores * offered, weights), weighted_sum(offered, weights)
    return np.where(weight == 0, 0, truncated_shares(total, np.maximum(weight, 1)))


def weighted_sum(scores: Int64Array | BoolArray, weights: Sequence[int]) -> Int64Array:
    """The sum of the scores by weight; for few resources faster than a product of matrices.

    Shapes: scores int64[r, n] or bool[r, n], r weights → int64[n]
    """
    if len(weights) == 2 and weights[0] == weights[1] == 1 and scores.dtype == np.int64:
        both: Int64Array = scores[0] + scores[1]
        return both
    total = np.zeros(scores.shape[1], np.int64)
    for line, weight in zip(scores, weights, strict=True):
        total += line * weight
    return total


def has_statuses(pod: PodInfo) -> bool:
    """Whether the kubelet reports on the pod's containers: their requests may differ from the spec's."""
    status = pod.pod.status
    return bool(status.container_statuses or status.init_container_statuses)
