"""The verdict: what came of the tries, put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from scheduler_core.api.meta import Time
from scheduler_core.api.pod import Pod
from scheduler_core.checks.case import several
from scheduler_core.checks.orders import moved
from scheduler_core.checks.verdict import (
    Counterexample,
    Counts,
    OrdersHeld,
    Outcome,
    Pending,
    Placement,
    Result,
    Robustness,
    Snapshot,
    Verdict,
)
from scheduler_core.simulator import ENGINE_VERSION

if TYPE_CHECKING:
    from scheduler_core.checks.check import Check
    from scheduler_core.checks.trial import Order, Trial
    from scheduler_core.checks.verdict import ManifestWarning

_MICROSECONDS: Final = 1_000_000
NAMED: Final = 3


class Held(msgspec.Struct, frozen=True):
    """What of one order is kept: which expectations do not hold in it."""

    failing: tuple[str, ...]


class Tries(msgspec.Struct, frozen=True):
    """How all orders went.

    Args:
        held: one for each order.
        always: whether these are all there can be.
    """

    held: tuple[Held, ...]
    always: bool = False


def too_old(check: Check) -> Verdict:
    """Returns the verdict on a cluster whose data are too old; nothing was tried."""
    age, most = check.age_seconds, check.max_age_seconds or 0.0
    if age is None:
        what = (
            "it does not say when it was captured" if check.captured_at is None else "the time is not known"
        )
        summary = f"the age of the snapshot is unknown: {what}; at most {_duration(most)} is allowed"
    else:
        summary = f"the snapshot is {_duration(age)} old, at most {_duration(most)} is allowed"
    return _verdict(check, "too-old", summary)


def cancelled(check: Check) -> Verdict:
    """Returns the verdict on a check that was stopped."""
    return _verdict(check, "cancelled", "the check was cancelled")


def conclude(
    check: Check,
    shown: Trial,
    results: Sequence[Result],
    warnings: Sequence[ManifestWarning],
    tries: Tries | None,
    counterexample: tuple[Order, Sequence[str]] | None,
) -> Verdict:
    """Returns the verdict.

    Args:
        check: what was asked.
        shown: the try whose placements are told: that in the order of the files, or a counterexample.
        results: its results.
        warnings: about the manifests.
        tries: how all orders went, where there were several.
        counterexample: an order in which something does not hold, and what.
    """
    finished = [_with_orders(result, tries) for result in results]
    failing = [result for result in finished if result.status == "fail"]
    outcome: Outcome = "fail" if failing else "pass"
    placements = tuple(_placements(shown))
    pending = tuple(_pending(shown))
    keys = check.change.keys
    own = [each for each in pending if each.workload in keys]
    summary = _summary(finished, failing, tries)
    if not failing:
        summary += _newly_pending(pending)
    verdict = _verdict(check, outcome, summary)
    return replace(
        verdict,
        counts=replace(
            verdict.counts,
            pods=len(shown.after.pods),
            placed=len(placements),
            pending=len(own),
        ),
        results=tuple(finished),
        placements=placements,
        pending=pending,
        victims=tuple(shown.victims()),
        robustness=_robustness(check, tries, counterexample),
        warnings=tuple(warnings),
        notes=tuple(shown.world.notes),
    )


def _verdict(check: Check, outcome: Outcome, summary: str) -> Verdict:
    bound = sum(isinstance(object_, Pod) and bool(object_.spec.node_name) for object_ in check.cluster)
    return Verdict(
        name=check.name,
        outcome=outcome,
        summary=summary,
        engine_version=ENGINE_VERSION,
        seed=check.seed,
        files=tuple(text.name for text in check.change.texts),
        snapshot=Snapshot(
            captured_at=_text(check.captured_at),
            checked_at=_text(check.checked_at),
            age_seconds=check.age_seconds,
            max_age_seconds=check.max_age_seconds,
        ),
        counts=Counts(
            nodes=sum(object_.kind == "Node" for object_ in check.cluster),
            bound_pods=bound,
            manifests=len(check.change.apply),
            deletions=len(check.change.delete),
        ),
    )


def _text(time: Time | None) -> str:
    return "" if time is None else str(time)


def _duration(seconds: float) -> str:
    """Returns a time for people: "3 days", "5 hours", "40 minutes"."""
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            number = round(seconds / size, 1)
            return f"{number:g} {unit}" + ("" if number == 1 else "s")
    return f"{seconds:g} seconds"


def _with_orders(result: Result, tries: Tries | None) -> Result:
    if tries is None:
        return result
    held = sum(result.id not in each.failing for each in tries.held)
    tried = len(tries.held)
    always = tries.always and held == tried
    message = f"{result.message}; holds in {'all possible' if always else f'{held} of {tried}'} orders"
    return replace(result, orders=OrdersHeld(held=held, tried=tried, always=always), message=message)


def _summary(results: Sequence[Result], failing: Sequence[Result], tries: Tries | None) -> str:
    number = len(results)
    if failing:
        do = "does" if len(failing) == 1 else "do"
        of_all = f"{len(failing)} of {number} expectations" if number > 1 else "the expectation"
        summary = f"{of_all} {do} not hold"
    else:
        summary = "the expectation holds" if number == 1 else f"all {number} expectations hold"
    if tries is None:
        return summary
    held, tried = sum(not each.failing for each in tries.held), len(tries.held)
    if tries.always and held == tried:
        ways = "the only way" if tried == 1 else f"each of the {tried} ways"
        return f"{summary}, always: in {ways} in which pods can arrive and ties can fall"
    return f"{summary}; {held} of {several(tried, 'order')} went well"


def _newly_pending(pending: Iterable[Pending]) -> str:
    """What a verdict that holds must not leave unsaid: no expectation may be about these pods."""
    names = [each.pod for each in pending if each.is_new]
    if not names:
        return ""
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f", but {several(len(names), 'pod')} newly pending: {', '.join(names[:NAMED])}{rest}"


def _robustness(
    check: Check, tries: Tries | None, counterexample: tuple[Order, Sequence[str]] | None
) -> Robustness | None:
    if tries is None:
        return None
    held = sum(not each.failing for each in tries.held)
    example = None
    if counterexample is not None and held:  # else nothing depends on the order
        order, failing = counterexample
        arrivals = order.arrivals if order.arrivals is not None else tuple(range(len(check.change.arriving)))
        keys = [item.key for item in check.change.arriving]
        example = Counterexample(
            order=tuple(keys[index] for index in arrivals),
            moved=tuple(keys[index] for index in moved(arrivals)),
            seed=order.seed,
            ties=order.ties or (),
            failing=tuple(failing),
        )
    tried = len(tries.held)
    return Robustness(tried=tried, held=held, always=tries.always and held == tried, counterexample=example)


def _placements(trial: Trial) -> Iterator[Placement]:
    state, facts = trial.after, trial.after.facts
    for key, pod in sorted(state.pods.items()):
        bound = facts.bound.get(key)
        if bound is not None and pod.spec.node_name:
            yield Placement(
                pod=key,
                node=bound.node,
                workload=state.workload(pod),
                seconds=(bound.t_us - facts.since_us) / _MICROSECONDS,
            )


def _pending(trial: Trial) -> Iterator[Pending]:
    state = trial.after
    for key in sorted(state.pending):
        pod = state.pods[key]
        refused = state.facts.refused.get(key)
        yield Pending(
            pod=key,
            workload=state.workload(pod),
            message=refused.message if refused else "",
            plugins=refused.plugins if refused else (),
            is_new=key not in trial.before.pending,
        )
