"""``allScheduled`` and ``scheduled``: the pods that are meant have a node, in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from scheduler_core.checks.case import Case, Clue, Judgement, full_key, several, some
from scheduler_core.checks.change import FieldRef
from scheduler_core.checks.cluster_state import pod_key
from scheduler_core.checks.expectations import AllScheduled, Scheduled, Selection
from scheduler_core.checks.unplaced import unplaced_clues
from scheduler_core.checks.verdict import Finding, Shortfall
from scheduler_core.checks.workload_size import MAKE_PODS, desired

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.config.duration import Duration

_MICROSECONDS: Final = 1_000_000
_NANOS: Final = 1_000


def judge_all_scheduled(expectation: AllScheduled, case: Case) -> Judgement:
    """Judges the pods of the manifests."""
    return _judge(Selection(), expectation.within, case)


def judge_scheduled(expectation: Scheduled, case: Case) -> Judgement:
    """Judges the pods that are meant."""
    return _judge(expectation, expectation.within, case)


def _judge(selection: Selection, within: Duration | None, case: Case) -> Judgement:
    pods = case.selected(selection)
    clues = [
        *unplaced_clues((pod for pod in pods if not pod.spec.node_name), case.state, case.world, case.change),
        *_too_few(selection, case),
    ]
    num_unplaced = sum(not pod.spec.node_name for pod in pods)
    late = list(_late(pods, within, case)) if within is not None else []
    clues += late
    if clues:
        return Judgement(_what_is_wrong(len(pods), num_unplaced, len(late), clues), tuple(clues))
    if not pods:
        return Judgement("no pod is meant" if selection.selector else "the manifests have no pods")
    in_time = f" within {within}" if within is not None else ""
    return Judgement(f"{'the pod has' if len(pods) == 1 else f'all {len(pods)} pods have'} a node{in_time}")


def _what_is_wrong(num_pods: int, num_unplaced: int, num_late: int, clues: list[Clue]) -> str:
    if num_unplaced:
        return (
            f"{num_unplaced} of {several(num_pods, 'pod')} {'has' if num_unplaced == 1 else 'have'} no node"
        )
    if num_late:
        return (
            f"{num_late} of {several(num_pods, 'pod')} {'has' if num_late == 1 else 'have'} a node too late"
        )
    return clues[0].finding.message


def _late(pods: Iterable[Pod], within: Duration, case: Case) -> Iterator[Clue]:
    facts = case.state.facts
    bound_us = within // _NANOS
    for pod in pods:
        bound = facts.bound.get(pod_key(pod))
        took_us = bound.t_us - facts.since_us if bound is not None else 0
        if bound is None or took_us <= bound_us:
            continue
        took, most = took_us / _MICROSECONDS, bound_us / _MICROSECONDS
        short = Shortfall(
            resource="seconds", wanted=most, available=took, short=took - most, unit="s",
            text=f"{took:g} s instead of at most {most:g} s",
        )  # fmt: skip
        key = pod_key(pod)
        finding = Finding(
            message=f"{key} has a node after {took:g} s, not within {within}",
            pods=(key,), num_pods=1, nodes=(bound.node,), num_nodes=1, shortfalls=(short,),
        )  # fmt: skip
        yield Clue(
            finding, f"late/{case.state.workload(pod)}", took - most, FieldRef(case.state.workload(pod), ())
        )


def _too_few(selection: Selection, case: Case) -> Iterator[Clue]:
    """Yields workloads that are not there, or that have fewer pods than they are to have."""
    if selection.selector is not None:
        return
    wanted = list(map(full_key, selection.workloads)) or [item.key for item in case.change.apply]
    if not case.is_changed:
        wanted = [key for key in wanted if key in case.state.by_key]
    denied = [each for each in case.state.facts.denied if each.object.startswith("Pod")]
    for key in wanted:
        object_ = case.state.by_key.get(key)
        if object_ is None:
            if selection.workloads or key.partition("/")[0] in MAKE_PODS:
                yield _gone(key, case)
            continue
        should, there = desired(object_), case.state.num_pods_of.get(key, 0)
        if there < should:
            why = f": {denied[-1].message}" if denied else ""
            message = f"{key} has {there} of {several(should, 'pod')}{why}"
            short = Shortfall(
                resource="pods", wanted=should, available=there, short=should - there,
                text=f"{several(should - there, 'pod')} not made",
            )  # fmt: skip
            finding = Finding(message=message, num_pods=should - there, shortfalls=(short,))
            yield Clue(finding, f"few/{key}", should - there, FieldRef(key, ("spec",)))


def _gone(key: str, case: Case) -> Clue:
    name = key.removeprefix("Pod/")
    by = next((each for each in case.state.facts.preempted if each.pod == name), None)
    denied = next((each for each in case.state.facts.denied if name in each.object), None)
    if by is not None:
        message = f"{name} was preempted on {by.node} by {by.preemptor}, and no controller makes it again"
    elif denied is not None:
        message = f"{key} is refused: {denied.message}"
    else:
        message = f"{key} is not there"
    pods, number = some((name,) if key.startswith("Pod/") else ())
    return Clue(Finding(message=message, pods=pods, num_pods=number), f"gone/{key}", 1.0, FieldRef(key, ()))
