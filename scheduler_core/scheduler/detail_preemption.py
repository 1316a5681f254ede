"""What preemption looked at: candidates, the criterion that decided, and the nodes that it cannot help."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from scheduler_core.framework.status import Code
from scheduler_core.preemption.evaluator import DECISION_KEY, EVIDENCE_KEY
from scheduler_core.preemption.pick_node import Criterion, costs_of
from scheduler_core.preemption.victims import protects
from scheduler_core.trace.detail import CandidateDetail, PreemptionDetail, RefusedHelp
from scheduler_core.trace.words import nodes as count_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.policy import PodDisruptionBudget
    from scheduler_core.extender.wire import Victims
    from scheduler_core.framework.diagnosis import NodeToStatus
    from scheduler_core.preemption.evaluator import PreemptionDecision, PreemptionEvidence
    from scheduler_core.scheduler.attempt import Attempt
    from scheduler_core.scheduler.scheduler import Scheduler

MAX_CANDIDATES: Final = 50
MAX_NODES_NAMED: Final = 1000
REFUSED_FOR_GOOD: Final = "Preemption is not helpful for scheduling"


def preemption_detail(attempt: Attempt, scheduler: Scheduler) -> PreemptionDetail | None:
    """None where PostFilter was not asked."""
    state, found = attempt.state, attempt.found_nodes
    if attempt.post_filter is None or state is None or found is None:
        return None
    evidence: PreemptionEvidence | None = state.get(EVIDENCE_KEY)
    decision: PreemptionDecision | None = state.get(DECISION_KEY)
    if evidence is None:  # the pod may not preempt, or another plugin answered
        return PreemptionDetail(text=attempt.post_filter.message)
    pdbs = tuple(scheduler.environment.lister.list("PodDisruptionBudget"))
    ranked = sorted(evidence.candidates, key=lambda name: (*costs_of(evidence.candidates[name]), name))
    not_helpful = _not_helpful(attempt, found.diagnosis.node_to_status, evidence)
    return PreemptionDetail(
        text=_text(attempt, decision, len(ranked)),
        criterion=decision.criterion.value if decision else "",
        candidates=tuple(
            _candidate(name, evidence.candidates[name], pdbs) for name in ranked[:MAX_CANDIDATES]
        ),
        num_candidates=len(ranked),
        not_helpful=not_helpful,
    )


def _text(attempt: Attempt, decision: PreemptionDecision | None, number: int) -> str:
    if decision is None:
        message = attempt.post_filter.message if attempt.post_filter else ""
        return message if number else "No node would fit if pods of a lower priority were deleted."
    if decision.criterion == Criterion.ONLY_CANDIDATE:
        return f"{decision.node_name} is the only node where deleting pods of a lower priority makes room."
    node, what = decision.node_name, decision.criterion.value
    return f"Deleting pods makes room on {count_nodes(number)}; {node} has the {what}."


def _candidate(name: str, victims: Victims, pdbs: Sequence[PodDisruptionBudget]) -> CandidateDetail:
    violates = victims.num_pdb_violations > 0
    start = -costs_of(victims)[-1]
    return CandidateDetail(
        node=name,
        victims=tuple(pod.key for pod in victims.pods),
        num_pdb_violations=victims.num_pdb_violations,
        highest_priority=victims.pods[0].priority,
        sum_of_priorities=sum(pod.priority for pod in victims.pods),
        start_us=int(start) if math.isfinite(start) else None,
        budgets=tuple(
            f"{pdb.metadata.namespace}/{pdb.metadata.name}"
            for pdb in pdbs
            if violates and any(protects(pdb, pod) for pod in victims.pods)
        ),
    )


def _not_helpful(
    attempt: Attempt, statuses: NodeToStatus, evidence: PreemptionEvidence
) -> tuple[RefusedHelp, ...]:
    """Nodes by what is against them: those refused for good were not even tried."""
    tried = dict(evidence.refusals.items())
    groups: dict[str, list[str]] = {}
    for name in attempt.names:
        if name in evidence.candidates:
            continue
        if name in tried:
            groups.setdefault(tried[name].message, []).append(name)
        elif statuses.get(name).code != Code.UNSCHEDULABLE:
            groups.setdefault(REFUSED_FOR_GOOD, []).append(name)
    return tuple(
        RefusedHelp(text, len(found), tuple(found[:MAX_NODES_NAMED]))
        for text, found in sorted(groups.items(), key=lambda group: -len(group[1]))
    )
