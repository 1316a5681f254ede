"""Two traces → what differs, as data with sentences. The first run is called "before", the second "after"."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.trace.compare.ends import PlacementChange, count_kinds, placement_changes, verdict
from scheduler_core.trace.compare.facts import CycleFacts, Facts, Line, PodStart, read_line
from scheduler_core.trace.compare.tipping import tipping_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MOST_NAMED: Final = 1000
"""So many pods are listed at most; the counts are of all."""


WAIT_BOUNDS_US: Final = (0, 10_000, 100_000, 1_000_000, 10_000_000, 60_000_000, 600_000_000)
"""The classes of waiting times: at most so long, and longer than the last."""

_ENDS: Final = ("RunStopped", "RunFinished")


class VictimChange(msgspec.Struct, frozen=True):
    """A pod that was preempted in one run alone."""

    pod: str
    before: bool
    after: bool


class WaitChange(msgspec.Struct, frozen=True):
    """A pod that waited longer or shorter for its node."""

    pod: str
    before_us: int
    after_us: int


class Waits(msgspec.Struct, frozen=True):
    """How long the pods of a run waited from their first queue to their node.

    ``classes``: how many waited at most as long as each of ``WAIT_BOUNDS_US``, and more than the bound before; then how
    many waited longer.
    """

    num_pods: int
    mean_us: int
    p50_us: int
    p95_us: int
    max_us: int
    classes: tuple[int, ...] = (0,) * (len(WAIT_BOUNDS_US) + 1)


class Difference(msgspec.Struct, frozen=True):
    """The first event that is another one in the two runs; the texts say what it is, or are empty at a run's end."""

    seq: int
    t_us: int
    before: str
    after: str


class Refused(msgspec.Struct, frozen=True):
    """How many nodes a plugin refused in the two attempts."""

    plugin: str
    before: int
    after: int


class DivergingCycle(msgspec.Struct, frozen=True):
    """The first attempt that went otherwise, and what tipped it. A cycle is 0 where the run had no such attempt.

    ``feasible_…`` is how many nodes fitted, None where the attempt did not come so far.
    """

    cycle_before: int
    cycle_after: int
    pod: str
    node_before: str
    node_after: str
    tipped_by: tuple[str, ...]
    feasible_before: int | None = None
    feasible_after: int | None = None
    refused: tuple[Refused, ...] = ()


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two runs. Of long lists the first are given; ``num_…`` count all.

    ``text`` is the verdict in few words, ``kinds`` its numbers. ``until_us``: the runs were compared up to this time,
    None: to their ends.
    """

    same: bool
    text: str
    kinds: dict[str, int]
    until_us: int | None
    num_cycles_before: int
    num_cycles_after: int
    num_placements: int
    placements: tuple[PlacementChange, ...]
    num_victims: int
    victims: tuple[VictimChange, ...]
    waits_before: Waits
    waits_after: Waits
    num_waits: int
    waits: tuple[WaitChange, ...]
    first_difference: Difference | None
    first_diverging_cycle: DivergingCycle | None
    sentences: tuple[str, ...]


def compare_runs(
    before: Sequence[bytes],
    after: Sequence[bytes],
    *,
    pods_before: Mapping[str, PodStart] | None = None,
    pods_after: Mapping[str, PodStart] | None = None,
    until_us: int | None = None,
) -> Comparison:
    """Compares two runs by their events.

    Args:
        before: lines of the first run, from the first event on
        after: lines of the second one, such as a fork of the first
        pods_before: the pods that the first run began with; without them nothing is told of those no event names
        pods_after: those of the second run
        until_us: what happened at this time and later is left out, for a run that has come no further
    """
    if until_us is not None:
        before, after = (_until(lines, until_us) for lines in (before, after))
    difference = _first_difference(before, after)
    old, new = Facts(before, pods_before), Facts(after, pods_after)
    placements = placement_changes(old, new)
    kinds = count_kinds(placements)
    victims = [
        VictimChange(pod, was, now)
        for pod in sorted(old.pods.keys() | new.pods.keys())
        if (was := _preempted(old, pod)) != (now := _preempted(new, pod))
    ]
    waits = _waits(old, new)
    diverging = _first_diverging_cycle(old, new)
    waits_before, waits_after = _summary(old), _summary(new)
    told = _sentences(placements, victims, (waits_before, waits_after), difference, diverging)
    return Comparison(
        same=difference is None,
        text=verdict(kinds),
        kinds=kinds,
        until_us=until_us,
        num_cycles_before=len(old.cycles),
        num_cycles_after=len(new.cycles),
        num_placements=len(placements),
        placements=tuple(placements[:MOST_NAMED]),
        num_victims=len(victims),
        victims=tuple(victims[:MOST_NAMED]),
        waits_before=waits_before,
        waits_after=waits_after,
        num_waits=len(waits),
        waits=tuple(waits[:MOST_NAMED]),
        first_difference=difference,
        first_diverging_cycle=diverging,
        sentences=told,
    )


def _until(lines: Sequence[bytes], until_us: int) -> Sequence[bytes]:
    """The events before a time; that a run ended is left out too, for the other one may go on."""
    end = bisect_left(lines, until_us, key=lambda line: read_line(line).t_us)
    while end and read_line(lines[end - 1]).type in _ENDS:
        end -= 1
    return lines[:end]


def _preempted(facts: Facts, pod: str) -> bool:
    return pod in facts.pods and facts.pods[pod].was_preempted


def _waits(old: Facts, new: Facts) -> list[WaitChange]:
    """Those that differ, the largest change first."""
    changes = []
    for pod in old.pods.keys() & new.pods.keys():
        was, now = old.pods[pod].wait_us, new.pods[pod].wait_us
        if was is not None and now is not None and was != now:
            changes.append(WaitChange(pod, was, now))
    return sorted(changes, key=lambda change: (-abs(change.after_us - change.before_us), change.pod))


def _summary(facts: Facts) -> Waits:
    waits = sorted(wait for pod in facts.pods.values() if (wait := pod.wait_us) is not None)
    if not waits:
        return Waits(0, 0, 0, 0, 0)
    number = len(waits)
    ends = [bisect_right(waits, bound) for bound in WAIT_BOUNDS_US]
    return Waits(
        num_pods=number,
        mean_us=round(sum(waits) / number),
        p50_us=waits[(number - 1) // 2],
        p95_us=waits[min(-(-number * 95 // 100), number) - 1],
        max_us=waits[-1],
        classes=tuple(last - first for first, last in itertools.pairwise((0, *ends, number))),
    )


def _first_difference(before: Iterable[bytes], after: Iterable[bytes]) -> Difference | None:
    for seq, (old, new) in enumerate(itertools.zip_longest(before, after), start=1):
        if old != new:
            lines = [read_line(line) for line in (new, old) if line is not None]
            going_on = [line for line in lines if line.type not in _ENDS]  # one may have ended before
            t_us = (going_on or lines)[0].t_us
            return Difference(
                seq,
                t_us,
                "" if old is None else _told(read_line(old)),
                "" if new is None else _told(read_line(new)),
            )
    return None


def _told(line: Line) -> str:
    """An event in a few words."""
    subject = line.text or line.message or " ".join(filter(None, (line.pod or line.object, line.node)))
    return f"{line.type}: {subject}" if subject else line.type


def _first_diverging_cycle(old: Facts, new: Facts) -> DivergingCycle | None:
    nobody = CycleFacts(0, "", 0, 0)
    for before, after in itertools.zip_longest(old.cycles, new.cycles, fillvalue=nobody):
        if before.outcome == after.outcome:
            continue
        if not before.cycle or not after.cycle:
            missing = "the first run" if not before.cycle else "the second run"
            tipped: tuple[str, ...] = (f"There is no further attempt in {missing}.",)
        else:
            tipped = tuple(tipping_sentences(before, after))
        return DivergingCycle(
            before.cycle,
            after.cycle,
            after.pod or before.pod,
            before.node,
            after.node,
            tipped,
            before.filtered.num_feasible if before.filtered else None,
            after.filtered.num_feasible if after.filtered else None,
            _refused(before, after),
        )
    return None


def _refused(before: CycleFacts, after: CycleFacts) -> tuple[Refused, ...]:
    """What each plugin refused, those that refused otherwise first."""
    was, now = (each.filtered.rejected if each.filtered else {} for each in (before, after))
    rows = [Refused(plugin, was.get(plugin, 0), now.get(plugin, 0)) for plugin in sorted({*was, *now})]
    return tuple(sorted(rows, key=lambda row: -abs(row.after - row.before)))


def _sentences(
    placements: list[PlacementChange],
    victims: list[VictimChange],
    waits: tuple[Waits, Waits],
    difference: Difference | None,
    diverging: DivergingCycle | None,
) -> tuple[str, ...]:
    if difference is None:
        return ("The two runs are the same, event by event.",)
    told = [_first_sentence(difference)]
    if diverging is None:
        told.append("Every attempt ended alike.")
    else:
        cycle = diverging.cycle_after or diverging.cycle_before
        told.append(f"They decide alike before cycle {cycle}: {' '.join(diverging.tipped_by)}")
    moved = sum(bool(change.before and change.after) for change in placements)
    stranded = sum(change.before not in ("", None) and change.after == "" for change in placements)
    helped = sum(change.before == "" and change.after not in ("", None) for change in placements)
    for number, text in (
        (moved, "on another node"),
        (stranded, "without a node that had one"),
        (helped, "with a node that had none"),
    ):
        if number:
            told.append(f"{_pods(number)} {'is' if number == 1 else 'are'} {text}.")
    if more := sum(change.after and not change.before for change in victims):
        told.append(f"{_pods(more)} more {'was' if more == 1 else 'were'} preempted.")
    if fewer := sum(change.before and not change.after for change in victims):
        told.append(f"{_pods(fewer)} fewer {'was' if fewer == 1 else 'were'} preempted.")
    if waits[0].mean_us != waits[1].mean_us:
        told.append(
            f"Pods waited {_seconds(waits[1].mean_us)} on average, before {_seconds(waits[0].mean_us)}."
        )
    return tuple(told)


def _first_sentence(difference: Difference) -> str:
    time = _seconds(difference.t_us)
    after, before = difference.after or "the end", difference.before or "the end"
    return f"The runs part at event {difference.seq}, at {time}: {after}; before {before}."


def _pods(number: int) -> str:
    return "1 pod" if number == 1 else f"{number} pods"


def _seconds(us: int) -> str:
    return f"{us / 1_000_000:.3f} s".replace(".000 s", " s")
