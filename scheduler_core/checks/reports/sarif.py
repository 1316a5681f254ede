"""SARIF 2.1.0: a result for each finding, under the rule of the plugin that decides, at the field that blocks.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import msgspec

from scheduler_core.checks.reports.words import label, untold_warnings
from scheduler_core.checks.warning_kinds import WARNING_KINDS

if TYPE_CHECKING:
    from scheduler_core.checks.verdict import Finding, Location, Result, Verdict

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0-rtm.5.json"
_PLUGINS_HELP: Final = "https://kubernetes.io/docs/reference/scheduling/config/#scheduling-plugins"
_LEVELS: Final = {"fail": "error", "not-worse": "note"}


def render(verdict: Verdict) -> str:
    """Returns the report."""
    return msgspec.json.format(msgspec.json.encode(_Log(verdict).log()), indent=2).decode() + "\n"


class _Log:
    """One report: rules in the order in which they are first used."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.rules: dict[str, dict[str, Any]] = {}
        self.results: list[dict[str, Any]] = []

    def log(self) -> dict[str, Any]:
        """Returns the log as plain values."""
        verdict = self.verdict
        for result in verdict.results:
            for finding in result.findings:
                self._add(finding, result)
        for warning in untold_warnings(verdict):
            rule = self._rule(warning.kind, WARNING_KINDS[warning.kind], plugin=False)
            about = f"{warning.object}: " if warning.object else ""
            self._append(rule, "warning", f"{about}{warning.message}", warning.location, warning.object)
        driver = {
            "name": "scheduler-playground",
            "version": verdict.engine_version,
            "properties": {"kubernetesVersion": verdict.kubernetes_version},
            "rules": list(self.rules.values()),
        }
        ran = verdict.outcome in ("pass", "fail")
        invocation: dict[str, Any] = {"executionSuccessful": ran}
        if not ran:
            notice = {"level": "error", "message": {"text": verdict.summary}}
            invocation["toolExecutionNotifications"] = [notice]
        run = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": self.results,
            "properties": {"outcome": verdict.outcome, "summary": verdict.summary},
        }
        return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}

    def _add(self, finding: Finding, result: Result) -> None:
        level = _LEVELS.get(result.status)
        if level is None:
            return
        if finding.plugin:
            rule = self._rule(finding.plugin, f"What the plugin {finding.plugin} refuses", plugin=True)
        else:
            rule = self._rule(result.type, f"The expectation {result.type} does not hold", plugin=False)
        parts = [finding.message, *(f"Would help: {remedy}" for remedy in finding.remedies)]
        location = finding.location or result.location
        about = (location.object if location is not None else "") or ",".join(finding.pods)
        added = self._append(rule, level, "\n".join(parts), location, about)
        added["baselineState"] = "unchanged" if result.status == "not-worse" else "new"
        added["properties"] = {
            "expectation": label(result),
            "pods": list(finding.pods),
            "nodes": list(finding.nodes),
            "shortfalls": msgspec.to_builtins(finding.shortfalls),
        }

    def _rule(self, id_: str, text: str, *, plugin: bool) -> int:
        if id_ not in self.rules:
            self.rules[id_] = {
                "id": id_,
                "name": id_[0].upper() + id_[1:],
                "shortDescription": {"text": text},
            }
            if plugin:
                self.rules[id_]["helpUri"] = _PLUGINS_HELP
        return list(self.rules).index(id_)

    def _append(
        self, rule: int, level: str, text: str, location: Location | None, about: str
    ) -> dict[str, Any]:
        id_ = list(self.rules)[rule]
        fingerprint = hashlib.sha256(f"{id_}\0{about}".encode()).hexdigest()
        result: dict[str, Any] = {
            "ruleId": id_,
            "ruleIndex": rule,
            "level": level,
            "message": {"text": text},
            "locations": [self._location(location)],
            "partialFingerprints": {"ruleAndObject/v1": fingerprint},
        }
        self.results.append(result)
        return result

    def _location(self, location: Location | None) -> dict[str, Any]:
        """Returns a place; what has none of its own stands at the first line of the first file."""
        file = location.file if location is not None else next(iter(self.verdict.files), "manifests")
        region = (
            {"startLine": location.line, "startColumn": location.column} if location else {"startLine": 1}
        )
        artifact = {"uri": quote(file.replace("\\", "/"), safe="/._-~")}
        told: dict[str, Any] = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
        if location is not None and location.object:
            name = f"{location.object} {location.field}".rstrip()
            told["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "object"}]
        return told
