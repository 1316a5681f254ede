"""The verdict for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.checks.reports.words import (
    counterexample_lines,
    detail_lines,
    label,
    per_workload,
    place,
    title,
    untold_warnings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scheduler_core.checks.verdict import Pending, Placement, Result, Verdict

MAX_FINDINGS: Final = 20
"""How many findings of an expectation are told; a terminal is no place for more."""
MAX_ROWS: Final = 100
_RESET: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
_DIM: Final = "\x1b[2m"
_COLORS: Final = {
    "pass": "\x1b[32m",
    "fail": "\x1b[31m",
    "not-worse": "\x1b[33m",
    "too-old": "\x1b[33m",
    "cancelled": "\x1b[33m",
}
_MARKS: Final = {"pass": "✔", "fail": "✘", "not-worse": "≈"}
_WORDS: Final = {"pass": "PASS", "fail": "FAIL", "too-old": "TOO OLD", "cancelled": "CANCELLED"}
_GAP: Final = "   "
_NODES_NAMED: Final = 8


def render(verdict: Verdict, *, color: bool = False) -> str:
    """Returns the report."""
    return "\n".join(_Text(verdict, color).lines()) + "\n"


class _Text:
    """One report."""

    def __init__(self, verdict: Verdict, color: bool) -> None:
        self.verdict = verdict
        self.color = color

    def lines(self) -> Iterator[str]:
        """Yields the report line by line."""
        verdict = self.verdict
        head = self._paint(_COLORS[verdict.outcome] + _BOLD, _WORDS[verdict.outcome])
        yield f"{head}  {title(verdict)}: {verdict.summary}"
        if verdict.results:
            yield ""
        width = max((len(label(result)) for result in verdict.results), default=0)
        for result in verdict.results:
            yield from self._result(result, width)
        example = counterexample_lines(verdict)
        if example:
            yield ""
            yield from example
        warnings = untold_warnings(verdict)
        if warnings:
            yield ""
            for warning in warnings:
                where = place(warning.location)
                about = ": ".join(part for part in (where, warning.object, warning.message) if part)
                yield f"{self._paint(_COLORS['not-worse'], 'warning')} {warning.kind}: {about}"
        if verdict.placements:
            yield ""
            yield from self._table(
                ("PLACED", "PODS", "AFTER", "NODES"),
                [_row(*each) for each in per_workload(verdict.placements).items()],
            )
        if verdict.pending:
            yield ""
            waiting = [(each.pod, _reason(each)) for each in verdict.pending]
            yield from self._table(("PENDING", "REASON"), waiting)
        if verdict.victims:
            yield ""
            evicted = [(each.pod, str(each.priority), each.node, each.preemptor) for each in verdict.victims]
            yield from self._table(("PREEMPTED", "PRIORITY", "NODE", "FOR"), evicted)

    def _result(self, result: Result, width: int) -> Iterator[str]:
        mark = self._paint(_COLORS[result.status], _MARKS[result.status])
        yield f"{mark} {label(result):{width}}  {result.message}"
        for finding in result.findings[:MAX_FINDINGS]:
            yield f"    {finding.message}"
            for line in detail_lines(finding):
                yield self._paint(_DIM, f"      {line}")
        if len(result.findings) > MAX_FINDINGS:
            yield f"    and {len(result.findings) - MAX_FINDINGS} more: --format json has all"

    def _paint(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.color else text

    def _table(self, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
        listed = list(rows)
        table = [head, *listed[:MAX_ROWS]]
        widths = [max(len(row[column]) for row in table) for column in range(len(head) - 1)]
        for number, row in enumerate(table):
            cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=False)]
            line = _GAP.join([*cells, row[-1]])
            yield self._paint(_BOLD, line) if number == 0 else line
        if len(listed) > MAX_ROWS:
            yield f"and {len(listed) - MAX_ROWS} more"


def _reason(pending: Pending) -> str:
    reason = pending.message or "not tried"
    return reason if pending.is_new else f"(without the change too) {reason}"


def _row(workload: str, placed: list[Placement]) -> tuple[str, ...]:
    """Returns a workload's row: so many pods, the last of them after so long, on these nodes."""
    nodes = sorted({each.node for each in placed})
    more = f" and {len(nodes) - _NODES_NAMED} more" if len(nodes) > _NODES_NAMED else ""
    after = max(each.seconds for each in placed)
    return workload, str(len(placed)), f"{after:g} s", ", ".join(nodes[:_NODES_NAMED]) + more
