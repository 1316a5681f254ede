"""An attempt's facts → the detail that people open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.scheduler.detail_points import points_detail
from scheduler_core.scheduler.detail_preemption import preemption_detail
from scheduler_core.scheduler.detail_sample import sample_detail, tie_break_text
from scheduler_core.trace.answers import decision_text
from scheduler_core.trace.detail import (
    FEASIBLE,
    NOT_LOOKED_AT,
    CycleDetail,
    PreFilterDetail,
    StatusDetail,
)
from scheduler_core.trace.explain import explain
from scheduler_core.trace.message_parts import message_parts
from scheduler_core.trace.remedies import explain_fit

if TYPE_CHECKING:
    from scheduler_core.framework.results import Verdicts
    from scheduler_core.framework.status import Status
    from scheduler_core.scheduler.attempt import Attempt
    from scheduler_core.scheduler.find_nodes import FoundNodes
    from scheduler_core.scheduler.scheduler import Scheduler


class _StatusTable:
    """Distinct statuses, numbered in the order in which they are met."""

    def __init__(self) -> None:
        self.details: list[StatusDetail] = []
        self._ids: dict[Status, int] = {}

    def id(self, status: Status) -> int:
        found = self._ids.get(status)
        if found is None:
            found = self._ids[status] = len(self.details)
            self.details.append(StatusDetail(status.code_name, status.plugin, tuple(sorted(status.reasons))))
        return found


def cycle_detail(attempt: Attempt, scheduler: Scheduler) -> CycleDetail:
    """Builds the detail of an attempt that has ended, of a scheduler that has not gone on."""
    detail = CycleDetail(
        cycle=attempt.cycle,
        t_us=scheduler.clock.now_us,
        pod=attempt.pod.key,
        attempt=attempt.number,
        step=scheduler.step,
        node=attempt.node or None,
        num_nodes=attempt.num_nodes,
        next_start_node_index=scheduler.finder.next_start_node_index,
        message=attempt.failure_message,
        nominated_node=attempt.nominated_node or None,
        victims=attempt.victims,
        unschedulable_plugins=attempt.unschedulable_plugins,
        pending_plugins=attempt.pending_plugins,
    )
    detail.result = "scheduled" if attempt.node else "error" if attempt.is_error else "unschedulable"
    detail.nodes = list(attempt.names)
    if attempt.found_nodes is not None:
        _add_filters(detail, attempt, attempt.found_nodes)
        _add_scores(detail, attempt, scheduler)
        detail.numbers, detail.records, detail.texts, detail.pod_numbers = attempt.numbers
        detail.sample = sample_detail(attempt, attempt.found_nodes, scheduler)
        detail.preemption = preemption_detail(attempt, scheduler)
    detail.points = points_detail(attempt)
    detail.message_parts = message_parts(
        attempt.failure_message,
        (reason for index in set(detail.outcome) if index >= 0 for reason in detail.statuses[index].reasons),
        (refused.text for refused in detail.preemption.not_helpful) if detail.preemption else (),
    )
    detail.decision = decision_text(detail)
    detail.explanation = explain(detail)
    detail.remedies = explain_fit(detail)
    return detail


def _add_filters(detail: CycleDetail, attempt: Attempt, found: FoundNodes) -> None:
    table = _StatusTable()
    diagnosis = found.diagnosis
    position_of = {row: position for position, row in enumerate(attempt.order.tolist())}
    outcome = [NOT_LOOKED_AT] * len(attempt.names)
    if diagnosis.node_to_status.absent_is_set:
        detail.absent = table.id(diagnosis.node_to_status.absent)
        outcome = [detail.absent] * len(attempt.names)
        for row in found.candidates.tolist():
            outcome[position_of[row]] = NOT_LOOKED_AT
    for row in found.rows.tolist():
        outcome[position_of[row]] = FEASIBLE
    position_by_name = {name: position for position, name in enumerate(attempt.names)}
    for name, status in diagnosis.node_to_status.items():
        outcome[position_by_name[name]] = table.id(status)
    detail.outcome = outcome
    detail.num_feasible = len(found.rows)
    detail.num_evaluated = len(found.rows) + len(diagnosis.node_to_status)
    detail.filters = {name: _indexes(verdicts, table) for name, verdicts in attempt.each_filter.items()}
    for name, result, said in found.pre_filter.by_plugin:
        if said is not None and said.is_skip:
            detail.prefilter.append(PreFilterDetail(name, skipped=True))
        elif said is not None and not said.is_success:
            detail.prefilter.append(PreFilterDetail(name, status=table.id(said.with_plugin(name))))
        elif result is not None and result.node_names is not None:
            detail.prefilter.append(PreFilterDetail(name, nodes=len(result.node_names)))
        else:
            detail.prefilter.append(PreFilterDetail(name))
    detail.statuses = table.details


def _indexes(verdicts: Verdicts, table: _StatusTable) -> list[int]:
    if not verdicts.index.any():
        return []
    ids = [FEASIBLE, *(table.id(status) for status in verdicts.statuses)]
    return [ids[index] for index in verdicts.index.tolist()]


def _add_scores(detail: CycleDetail, attempt: Attempt, scheduler: Scheduler) -> None:
    position_of = {row: position for position, row in enumerate(attempt.order.tolist())}
    scores = attempt.scores
    if scores is None:
        assert attempt.found_nodes is not None
        rows = attempt.found_nodes.rows.tolist()
        detail.ties = (
            [position_of[row] for row in rows] if len(rows) == 1 else []
        )  # none where scoring failed
        return
    detail.scored = [position_of[row] for row in scores.rows.tolist()]
    detail.ties = [position_of[row] for row in attempt.ties.tolist()]
    if len(detail.ties) > 1:
        detail.tie_break = tie_break_text(scheduler.tie_break, len(detail.ties))
    detail.weights = scores.weights
    detail.raw = {name: values.tolist() for name, values in scores.raw.items()}
    detail.normalized = {name: values.tolist() for name, values in scores.normalized.items()}
    detail.weighted = {name: values.tolist() for name, values in scores.weighted.items()}
    detail.total = scores.total.tolist()
    detail.score_numbers = dict(attempt.score_numbers)
