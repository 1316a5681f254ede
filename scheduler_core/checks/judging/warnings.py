"""``noWarnings``: the manifests give no warning of some kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.checks.case import Case, Clue, Judgement, several
from scheduler_core.checks.verdict import Finding

if TYPE_CHECKING:
    from scheduler_core.checks.expectations import NoWarnings


def judge_no_warnings(expectation: NoWarnings, case: Case) -> Judgement:
    """Judges the warnings of the kinds that are named, or all."""
    wanted = [each for each in case.warnings if not expectation.kinds or each.kind in expectation.kinds]
    clues = []
    for warning in wanted:
        about = f"{warning.object}: " if warning.object else ""
        finding = Finding(message=f"{about}{warning.message}", location=warning.location)
        clues.append(Clue(finding, f"{warning.kind}/{warning.object}/{warning.message}", 1.0))
    if clues:
        kinds = ", ".join(sorted({each.kind for each in wanted}))
        return Judgement(f"{several(len(clues), 'warning')}: {kinds}", tuple(clues))
    return Judgement("no warning" + (f" of kind {', '.join(expectation.kinds)}" if expectation.kinds else ""))
