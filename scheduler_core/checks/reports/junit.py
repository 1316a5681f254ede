"""JUnit XML, after the schema ``junit-10.xsd`` of Jenkins' xUnit plugin: a test case for each expectation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from scheduler_core.checks.reports.words import counterexample_lines, detail_lines, label, title

if TYPE_CHECKING:
    from scheduler_core.checks.verdict import Result, Verdict

_PACKAGE: Final = "scheduler-playground"
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(verdict: Verdict) -> str:
    """Returns the report."""
    failures = sum(result.status == "fail" for result in verdict.results)
    errors = verdict.outcome in ("too-old", "cancelled")
    counts = {
        "tests": str(len(verdict.results) + errors),
        "failures": str(failures),
        "errors": str(int(errors)),
    }
    root = Element("testsuites", {"name": _PACKAGE, **counts})
    suite = SubElement(root, "testsuite", {"name": _clean(title(verdict)), **counts, "skipped": "0"})
    if verdict.snapshot.checked_at:
        suite.set("timestamp", verdict.snapshot.checked_at.removesuffix("Z").partition(".")[0])
    _properties(suite, verdict)
    if errors:
        case = SubElement(suite, "testcase", {"name": "snapshot", "classname": _PACKAGE})
        SubElement(case, "error", {"type": verdict.outcome, "message": _clean(verdict.summary)})
    for result in verdict.results:
        _case(suite, result)
    told = [verdict.summary, *counterexample_lines(verdict)]
    told += [f"{each.pod} on {each.node} after {each.seconds:g} s" for each in verdict.placements]
    SubElement(suite, "system-out").text = _clean("\n".join(told))
    if verdict.warnings:
        warned = [f"{each.kind}: {each.object} {each.message}" for each in verdict.warnings]
        SubElement(suite, "system-err").text = _clean("\n".join(warned))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _properties(suite: Element, verdict: Verdict) -> None:
    properties = SubElement(suite, "properties")
    known = {
        "kubernetesVersion": verdict.kubernetes_version,
        "engineVersion": verdict.engine_version,
        "seed": str(verdict.seed),
        "nodes": str(verdict.counts.nodes),
        "capturedAt": verdict.snapshot.captured_at,
    }
    for name, value in known.items():
        if value:
            SubElement(properties, "property", {"name": name, "value": _clean(value)})


def _case(suite: Element, result: Result) -> None:
    attributes = {"name": _clean(label(result)), "classname": f"{_PACKAGE}.{result.type}"}
    case = SubElement(suite, "testcase", attributes)
    lines = []
    for finding in result.findings:
        lines += [finding.message, *(f"  {line}" for line in detail_lines(finding))]
    if result.status == "fail":
        failure = SubElement(case, "failure", {"type": result.type, "message": _clean(result.message)})
        failure.text = _clean("\n".join(lines or [result.message]))
    else:
        SubElement(case, "system-out").text = _clean("\n".join((result.message, *lines)))


def _clean(text: str) -> str:
    """Returns a text without the characters that XML cannot hold."""
    return _FORBIDDEN.sub("�", text)
