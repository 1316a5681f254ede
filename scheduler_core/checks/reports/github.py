"""Annotations of a GitHub workflow: what does not hold as errors at the field that blocks, warnings as warnings.

Source: docs.github.com, "Workflow commands for GitHub Actions"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.checks.reports.words import label, title, untold_warnings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.checks.verdict import Finding, Location, Result, Verdict


def render(verdict: Verdict) -> str:
    """Returns the report: errors first, for only the first ten of a kind are shown."""
    return "".join(f"{line}\n" for line in _lines(verdict))


def _lines(verdict: Verdict) -> Iterator[str]:
    if verdict.outcome in ("too-old", "cancelled"):
        yield _command("error", verdict.summary, None, title(verdict))
        return
    for result in verdict.results:
        level = {"fail": "error", "not-worse": "notice"}.get(result.status)
        if level is None:
            continue
        if not result.findings:
            yield _command(level, result.message, result.location, label(result))
        for finding in result.findings:
            yield _finding(level, finding, result)
    for warning in untold_warnings(verdict):
        about = f"{warning.object}: " if warning.object else ""
        yield _command("warning", f"{about}{warning.message}", warning.location, warning.kind)
    yield _command("notice", verdict.summary, None, title(verdict))


def _finding(level: str, finding: Finding, result: Result) -> str:
    message = "\n".join((finding.message, *(f"Would help: {remedy}" for remedy in finding.remedies)))
    name = f"{label(result)}: {finding.plugin}" if finding.plugin else label(result)
    return _command(level, message, finding.location or result.location, name)


def _command(level: str, message: str, location: Location | None, name: str) -> str:
    properties = {}
    if location is not None:
        properties = {"file": location.file, "line": str(location.line), "col": str(location.column)}
    properties["title"] = name
    told = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{level} {told}::{_escape(message)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
