"""Other orders of arrival and other ties: which to try, and when they are all there are."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from scheduler_core.api.canonical import canonical
from scheduler_core.checks.ties import next_script
from scheduler_core.checks.trial import Order, Trial
from scheduler_core.scheduler.tie_break import SplitMix64

if TYPE_CHECKING:
    from scheduler_core.checks.check import Check

MAX_REPAIRS: Final = 24
"""How many further tries bring a counterexample nearer to the order of the files."""


def sampled_orders(check: Check) -> Iterator[Order]:
    """Yields as many orders as are asked for: that of the files, then shuffled ones, each with a seed of its own."""
    yield Order(None, check.seed)
    size = len(check.change.arriving)
    for number in range(1, check.orders):
        seed = check.seed + number
        yield Order(shuffled(size, seed), seed)


def shuffled(size: int, seed: int) -> tuple[int, ...]:
    """Returns the numbers below ``size`` in an order that the seed draws.

    Source: Durstenfeld: Algorithm 235, Random permutation, 1964
    """
    random = SplitMix64(seed)
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = random.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def may_be_all(check: Check, first: Trial) -> bool:
    """Returns whether there are so few orders and ties that all can be tried, as far as the first try tells.

    Preemption draws where it begins to look, so nothing can be said of all then.
    """
    if check.orders < 2 or first.after.facts.preempted or first.before.facts.preempted:
        return False
    size = num_arrivals(check)
    return size * math.prod(first.num_ties) <= check.orders


def num_arrivals(check: Check) -> int:
    """Returns in how many ways the objects can arrive; those that are alike but for their name count as one."""
    alike = Counter(_kinds(check))
    return math.factorial(len(check.change.arriving)) // math.prod(map(math.factorial, alike.values()))


def _kinds(check: Check) -> list[bytes]:
    kinds = []
    for item in check.change.arriving:
        raw = item.raw
        metadata = {key: value for key, value in raw.get("metadata", {}).items() if key != "name"}
        kinds.append(canonical({**raw, "metadata": metadata}))
    return kinds


def _arrivals(check: Check) -> Iterator[tuple[int, ...]]:
    """Yields each way in which the objects can arrive once, that of the files first."""
    places: dict[bytes, list[int]] = {}
    kinds = _kinds(check)
    for index, kind in enumerate(kinds):
        places.setdefault(kind, []).append(index)
    numbers = [list(places).index(kind) for kind in kinds]
    seen: set[tuple[int, ...]] = set()
    for permutation in itertools.permutations(range(len(kinds))):
        pattern = tuple(numbers[index] for index in permutation)
        if pattern in seen:
            continue
        seen.add(pattern)
        left = {number: iter(indexes) for number, indexes in enumerate(places.values())}
        yield tuple(next(left[number]) for number in pattern)


def all_trials(check: Check) -> Iterator[Trial | None]:
    """Yields a try for every order and every way that ties can fall; None where they are too many after all."""
    tried = 0
    for arrivals in _arrivals(check):
        script: tuple[int, ...] | None = ()
        while script is not None:
            tried += 1
            if tried > check.orders:
                yield None
                return
            trial = Trial(check, Order(arrivals, check.seed, script))
            if trial.after.facts.preempted:
                yield None
                return
            yield trial
            ties = trial.world.ties
            assert ties is not None
            script = next_script(ties.taken, ties.widths)


def repaired(order: Order, fails: Callable[[Order], bool]) -> Order:
    """Returns an order that still fails and is as near to that of the files as a few tries bring it.

    Args:
        order: one that fails.
        fails: tries another.
    """
    if order.arrivals is None or order.ties is not None:
        return order
    tries = MAX_REPAIRS
    plain = order._replace(arrivals=None)
    if fails(plain):
        return plain
    best = order
    for index in moved(order.arrivals):
        if tries == 0:
            break
        nearer = best._replace(arrivals=_at_home(best.arrivals or (), index))
        tries -= 1
        if fails(nearer):
            best = nearer
    return best


def _at_home(arrivals: Sequence[int], index: int) -> tuple[int, ...]:
    """Returns the order with one object where it belongs among those that stand as in the files."""
    out = frozenset(moved(arrivals))
    others = [each for each in arrivals if each != index]
    at = next((at for at, each in enumerate(others) if each > index and each not in out), len(others))
    return (*others[:at], index, *others[at:])


def moved(arrivals: Sequence[int]) -> tuple[int, ...]:
    """Returns the fewest objects that have to be taken out for the rest to stand as in the files."""
    best: list[tuple[int, ...]] = [()]
    for index in arrivals:
        before = [run for run in best if not run or run[-1] < index]
        best.append((*_longest(before), index))
    kept = set(_longest(best))
    return tuple(index for index in arrivals if index not in kept)


def _longest(runs: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return max(runs, key=lambda run: len(run))
