"""Which nodes fit: PreFilter, the nominated node first, then filters on a rotating sample of nodes.

The only place that knows ``next_start_node_index`` and the stop at ``num_feasible_nodes_to_find``.

Source: pkg/scheduler/schedule_one.go, findNodesThatFitPod, findNodesThatPassFilters,
numFeasibleNodesToFind, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from scheduler_core.extender.chain import EXTENDER_NAME, Passed, filter_rows
from scheduler_core.extender.errors import ExtenderError
from scheduler_core.framework.diagnosis import Diagnosis, Refusals
from scheduler_core.framework.reuse import Memory
from scheduler_core.framework.status import Status, unresolvable
from scheduler_core.scheduler.nominated import count_nominated_pods
from scheduler_core.snapshot.arrays import where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.extender.extender import HTTPExtender
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.results import PreFilterOutcome, Verdicts
    from scheduler_core.framework.reuse import Answers
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.queue.nominator import Nominator
    from scheduler_core.snapshot.node_infos import RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot

MIN_FEASIBLE_NODES_TO_FIND: Final = 100
MIN_FEASIBLE_NODES_PERCENTAGE: Final = 5
_ADAPTIVE: Final = 0
_ALL: Final = 100
_FIRST_BLOCK: Final = 128
_SPARE: Final = 16


class SchedulingError(Exception):
    """An attempt met an internal error; the pod is retried after the error backoff."""


class FoundNodes(msgspec.Struct, frozen=True):
    """``rows`` fit, in the order in which they were found; ``candidates`` are those that PreFilter left.

    ``without_pods``: scores see the rows without their pods, see ``extender.chain.Passed``. ``answers`` serve the
    scores too.
    """

    rows: RowIndex
    candidates: RowIndex
    diagnosis: Diagnosis
    pre_filter: PreFilterOutcome
    without_pods: bool = False
    answers: Answers | None = None


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


class Search(msgspec.Struct, frozen=True):
    """For whom nodes are looked for."""

    framework: Framework
    state: CycleState
    pod: PodInfo
    answers: Answers | None = None


class NodeFinder:
    """Finds nodes for pods, attempt after attempt."""

    def __init__(
        self,
        snapshot: Snapshot,
        nominator: Nominator,
        extenders: Sequence[HTTPExtender] = (),
        *,
        percentage_of_nodes_to_score: int = 0,
        reuse: bool = True,
    ) -> None:
        self._snapshot = snapshot
        self._nominator = nominator
        self._extenders = extenders
        self._percentage = percentage_of_nodes_to_score
        self._reuse = reuse
        self._memories: dict[str, Memory] = {}
        self._nodes_per_hit = 1.0
        self.next_start_node_index = 0

    def find(
        self,
        framework: Framework,
        state: CycleState,
        pod: PodInfo,
        *,
        sample: bool = True,
        reuse: bool = True,
    ) -> FoundNodes:
        """Finds the nodes that fit ``pod``; without ``sample``, as nothing would rank them, only the first one.

        With ``reuse`` answers for earlier pods may serve.

        Raises:
            SchedulingError: a plugin met an error.
        """
        nodes = self._snapshot.node_infos
        diagnosis = Diagnosis()
        answers = self._recall(framework, pod) if reuse and self._reuse else None
        if answers is None:
            pre_filter = framework.run_pre_filter(state, pod, nodes)
        else:
            state.take_over(answers.state)
            pre_filter = framework.run_pre_filter(state, pod, nodes, framework.unsigned.pre_filters)
        diagnosis.unschedulable_plugins |= pre_filter.plugins_with_nodes
        if pre_filter.status is not None:
            if not pre_filter.status.is_rejected:
                raise SchedulingError(pre_filter.status.message)
            diagnosis.node_to_status.absent = pre_filter.status
            diagnosis.pre_filter_message = pre_filter.status.message
            diagnosis.add_plugin_status(pre_filter.status)
            none = nodes.order[:0]
            return FoundNodes(none, none, diagnosis, pre_filter)
        if pod.pod.status.nominated_node_name:
            nominated = self._evaluate_nominated_node(framework, state, pod, diagnosis)
            if len(nominated.rows):
                rows, without_pods = nominated
                return FoundNodes(rows, nodes.order, diagnosis, pre_filter, without_pods)
        candidates = nodes.order
        if pre_filter.result.node_names is not None:
            candidates = self._narrow(pre_filter, diagnosis)
        search = Search(framework, state, pod, answers)
        rows = self._pass_filters(search, candidates, diagnosis, sample=sample)
        self.advance(len(rows) + len(diagnosis.node_to_status))
        if not self._extenders:
            return FoundNodes(rows, candidates, diagnosis, pre_filter, answers=answers)
        passed = self._pass_extenders(pod, rows, diagnosis)
        if len(passed.rows) != len(rows):
            diagnosis.unschedulable_plugins.add(EXTENDER_NAME)
        return FoundNodes(passed.rows, candidates, diagnosis, pre_filter, passed.without_pods, answers)

    def percentage_for(self, framework: Framework) -> int:
        """The percentageOfNodesToScore of a profile, else of the scheduler; 0 for the adaptive one."""
        own = framework.percentage_of_nodes_to_score
        return self._percentage if own is None else own

    def advance(self, num_evaluated: int) -> None:
        """Has the next search start after the nodes that were looked at."""
        self.next_start_node_index = (self.next_start_node_index + num_evaluated) % len(
            self._snapshot.node_infos.order
        )

    def _recall(self, framework: Framework, pod: PodInfo) -> Answers | None:
        memory = self._memories.get(framework.profile_name)
        if memory is None:
            memory = self._memories[framework.profile_name] = Memory(framework, self._snapshot)
        return memory.recall(pod)

    def _evaluate_nominated_node(
        self, framework: Framework, state: CycleState, pod: PodInfo, diagnosis: Diagnosis
    ) -> Passed:
        """The row of the node that the pod was promised, if it fits; an error there is no more than a refusal.

        An extender that gives back whole nodes may put others in its place, as upstream has it.
        """
        nodes = self._snapshot.node_infos
        row = nodes.row_of.get(pod.pod.status.nominated_node_name)
        none = Passed(nodes.order[:0])
        if row is None:
            return none
        try:
            verdicts = self._filter(Search(framework, state, pod), np.array([row], np.intp))
            if verdicts.statuses:
                self._record(verdicts, 1, len(verdicts.fitting()), diagnosis)
                diagnosis.node_to_status.spell_out()
            return self._pass_extenders(pod, verdicts.rows[verdicts.fitting()], diagnosis)
        except SchedulingError:
            return none
        finally:
            diagnosis.pending_plugins.clear()  # upstream adds them to a copy of the diagnosis

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
        plugins = " ".join(
            sorted(diagnosis.unschedulable_plugins)
        )  # one set upstream: so the nominated node's, too
        diagnosis.node_to_status.absent = unresolvable(f"node(s) didn't satisfy plugin(s) [{plugins}]")
        rows = {nodes.row_of[name] for name in names if name in nodes.row_of}
        return np.array([row for row in nodes.order.tolist() if row in rows], np.intp)

    def _pass_filters(
        self, search: Search, candidates: RowIndex, diagnosis: Diagnosis, *, sample: bool
    ) -> RowIndex:
        num_nodes = len(candidates)
        if num_nodes == 0:
            return candidates
        wanted = num_feasible_nodes_to_find(self.percentage_for(search.framework), num_nodes)
        if not sample:
            wanted = 1
        start = self.next_start_node_index % num_nodes
        nodes = self._snapshot.node_infos
        twice = nodes.order_twice if candidates is nodes.order else np.concatenate((candidates, candidates))
        if not search.framework.filter_plugins:
            return twice[start : start + min(wanted, num_nodes)]
        found: list[RowIndex] = []
        num_found = position = 0
        while position < num_nodes and num_found <= wanted:
            block = max(_FIRST_BLOCK, int((wanted + 1 - num_found) * self._nodes_per_hit) + _SPARE)
            end = min(position + block, num_nodes)
            verdicts = self._filter(search, twice[start + position : start + end])
            feasible = verdicts.fitting()
            room = wanted - num_found
            checked = end - position
            num_found += len(feasible)
            if num_found > wanted:  # the search ends at the first node that it has no room for
                checked = int(feasible[room])
                feasible = feasible[:room]
            if len(feasible) < checked:
                self._stop_at_error(verdicts, checked, wanted - room, diagnosis)
                self._record(verdicts, checked, len(feasible), diagnosis)
            found.append(verdicts.rows.take(feasible))
            position += checked
        self._nodes_per_hit = position / max(min(num_found, wanted + 1), 1)
        return found[0] if len(found) == 1 else np.concatenate(found)

    def _stop_at_error(self, verdicts: Verdicts, checked: int, num_found: int, diagnosis: Diagnosis) -> None:
        """Ends the search at the first of the ``checked`` rows where a filter met an error.

        The next search starts after the rows before it: those of this block and the ``num_found`` that fit earlier.

        Raises:
            SchedulingError: there is such a row.
        """
        wrong = [place for place, status in enumerate(verdicts.statuses, start=1) if not status.is_rejected]
        if not wrong:
            return
        places = where(np.isin(verdicts.index[:checked], wrong))
        if not len(places):
            return
        first = int(places[0])
        num_fitting = first - int(np.count_nonzero(verdicts.index[:first]))
        self._record(verdicts, first, num_fitting, diagnosis)
        self.advance(num_found + num_fitting + len(diagnosis.node_to_status))
        status = verdicts.status_at(first)
        assert status is not None
        raise SchedulingError(_filter_error(status))

    def _filter(self, search: Search, rows: RowIndex) -> Verdicts:
        """Filters on rows, nominated pods counted where there are any."""
        framework, state, pod, answers = search.framework, search.state, search.pod, search.answers
        nodes = self._snapshot.node_infos
        if answers is None:
            verdicts = framework.run_filters(state, pod, nodes, rows)
        else:
            filters = framework.unsigned.filters
            verdicts = framework.run_filters(state, pod, nodes, rows, filters, answers.verdicts(rows))
        if self._nominator:
            count_nominated_pods(framework, self._snapshot, self._nominator, state, pod, verdicts)
        return verdicts

    def _record(self, verdicts: Verdicts, checked: int, num_fitting: int, diagnosis: Diagnosis) -> None:
        """Takes the refusals among the first ``checked`` rows down, of which some fit."""
        if num_fitting == checked:
            return
        index, statuses = verdicts.index[:checked], verdicts.statuses
        one_reason = len(statuses) == 1
        numbers = [num_fitting, checked - num_fitting] if one_reason else np.bincount(index).tolist()
        for place, number in enumerate(numbers):
            if place and number:
                status = statuses[place - 1]
                if not status.is_rejected:
                    raise SchedulingError(_filter_error(_first_error(index.tolist(), statuses)))
                diagnosis.add_plugin_status(status)
        names = self._snapshot.node_infos.names
        diagnosis.node_to_status.add(Refusals(names, verdicts.rows[:checked], index, statuses, numbers))


def _first_error(places: list[int], statuses: Sequence[Status]) -> Status:
    """The first status that is not a refusal."""
    met = (statuses[place - 1] for place in places if place)
    return next(status for status in met if not status.is_rejected)


def _filter_error(status: Status) -> str:
    if not status.plugin:
        return status.message
    return f'running "{status.plugin}" filter plugin: {status.message}'
