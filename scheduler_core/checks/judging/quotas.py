"""``quotasHold``: no ResourceQuota refuses what the change makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.checks.case import Case, Clue, Judgement, several
from scheduler_core.checks.verdict import Finding

if TYPE_CHECKING:
    from scheduler_core.checks.expectations import QuotasHold

_EXCEEDED: Final = "exceeded quota"


def judge_quotas_hold(_expectation: QuotasHold, case: Case) -> Judgement:
    """Judges what admission refused."""
    clues = [
        Clue(Finding(message=f"{each.object}: {each.message}"), each.object, 1.0)
        for each in case.state.facts.denied
        if _EXCEEDED in each.message
    ]
    if clues:
        return Judgement(f"{several(len(clues), 'object')} refused by a quota", tuple(clues))
    return Judgement("no quota refuses anything")
