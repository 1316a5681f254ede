"""Markdown for a comment on a pull request: a table, the plan of placements, details folded.

The first line is a comment that a script finds again, to replace the comment of the run before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from scheduler_core.checks.reports.words import (
    OUTCOMES,
    counterexample_lines,
    detail_lines,
    label,
    per_node,
    place,
    title,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.checks.verdict import Result, Verdict

MARKER: Final = "<!-- scheduler-playground -->"
MAX_CHARACTERS: Final = 60_000
"""A comment on GitHub may have 65,536."""
_MARKS: Final = {"pass": "✅", "fail": "❌", "not-worse": "➖", "too-old": "⌛", "cancelled": "⏹"}
_CUT: Final = "\n\n*… cut: the whole verdict is in the JSON report.*\n"
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>|~#])")
_PODS_NAMED: Final = 20


def render(verdict: Verdict) -> str:
    """Returns the report, cut at a block's end where it grew too long for a comment."""
    text = ""
    for block in _blocks(verdict):
        if len(text) + len(block) > MAX_CHARACTERS:
            return text + _CUT
        text += ("\n" if text else "") + block
    return text


def _blocks(verdict: Verdict) -> Iterator[str]:
    head = f"{_MARKS[verdict.outcome]} {_plain(title(verdict))}: {OUTCOMES[verdict.outcome]}"
    yield f"{MARKER}\n### {head}\n\n{_plain(verdict.summary)}\n"
    if verdict.results:
        rows = "".join(
            f"| {_MARKS[result.status]} | {_cell(label(result))} | {_cell(result.message)} |\n"
            for result in verdict.results
        )
        yield f"| | Expectation | Result |\n| --- | --- | --- |\n{rows}"
    for result in verdict.results:
        if result.findings:
            yield _findings(result)
    example = counterexample_lines(verdict)
    if example:
        yield _folded("A counterexample", "".join(f"- {_plain(line)}\n" for line in example))
    if verdict.placements:
        rows = "".join(
            f"| {_cell(node)} | {len(placed)} | {_cell(_named([each.pod for each in placed]))} |\n"
            for node, placed in per_node(verdict.placements).items()
        )
        number = len(verdict.placements)
        plan = f"| Node | Pods | |\n| --- | ---: | --- |\n{rows}"
        yield _folded(f"Plan: {number} {'pod' if number == 1 else 'pods'}", plan)
    if verdict.pending:
        lines = "".join(
            f"- `{each.pod}`{'' if each.is_new else ' (also without the change)'}: {_plain(each.message)}\n"
            for each in verdict.pending
        )
        yield _folded(f"Pending: {len(verdict.pending)}", lines)
    if verdict.victims:
        lines = "".join(
            f"- `{each.pod}` (priority {each.priority}) on `{each.node}` for `{each.preemptor}`\n"
            for each in verdict.victims
        )
        yield _folded(f"Preempted: {len(verdict.victims)}", lines)
    if verdict.warnings:
        lines = "".join(
            f"- {each.kind}: {_plain(each.object)} {_plain(each.message)} {_code(place(each.location))}".rstrip()
            + "\n"
            for each in verdict.warnings
        )
        yield _folded(f"Warnings: {len(verdict.warnings)}", lines)
    yield f"<sub>kube-scheduler {verdict.kubernetes_version}, {_facts(verdict)}</sub>\n"


def _facts(verdict: Verdict) -> str:
    counts = verdict.counts
    parts = [f"{counts.nodes} nodes", f"{counts.bound_pods} bound pods", f"seed {verdict.seed}"]
    if verdict.snapshot.captured_at:
        parts.append(f"captured {verdict.snapshot.captured_at}")
    return ", ".join(parts)


def _findings(result: Result) -> str:
    lines = ""
    for finding in result.findings:
        lines += f"- {_plain(finding.message)}\n"
        lines += "".join(f"  - {_plain(line)}\n" for line in detail_lines(finding))
    return _folded(f"{label(result)}: {len(result.findings)}", lines)


def _folded(summary: str, body: str) -> str:
    return f"<details><summary>{_html(summary)}</summary>\n\n{body}\n</details>\n"


def _named(pods: list[str]) -> str:
    more = f" and {len(pods) - _PODS_NAMED} more" if len(pods) > _PODS_NAMED else ""
    return ", ".join(pods[:_PODS_NAMED]) + more


def _plain(text: str) -> str:
    """Returns a text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text)


def _cell(text: str) -> str:
    return _plain(text).replace("\n", " ")


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
