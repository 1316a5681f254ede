"""A check from beginning to end: the first try, other orders, a counterexample, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from scheduler_core.checks.conclude import Held, Tries, cancelled, conclude, too_old
from scheduler_core.checks.orders import all_trials, may_be_all, moved, repaired, sampled_orders
from scheduler_core.checks.trial import Order, Trial
from scheduler_core.checks.world import Cancelled

if TYPE_CHECKING:
    from scheduler_core.checks.check import Check
    from scheduler_core.checks.verdict import ManifestWarning, Result, Verdict

MAX_SHOWN: Final = 5
"""How many tries are made again to show why an expectation does not hold in some order."""

TryAll = Callable[[Sequence[Order]], Iterable[Held]]
Tell = Callable[[int, int, str], None]


def run(check: Check, try_all: TryAll | None = None, tell: Tell = lambda done, total, text: None) -> Verdict:
    """Runs a check.

    Args:
        check: what is asked.
        try_all: tries orders, perhaps several at once, and gives back what of each is kept, in their order.
        tell: is told how far it is: done, of how many, and what is being done.
    """
    if check.is_too_old:
        return too_old(check)
    try:
        return _Run(
            check, try_all or (lambda orders: (held_in(check, order) for order in orders)), tell
        ).run()
    except Cancelled:
        return cancelled(check)


def held_in(check: Check, order: Order) -> Held:
    """Returns which expectations do not hold in an order."""
    return _held(Trial(check, order))


def _held(trial: Trial) -> Held:
    return _failing(trial.judge(trial.warnings()))


def _failing(results: Sequence[Result]) -> Held:
    return Held(tuple(result.id for result in results if result.status == "fail"))


class _Run:
    """One check's state."""

    def __init__(self, check: Check, try_all: TryAll, tell: Tell) -> None:
        self.check = check
        self.try_all = try_all
        self.tell = tell
        self.warnings: list[ManifestWarning] = []

    def run(self) -> Verdict:
        """Makes all tries and concludes."""
        check = self.check
        self.tell(0, check.orders, "Trying the change")
        first = Trial(check, Order(None, check.seed))
        self.warnings = first.warnings()
        results = first.judge(self.warnings)
        self.tell(1, check.orders, "Tried the order of the files")
        if check.orders == 1:
            return conclude(check, first, results, self.warnings, None, None)
        orders, tries = self._all(first) or self._sampled(results)
        return self._conclude(first, results, orders, tries)

    def _all(self, first: Trial) -> tuple[list[Order], Tries] | None:
        """Tries every order and every tie, if they are few enough."""
        if not may_be_all(self.check, first):
            return None
        orders: list[Order] = []
        held: list[Held] = []
        for trial in all_trials(self.check):
            if trial is None:
                return None
            orders.append(trial.order)
            held.append(_held(trial))
            self.tell(len(held), self.check.orders, f"Order {len(held)} of all")
        return orders, Tries(tuple(held), always=True)

    def _sampled(self, results: Sequence[Result]) -> tuple[list[Order], Tries]:
        orders = list(sampled_orders(self.check))
        held = [_failing(results)]
        for each in self.try_all(orders[1:]):
            held.append(each)
            self.tell(len(held), len(orders), f"Order {len(held)} of {len(orders)}")
        return orders, Tries(tuple(held))

    def _conclude(
        self, first: Trial, results: Sequence[Result], orders: list[Order], tries: Tries
    ) -> Verdict:
        bad = [(order, held) for order, held in zip(orders, tries.held, strict=True) if held.failing]
        if not bad:
            return conclude(self.check, first, results, self.warnings, tries, None)
        order, failing = self._counterexample(bad)
        shown, known = first, {result.id: result for result in results}
        for again in self._shown([(order, Held(failing)), *bad], known):
            trial = Trial(self.check, again)
            for result in trial.judge(self.warnings):
                if result.status == "fail" and known[result.id].status != "fail":
                    known[result.id] = result
                    shown = trial if again == order else shown
        ordered = [known[result.id] for result in results]
        return conclude(self.check, shown, ordered, self.warnings, tries, (order, failing))

    def _shown(self, bad: Sequence[tuple[Order, Held]], known: dict[str, Result]) -> Iterator[Order]:
        """Yields orders in which expectations fail that do not in that of the files."""
        number = 0
        for order, held in bad:
            if number < MAX_SHOWN and any(known[each].status != "fail" for each in held.failing):
                number += 1
                yield order

    def _counterexample(self, bad: Sequence[tuple[Order, Held]]) -> tuple[Order, tuple[str, ...]]:
        """Returns the failing order that is nearest to that of the files, brought nearer still."""
        order, held = min(bad, key=lambda pair: len(moved(pair[0].arrivals or ())))
        if order.arrivals is None:
            return order, held.failing
        self.tell(len(bad), len(bad), "Looking for the smallest counterexample")
        wanted = held.failing[0]
        near = repaired(order, lambda other: wanted in held_in(self.check, other).failing)
        return near, held_in(self.check, near).failing if near != order else held.failing


def stoppable(check: Check, is_cancelled: Callable[[], bool]) -> Check:
    """Returns the check with a way to stop it."""
    return check._replace(setup=check.setup._replace(is_cancelled=is_cancelled))
