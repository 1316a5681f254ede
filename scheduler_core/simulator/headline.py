"""A run's outcome in sentences, the most important first: the same on the page, in the API, on the command line."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from scheduler_core.simulator.result import Line, Tone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scheduler_core.simulator.account import Evicted, NotAdmitted
    from scheduler_core.simulator.availability import Workload
    from scheduler_core.simulator.result import PendingPod, RunResult
    from scheduler_core.simulator.scenario.running import RefusedEdit

NAMED: Final = 3
_CLEARED: Final = {
    "taint-eviction-controller": "from nodes with a NoExecute taint, such as lost ones",
    "pod-garbage-collector-controller": "for their node is no more",
}


def headline(result: RunResult) -> tuple[Line, ...]:
    """Returns what a run came to.

    Edits that were refused and drains that cannot finish come first, then pods without a node, those that had to go,
    objects that were not let in, and workloads that lost pods on the way.
    """
    lines = [*map(_refused_edit, result.refused_edits)]
    lines += _placed(result)
    lines += _evicted(result.evicted)
    lines += map(_not_admitted, result.not_admitted)
    lines += [
        Line(f"{one.object} not admitted: {one.message}", "bad", event="AdmissionRefused")
        for one in result.refused
    ]
    lines += [Line(one.text, "warning", (one.pod,)) for one in result.held_up]
    lines += map(_availability, sorted(result.workloads, key=lambda one: one.after >= one.wanted))
    if result.stopped:
        lines.append(Line(result.stopped.rstrip(".")))
    return tuple(lines) or (Line("Nothing was pending", "good"),)


def _refused_edit(edit: RefusedEdit) -> Line:
    if edit.budgets:
        held = "1 pod is" if len(edit.pods) == 1 else f"{len(edit.pods)} pods are"
        return Line(
            f"{edit.text} cannot finish: {held} held by {_listed(edit.budgets)}",
            "bad",
            edit.pods[:NAMED],
            "EvictionRefused",
        )
    if edit.pods:
        return Line(f"{edit.text} cannot finish: {edit.message}", "bad", edit.pods[:NAMED], "EditRefused")
    return Line(f"{edit.text}: refused: {edit.message}", "bad", event="EditRefused")


def _placed(result: RunResult) -> Iterator[Line]:
    waiting = [pod for pod in result.pending if not pod.is_deleting]
    pending, placed, deleting = len(waiting), result.num_placed, result.num_pending - len(waiting)
    if pending:
        names = tuple(pod.pod for pod in waiting[:NAMED])
        if pending + placed == 1:
            text = "The pod stays pending"
        else:
            stay = "stays" if pending == 1 else "stay"
            text = f"{pending:,} of {_pods(pending + placed)} {stay} pending"
        yield Line(f"{text}{_untried(waiting)}", "bad", names)
    elif placed:
        yield Line("The pod is placed" if placed == 1 else f"All {placed:,} pods are placed", "good")
    if deleting:
        yield Line(
            f"{_pods(deleting)} being deleted: the scheduler skips {'it' if deleting == 1 else 'them'}"
        )


def _untried(pending: Sequence[PendingPod]) -> str:
    """Whom no scheduler of the run looks at: theirs is another cause than a refusal."""
    untried = sum(not pod.queue and not pod.message for pod in pending)
    if untried == 0:
        return ""
    if untried < len(pending):
        return f"; no profile has the schedulerName of {untried:,} of them"
    return f": no profile has {'its' if untried == 1 else 'their'} schedulerName"


def _evicted(evicted: Iterable[Evicted]) -> Iterator[Line]:
    groups: dict[tuple[str, str, str, int], list[str]] = defaultdict(list)
    for one in evicted:
        priority = one.priority if one.reason == "preempted" else 0
        groups[one.reason, one.preemptor, one.by, priority].append(one.pod)
    for (reason, preemptor, by, priority), pods in groups.items():
        number = _pods(len(pods))
        if reason == "preempted":
            whom = f" for {preemptor}" if preemptor else ""
            text = f"{number} of priority {priority} preempted{whom}"
        elif by in _CLEARED:
            text = f"{number} evicted {_CLEARED[by]}"
        else:
            text = f"{number} evicted by a drain" if by == "edit" else f"{number} evicted by {by}"
        yield Line(f"{text}: {_listed(pods)}", "warning", tuple(pods[:NAMED]))


def _not_admitted(one: NotAdmitted) -> Line:
    times = f", {one.times:,} times" if one.times > 1 else ""
    what = "not admitted" if one.by == "edit" else "could not create a pod"
    return Line(f"{one.object} {what}{times}: {one.message}", "bad", event="AdmissionRefused")


def _availability(one: Workload) -> Line:
    name = one.object.partition("/")[2]
    ends = f"{name}: {one.after} of {one.wanted} available at the end"
    tone: Tone = "warning" if one.after < one.wanted else "plain"
    if one.lowest < min(one.before, one.after):
        return Line(f"{ends}, {one.before} before, {one.lowest} at the lowest", tone)
    return Line(f"{ends}, {one.before} before" if one.before != one.after else ends, tone)


def _pods(number: int) -> str:
    return "1 pod" if number == 1 else f"{number:,} pods"


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    rest = len(every) - NAMED
    shown = ", ".join(every[:NAMED])
    return f"{shown} and {rest:,} more" if rest > 0 else shown
