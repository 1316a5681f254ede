"""``noPreemption`` and ``noneNewlyPending``: the change harms nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.checks.case import Case, Clue, Judgement, several
from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.unplaced import unplaced_clues
from scheduler_core.checks.verdict import Finding, Victim
from scheduler_core.plugins.names import DEFAULT_PREEMPTION

if TYPE_CHECKING:
    from scheduler_core.checks.expectations import NoneNewlyPending, NoPreemption


def victims(case: Case) -> list[Victim]:
    """Returns the pods that were preempted since the change."""
    found = []
    for each in case.state.facts.preempted:
        pod = case.before.pods.get(each.pod)
        priority = (pod.spec.priority or 0) if pod is not None else 0
        found.append(Victim(pod=each.pod, priority=priority, node=each.node, preemptor=each.preemptor))
    return found


def judge_no_preemption(expectation: NoPreemption, case: Case) -> Judgement:
    """Judges the victims since the change."""
    least = expectation.priority_at_least
    clues = []
    for victim in victims(case):
        if least is not None and victim.priority < least:
            continue
        finding = Finding(
            message=f"{victim.pod} (priority {victim.priority}) is preempted on {victim.node} by {victim.preemptor}",
            plugin=DEFAULT_PREEMPTION,
            pods=(victim.pod, victim.preemptor),
            num_pods=2,
            nodes=(victim.node,),
            num_nodes=1,
        )
        clues.append(Clue(finding, victim.pod, victim.priority, _preemptor_ref(victim.preemptor, case)))
    of_priority = f" with priority {least} or more" if least is not None else ""
    if clues:
        number = len(clues)
        return Judgement(
            f"{several(number, 'pod')}{of_priority} {'is' if number == 1 else 'are'} preempted", tuple(clues)
        )
    return Judgement(f"no pod{of_priority} is preempted")


def _preemptor_ref(name: str, case: Case) -> FieldRef | None:
    pod = case.state.pods.get(name)
    workload = case.state.workload(pod) if pod is not None else f"Pod/{name}"
    if case.change.find(workload) is None:
        return None
    path = ("spec",) if workload.startswith("Pod/") else ("spec", "template", "spec")
    return FieldRef(workload, (*path, "priorityClassName"))


def judge_none_newly_pending(_expectation: NoneNewlyPending, case: Case) -> Judgement:
    """Judges the pods of others that have no node with the change, and had one, or were not there, without it."""
    state, before = case.state, case.before
    own = case.change.keys
    pending = [
        state.pods[key]
        for key in sorted(state.pending - before.pending)
        if own.isdisjoint(state.owners(state.pods[key]))
    ]
    gone = _gone(case)
    clues = [*unplaced_clues(pending, state, case.world, case.change), *gone]
    if clues:
        number = len(pending) + len(gone)
        message = f"{several(number, 'pod')} of others {'loses its' if number == 1 else 'lose their'} node"
        return Judgement(message, tuple(clues))
    return Judgement("no pod of others loses its node")


def _gone(case: Case) -> list[Clue]:
    """Returns the bare pods of others that were preempted: nobody makes them again."""
    clues = []
    for victim in victims(case):
        pod = case.before.pods.get(victim.pod)
        if pod is None or pod.metadata.controller() is not None or victim.pod in case.state.pods:
            continue
        if f"Pod/{victim.pod}" in case.change.keys:
            continue
        finding = Finding(
            message=f"{victim.pod} is gone: preempted on {victim.node} by {victim.preemptor}, "
            "and no controller makes it again",
            plugin=DEFAULT_PREEMPTION,
            pods=(victim.pod, victim.preemptor),
            num_pods=2,
            nodes=(victim.node,),
            num_nodes=1,
        )
        clues.append(Clue(finding, f"gone/{victim.pod}", 1.0, _preemptor_ref(victim.preemptor, case)))
    return clues
