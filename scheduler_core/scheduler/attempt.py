"""What one attempt looked at, kept while it runs: for its summary events and, where wanted, its detail."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from scheduler_core.scheduler.numbers import Numbers, collect_numbers, collect_score_numbers
from scheduler_core.snapshot.arrays import where
from scheduler_core.trace.events import NodesFiltered, NodesScored

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.results import Scores, Verdicts
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import QueuedPodInfo
    from scheduler_core.scheduler.find_nodes import FoundNodes
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.trace.sink import Tracer

NUM_BEST_NODES: Final = 5
EXTENDER: Final = "Extender"
_NO_ROWS: Final = np.empty(0, np.intp)


class Stop(NamedTuple):
    """The extension point at which a pod with a node was refused or has to wait."""

    point: str
    status: Status


class Attempt:
    """One attempt's facts; the arrays are those of the cycle, not copies, unless a detail is wanted.

    What stands in the class holds until the attempt comes so far: most of it is for failures and details.
    """

    node = ""
    nodes: NodeInfos | None = None
    framework: Framework | None = None
    state: CycleState | None = None
    order: RowIndex = _NO_ROWS
    names: Sequence[str] = ()
    num_nodes = 0
    want_detail = False
    found_nodes: FoundNodes | None = None
    each_filter: Mapping[str, Verdicts] = MappingProxyType({})
    numbers = Numbers({}, [], [], {})
    score_numbers: Mapping[str, list[dict[str, Any]]] = MappingProxyType({})
    post_filter: Status | None = None
    start_index = 0
    stop: Stop | None = None
    scores: Scores | None = None
    ties: RowIndex = _NO_ROWS
    failure_message = ""
    is_error = False
    nominated_node = ""
    victims: tuple[str, ...] = ()
    unschedulable_plugins: tuple[str, ...] = ()
    pending_plugins: tuple[str, ...] = ()

    def __init__(self, cycle: int, pod: PodInfo, number: int) -> None:
        self.cycle = cycle
        self.pod = pod
        self.number = number

    def begin(self, nodes: NodeInfos, start_index: int, *, want_detail: bool) -> None:
        """The snapshot is taken; filters will start at ``start_index``."""
        self.start_index = start_index
        self.nodes = nodes
        self.order = nodes.order
        self.num_nodes = len(nodes)
        self.want_detail = want_detail
        if want_detail:
            self.names = [nodes.names[row] for row in nodes.order.tolist()]

    def found(self, found: FoundNodes, state: CycleState, framework: Framework) -> None:
        """Filters ran. For a detail every filter is run by itself, before anything is assumed."""
        self.found_nodes = found
        self.framework = framework
        self.state = state
        if self.want_detail and found.pre_filter.status is None:
            assert self.nodes is not None
            self.each_filter = framework.run_each_filter(state, self.pod, self.nodes, self.order)
            self.numbers = collect_numbers(framework, state, self.pod, self.nodes, self.each_filter)

    def scored(self, scores: Scores, ties: RowIndex) -> None:
        """Scores are added up."""
        self.scores = scores
        self.ties = ties
        if self.want_detail:
            framework, state, nodes = self.framework, self.state, self.nodes
            assert framework is not None
            assert state is not None
            assert nodes is not None
            self.score_numbers = collect_score_numbers(framework, state, self.pod, nodes, scores.rows)

    def stopped(self, point: str, status: Status) -> None:
        """A pod with a node is refused, or has to wait."""
        self.stop = Stop(point, status)

    def preempted(self, node_name: str, victims: tuple[str, ...]) -> None:
        """PostFilter answered."""
        self.nominated_node = node_name
        self.victims = victims

    def failed(self, message: str, queued: QueuedPodInfo, *, is_error: bool) -> None:
        """The attempt ended without a node."""
        self.failure_message = message
        self.is_error = is_error
        self.unschedulable_plugins = tuple(sorted(queued.unschedulable_plugins))
        self.pending_plugins = tuple(sorted(queued.pending_plugins))

    def trace_filters(self, tracer: Tracer) -> None:
        """Sends NodesFiltered."""
        found = self.found_nodes
        assert found is not None
        rejected: dict[str, int] = {}
        num_rejected = 0
        for status, number in found.diagnosis.node_to_status.counts():
            plugin = status.plugin or EXTENDER
            rejected[plugin] = rejected.get(plugin, 0) + number
            num_rejected += number
        tracer.emit(
            NodesFiltered(
                cycle=self.cycle,
                pod=self.pod.key,
                num_nodes=self.num_nodes,
                num_evaluated=len(found.rows) + num_rejected,
                num_feasible=len(found.rows),
                rejected=rejected if len(rejected) < 2 else dict(sorted(rejected.items())),
            )
        )

    def trace_scores(self, tracer: Tracer) -> None:
        """Sends NodesScored with the best nodes, highest total first, then by name."""
        scores, nodes = self.scores, self.nodes
        assert scores is not None
        assert nodes is not None
        tracer.emit(
            NodesScored(
                cycle=self.cycle,
                pod=self.pod.key,
                scores=best_nodes(scores, self.ties, nodes, NUM_BEST_NODES),
                num_ties=len(self.ties),
            )
        )


def best_nodes(scores: Scores, ties: RowIndex, nodes: NodeInfos, number: int) -> tuple[tuple[str, int], ...]:
    """The names of the best nodes with their totals, highest total first, then by name; ``ties`` have the highest.

    Numerics: totals stay far below 2**63 / number of nodes
    """
    names, total = nodes.names, scores.total
    if len(ties) >= number:
        best = ties.take(nodes.name_ranks.take(ties).argsort()[:number])
        highest = total.item(total.argmax())
        return tuple([(names[row], highest) for row in best.tolist()])
    leading = np.arange(len(total))
    if len(total) > number:
        leading = where(total >= np.partition(total, -number)[-number])
    rows, totals = scores.rows.take(leading), total.take(leading)
    order = (nodes.name_ranks.take(rows) - totals * len(nodes)).argsort()[:number]
    named = zip(rows.take(order).tolist(), totals.take(order).tolist(), strict=True)
    return tuple([(names[row], its_total) for row, its_total in named])
