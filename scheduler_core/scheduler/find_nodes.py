"""Which nodes fit: PreFilter, the nominated node first, then filters on a rotating sample of nodes.

The only place that knows ``next_start_node_index`` and the stop at ``num_feasible_nodes_to_find``.

Source: pkg/scheduler/schedule_one.go, findNodesThatFitPod, findNodesThatPassFilters,
numFeasibleNodesToFind, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from scheduler_core.extender.chain import EXTENDER_NAME, Passed, filter_rows
from scheduler_core.extender.errors import ExtenderError
from scheduler_core.framework.diagnosis import Diagnosis
from scheduler_core.framework.status import Status, unresolvable
from scheduler_core.framework.types import PASSES
from scheduler_core.scheduler.nominated import count_nominated_pods

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.extender.extender import HTTPExtender
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.results import PreFilterOutcome, Verdicts
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.queue.nominator import Nominator
    from scheduler_core.snapshot.node_infos import BoolArray, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot

MIN_FEASIBLE_NODES_TO_FIND: Final = 100
MIN_FEASIBLE_NODES_PERCENTAGE: Final = 5
_ADAPTIVE: Final = 0
_ALL: Final = 100
_FIRST_BLOCK: Final = 128


class SchedulingError(Exception):
    """An attempt met an internal error; the pod is retried after the error backoff."""


class FoundNodes(NamedTuple):
    """``rows`` fit, in the order in which they were found; ``candidates`` are those that PreFilter left.

    ``without_pods``: scores see the rows without their pods, see ``extender.chain.Passed``.
    """

    rows: RowIndex
    candidates: RowIndex
    diagnosis: Diagnosis
    pre_filter: PreFilterOutcome
    without_pods: bool = False


def num_feasible_nodes_to_find(percentage: int | None, num_all_nodes: int) -> int:
    """After how many feasible nodes the search stops.

    Args:
        percentage: percentageOfNodesToScore, 0 or None for the adaptive one (50 - nodes / 125, at least 5)
        num_all_nodes: nodes that may be looked at
    """
    if num_all_nodes < MIN_FEASIBLE_NODES_TO_FIND:
        return num_all_nodes
    share = percentage or _ADAPTIVE
    if share == _ADAPTIVE:
        share = max(50 - num_all_nodes // 125, MIN_FEASIBLE_NODES_PERCENTAGE)
    return max(num_all_nodes * share // _ALL, MIN_FEASIBLE_NODES_TO_FIND)


class NodeFinder:
    """Finds nodes for pods, attempt after attempt."""

    def __init__(
        self,
        snapshot: Snapshot,
        nominator: Nominator,
        extenders: Sequence[HTTPExtender] = (),
        *,
        percentage_of_nodes_to_score: int = 0,
    ) -> None:
        self._snapshot = snapshot
        self._nominator = nominator
        self._extenders = extenders
        self._percentage = percentage_of_nodes_to_score
        self.next_start_node_index = 0

    def find(
        self, framework: Framework, state: CycleState, pod: PodInfo, *, sample: bool = True
    ) -> FoundNodes:
        """Finds the nodes that fit ``pod``; without ``sample``, as nothing would rank them, only the first one.

        Raises:
            SchedulingError: a plugin met an error.
        """
        nodes = self._snapshot.node_infos
        diagnosis = Diagnosis()
        pre_filter = framework.run_pre_filter(state, pod, nodes)
        diagnosis.unschedulable_plugins |= pre_filter.plugins_with_nodes
        none = nodes.order[:0]
        if pre_filter.status is not None:
            if not pre_filter.status.is_rejected:
                raise SchedulingError(pre_filter.status.message)
            diagnosis.node_to_status.absent = pre_filter.status
            diagnosis.pre_filter_message = pre_filter.status.message
            diagnosis.add_plugin_status(pre_filter.status)
            return FoundNodes(none, none, diagnosis, pre_filter)
        nominated = self._evaluate_nominated_node(framework, state, pod, diagnosis)
        if len(nominated):
            return FoundNodes(nominated, nodes.order, diagnosis, pre_filter)
        candidates = nodes.order
        if pre_filter.result.node_names is not None:
            candidates = self._narrow(pre_filter, diagnosis)
        rows = self._pass_filters(framework, state, pod, candidates, diagnosis, sample=sample)
        processed = len(rows) + len(diagnosis.node_to_status)
        self.next_start_node_index = (self.next_start_node_index + processed) % len(nodes)
        passed = self._pass_extenders(pod, rows, diagnosis)
        if len(passed.rows) != len(rows):
            diagnosis.unschedulable_plugins.add(EXTENDER_NAME)
        return FoundNodes(passed.rows, candidates, diagnosis, pre_filter, passed.without_pods)

    def _evaluate_nominated_node(
        self, framework: Framework, state: CycleState, pod: PodInfo, diagnosis: Diagnosis
    ) -> RowIndex:
        """The row of the node that the pod was promised, if it fits; an error there is no more than a refusal."""
        nodes = self._snapshot.node_infos
        row = nodes.row_of.get(pod.pod.status.nominated_node_name)
        none = nodes.order[:0]
        if row is None:
            return none
        try:
            verdicts = self._filter(framework, state, pod, np.array([row], np.intp))
            self._record(verdicts, diagnosis)
            return self._pass_extenders(pod, verdicts.rows[_fits(verdicts)], diagnosis).rows
        except SchedulingError:
            return none

    def _pass_extenders(self, pod: PodInfo, rows: RowIndex, diagnosis: Diagnosis) -> Passed:
        if not self._extenders:
            return Passed(rows)
        try:
            return filter_rows(
                self._extenders, pod, self._snapshot.node_infos, rows, diagnosis.node_to_status
            )
        except ExtenderError as failure:
            raise SchedulingError(str(failure)) from failure

    def _narrow(self, pre_filter: PreFilterOutcome, diagnosis: Diagnosis) -> RowIndex:
        nodes = self._snapshot.node_infos
        names = pre_filter.result.node_names or frozenset()
        plugins = " ".join(sorted(pre_filter.plugins_with_nodes))
        diagnosis.node_to_status.absent = unresolvable(f"node(s) didn't satisfy plugin(s) [{plugins}]")
        rows = {nodes.row_of[name] for name in names if name in nodes.row_of}
        return np.array([row for row in nodes.order.tolist() if row in rows], np.intp)

    def _pass_filters(
        self,
        framework: Framework,
        state: CycleState,
        pod: PodInfo,
        candidates: RowIndex,
        diagnosis: Diagnosis,
        *,
        sample: bool,
    ) -> RowIndex:
        num_nodes = len(candidates)
        if num_nodes == 0:
            return candidates
        percentage = framework.percentage_of_nodes_to_score
        wanted = num_feasible_nodes_to_find(self._percentage if percentage is None else percentage, num_nodes)
        if not sample:
            wanted = 1
        start = self.next_start_node_index % num_nodes
        rotated = np.concatenate((candidates[start:], candidates[:start])) if start else candidates
        if not framework.filter_plugins:
            return rotated[:wanted]
        found: list[RowIndex] = []
        num_found = position = 0
        block = max(_FIRST_BLOCK, wanted + 1)
        while position < num_nodes and num_found <= wanted:
            verdicts = self._filter(framework, state, pod, rotated[position : position + block])
            fits = _fits(verdicts)
            feasible = np.flatnonzero(fits)
            room = wanted - num_found
            checked = len(verdicts.rows)
            if len(feasible) > room:  # the search ends at the first node that it has no room for
                checked = int(feasible[room])
            self._record(verdicts, diagnosis, checked)
            found.append(verdicts.rows[feasible[:room]])
            num_found += len(feasible[: room + 1])
            position += checked
        return np.concatenate(found)

    def _filter(self, framework: Framework, state: CycleState, pod: PodInfo, rows: RowIndex) -> Verdicts:
        """Filters on rows, nominated pods counted where there are any."""
        verdicts = framework.run_filters(state, pod, self._snapshot.node_infos, rows)
        if self._nominator:
            count_nominated_pods(framework, self._snapshot, self._nominator, state, pod, verdicts)
        return verdicts

    def _record(self, verdicts: Verdicts, diagnosis: Diagnosis, checked: int | None = None) -> None:
        names = self._snapshot.node_infos.names
        rows = verdicts.rows.tolist()
        index = verdicts.index.tolist()
        for position in range(len(rows) if checked is None else checked):
            if index[position] == PASSES:
                continue
            status = verdicts.statuses[index[position] - 1]
            if not status.is_rejected:
                raise SchedulingError(_filter_error(status))
            diagnosis.node_to_status.set(names[rows[position]], status)
            diagnosis.add_plugin_status(status)


def _fits(verdicts: Verdicts) -> BoolArray:
    fits: BoolArray = verdicts.index == PASSES
    return fits


def _filter_error(status: Status) -> str:
    if not status.plugin:
        return status.message
    return f'running "{status.plugin}" filter plugin: {status.message}'
