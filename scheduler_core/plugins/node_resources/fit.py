"""Keeps pods off nodes that lack what they request, and scores the others by what is left or used.

Source: pkg/scheduler/framework/plugins/noderesources/fit.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.api.pod_resources import has_pod_level_requests, pod_requests
from scheduler_core.config.plugin_args import NodeResourcesFitArgs, ScoringStrategy
from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
)
from scheduler_core.framework.status import Status, unresolvable, unschedulable
from scheduler_core.framework.types import FilterResult, PreFilterResult
from scheduler_core.plugins import names
from scheduler_core.plugins.node_resources.fit_hints import after_node_change, after_pod_event
from scheduler_core.plugins.node_resources.least_allocated import least_allocated
from scheduler_core.plugins.node_resources.most_allocated import most_allocated
from scheduler_core.plugins.node_resources.requested_to_capacity_ratio import RequestedToCapacityRatio
from scheduler_core.plugins.node_resources.resource_allocation import (
    Columns,
    PreScoreState,
    ResourceAllocation,
    Tables,
    amounts_of,
    has_statuses,
)
from scheduler_core.snapshot.axes import BASE_RESOURCES, NUM_BASE_RESOURCES, PODS, is_extended

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.axes import ResourceAxis
    from scheduler_core.snapshot.node_infos import BoolArray, Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

    Scorer = Callable[[Tables, Sequence[int]], Int64Array]

NAME: Final = names.NODE_RESOURCES_FIT
TOO_MANY_PODS: Final = "Too many pods"
INSUFFICIENT: Final = "Insufficient {resource}"

_PRE_FILTER_KEY: Final = "PreFilter" + NAME
_PRE_SCORE_KEY: Final = "PreScore" + NAME
_NO_PRE_FILTER: Final = 'error reading "{key}" from cycleState: {error}'


class PreFilterState:
    """What the pod requests and the filter looks at, all above 0.

    Shapes: amounts int64[r, 1], in the order of ``names``
    """

    __slots__ = ("amounts", "columns", "names")

    def __init__(self, requests: Sequence[tuple[str, int, int]]) -> None:
        self.names = tuple(name for name, _, _ in requests)
        self.columns = Columns.of([column for _, column, _ in requests])
        self.amounts: Int64Array = np.array([[amount] for _, _, amount in requests], np.int64).reshape(-1, 1)

    def clone(self) -> PreFilterState:
        """Itself: pods that come and go do not change it."""
        return self


class Fit:
    """Compares requests with what is allocatable less what is requested already."""

    name = NAME
    reads_pods = True

    def __init__(self, args: NodeResourcesFitArgs) -> None:
        self._ignored_resources = frozenset(args.ignored_resources)
        self._ignored_groups = frozenset(args.ignored_resource_groups)
        self._allocation = ResourceAllocation(args.scoring_strategy.resources, use_requested=False)
        self._scorer = scorer_of(args.scoring_strategy)

    def sign_pod(self, pod: PodInfo) -> Hashable | None:
        """The requests; none where they differ by where one looks."""
        if has_statuses(pod) or has_pod_level_requests(pod.pod):
            return None
        return pod.requests, pod.non_zero_cpu, pod.non_zero_memory

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Sums up the pod's requests."""
        axis = nodes.axis
        pairs = pod.requests
        if has_statuses(pod):
            pairs = axis.pairs(pod_requests(pod.pod, use_status_resources=False))
        state.write(_PRE_FILTER_KEY, PreFilterState(self._counted(pairs, axis)))
        return None, None

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Names every resource that is short; unresolvable where the whole node has too little of one."""
        pre_filter: PreFilterState = state.read(_PRE_FILTER_KEY, _NO_PRE_FILTER)
        columns, amounts = pre_filter.columns, pre_filter.amounts
        is_full = nodes.num_pods[rows] >= nodes.allowed_pods[rows]
        allocatable = amounts_of(nodes.allocatable_at(rows), columns)
        is_short = amounts > allocatable - amounts_of(nodes.requested_at(rows), columns)
        if not np.count_nonzero(is_short) and not np.count_nonzero(is_full):
            return None
        is_hopeless = (amounts > allocatable).any(axis=0)
        reasons = [TOO_MANY_PODS, *(INSUFFICIENT.format(resource=name) for name in pre_filter.names)]
        return _verdict(np.vstack((is_hopeless, is_full, is_short)), reasons)

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """What is short on a row and by how much; cpu in milli-cores, else the resource's unit."""
        pre_filter: PreFilterState = state.read(_PRE_FILTER_KEY, _NO_PRE_FILTER)
        rows = np.array([row], np.intp)
        amounts = [(PODS, 1, int(nodes.num_pods[row]), int(nodes.allowed_pods[row]))]
        used = amounts_of(nodes.requested_at(rows), pre_filter.columns)[:, 0].tolist()
        allocatable = amounts_of(nodes.allocatable_at(rows), pre_filter.columns)[:, 0].tolist()
        amounts.extend(
            zip(pre_filter.names, pre_filter.amounts[:, 0].tolist(), used, allocatable, strict=True)
        )
        return [
            {
                "resource": name,
                "requested": amount,
                "used": taken,
                "allocatable": offered,
                "short": amount + taken - offered,
            }
            for name, amount, taken, offered in amounts
            if amount + taken > offered
        ]

    def pre_score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Status | None:
        """Sums up what the pod counts for in the score."""
        state.write(_PRE_SCORE_KEY, self._allocation.pre_score(pod, nodes.axis))
        return None

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        """Scores the rows with the pod on them, by the configured strategy; does without PreScore."""
        pre_score: PreScoreState = state.get(_PRE_SCORE_KEY) or self._allocation.pre_score(pod, nodes.axis)
        return self._scorer(self._allocation.tables(nodes, rows, pre_score), pre_score.weights)

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Pods that go or shrink, nodes that come or grow."""
        pod = ClusterEvent(EventResource.POD, ActionType.DELETE | ActionType.UPDATE_POD_SCALE_DOWN)
        node = ClusterEvent(EventResource.NODE, ActionType.ADD | ActionType.UPDATE_NODE_ALLOCATABLE)
        return (ClusterEventWithHint(pod, after_pod_event), ClusterEventWithHint(node, after_node_change))

    def _counted(self, pairs: tuple[tuple[int, int], ...], axis: ResourceAxis) -> list[tuple[str, int, int]]:
        """The base resources in upstream's order, then the others by name, without the ignored ones."""
        counted = [(axis.names[column], column, amount) for column, amount in pairs if amount > 0]
        counted.sort(key=lambda item: (min(item[1], NUM_BASE_RESOURCES), item[0]))
        return [item for item in counted if not self._is_ignored(item[0])]

    def _is_ignored(self, name: str) -> bool:
        if name in BASE_RESOURCES or not (self._ignored_resources or self._ignored_groups):
            return False
        return is_extended(name) and (
            name in self._ignored_resources or name.split("/")[0] in self._ignored_groups
        )


def scorer_of(strategy: ScoringStrategy) -> Scorer:
    """The scoring function of a strategy."""
    if strategy.type == "RequestedToCapacityRatio":
        assert strategy.requested_to_capacity_ratio is not None
        return RequestedToCapacityRatio(strategy.requested_to_capacity_ratio.shape)
    return most_allocated if strategy.type == "MostAllocated" else least_allocated


def _verdict(found: BoolArray, reasons: list[str]) -> FilterResult:
    """One status for each combination of reasons that occurs.

    Shapes: found bool[1 + reasons, n], the first line telling where it is hopeless
    """
    is_refused = found[1:].any(axis=0)
    bits = np.array([1 << place for place in range(len(found))], np.int64 if len(found) < 63 else np.object_)
    codes, inverse = np.unique(bits @ found[:, is_refused].astype(bits.dtype), return_inverse=True)
    index = np.zeros(found.shape[1], np.int32)
    index[is_refused] = inverse + 1
    statuses = []
    for code in codes.tolist():
        named = [reason for place, reason in enumerate(reasons, start=1) if code >> place & 1]
        statuses.append(unresolvable(*named) if code & 1 else unschedulable(*named))
    return FilterResult(index, tuple(statuses))


def new(args: NodeResourcesFitArgs | None, handle: Handle) -> Fit:
    """Makes the plugin."""
    return Fit(args or NodeResourcesFitArgs())
