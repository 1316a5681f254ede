"""A verdict as its page tells it: what does not hold first, every pod leading to the cycle that decided."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
from django.db.models import Max
from django.urls import reverse

from playground.models import Check, CycleSummary, Run
from scheduler_core.api import Source
from scheduler_core.checks.reports.words import label, per_workload, place, untold_warnings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.checks import CheckInput, Verdict
    from scheduler_core.checks.verdict import Finding, Result, Shortfall

FIRST = {"fail": 0, "not-worse": 1, "pass": 2}
DAY = 86400
UNITS = ((3600, "h"), (60, "min"), (1, "s"))
MAX_FINDINGS = 50
MAX_ROWS = 100
MAX_PODS = 40
MAX_NODES = 6
IN_OTHER_WORLDS = frozenset({"headroom", "survivesLoss", "rollingUpdate", "daemonSetGrowth"})
"""Expectations that are judged in a further world each; the run of the check does not show that one."""


class Standing(msgspec.Struct):
    """As much of a result as a list of checks needs."""

    status: str
    message: str


class Standings(msgspec.Struct):
    """As much of a verdict as a list of checks needs."""

    results: list[Standing] = []


class Pods:
    """Names of pods with the address of the cycle that decided, where the check's run is there."""

    def __init__(self, check: Check) -> None:
        self._run: Run | None = check.run if check.run is not None and check.run.is_over else None
        rows = CycleSummary.objects.filter(run=self._run).values("pod") if self._run else ()
        self._cycles = {row["pod"]: row["last"] for row in rows.annotate(last=Max("cycle"))} if rows else {}

    def link(self, pod: str) -> dict[str, Any]:
        """Returns a pod as the templates want it.

        Args:
            pod: namespace/name.
        """
        return {
            "name": pod,
            "address": address_of(self._run, pod, self._cycles.get(pod)) if self._run else "",
        }


def address_of(run: Run, pod: str, cycle: int | None) -> str:
    """Returns where a pod's last cycle is seen.

    Args:
        run: of the check.
        pod: namespace/name, or nothing.
        cycle: the last one of the pod, if it has any.
    """
    query = {name: value for name, value in (("cycle", cycle), ("pod", pod)) if value}
    address = reverse("playground:run", args=[run.id])
    return f"{address}?{urlencode(query, safe='/')}" if query else address


def results_of(verdict: Verdict, pods: Pods) -> list[dict[str, Any]]:
    """Returns the expectations, those that do not hold first.

    Args:
        verdict: of the check.
        pods: names with their addresses.
    """
    results = sorted(verdict.results, key=lambda result: FIRST[result.status])
    return [
        {
            "status": result.status,
            "label": label(result),
            "message": _without_orders(result),
            "orders": result.orders,
            "is_apart": result.type in IN_OTHER_WORLDS
            and any(each.pods and not each.without for each in result.findings),
            "findings": [_finding(result, each, pods) for each in result.findings[:MAX_FINDINGS]],
            "more": max(0, len(result.findings) - MAX_FINDINGS),
        }
        for result in results
    ]


def headline_of(results: Sequence[Result] | Sequence[Standing], summary: str) -> str:
    """Returns the verdict in one sentence: what does not hold, where that is one thing.

    Args:
        results: of all expectations.
        summary: of the verdict.
    """
    failing = [each for each in results if each.status == "fail"]
    return failing[0].message if len(failing) == 1 else summary


def _without_orders(result: Result) -> str:
    """Returns the message alone; in how many orders it holds stands beside it."""
    return result.message.partition("; holds in ")[0] if result.orders else result.message


def _finding(result: Result, finding: Finding, pods: Pods) -> dict[str, Any]:
    is_apart = result.type in IN_OTHER_WORLDS
    named = [{"name": pod, "is_apart": True} if is_apart else pods.link(pod) for pod in finding.pods]
    return {
        "message": "" if finding.message == _without_orders(result) else finding.message,
        "plugin": finding.plugin,
        "without": " ".join(finding.without),
        "num_without": len(finding.without),
        "pods": named,
        "more_pods": finding.num_pods - len(named),
        "nodes": finding.nodes[:MAX_NODES],
        "more_nodes": finding.num_nodes - len(finding.nodes[:MAX_NODES]),
        "shortfalls": [{"text": each.text, "percent": _percent(each)} for each in finding.shortfalls],
        "remedies": finding.remedies,
        "place": place(finding.location),
        "field": finding.location.field if finding.location else "",
    }


def outcome_of(verdict: Verdict, pods: Pods) -> dict[str, Any]:
    """Returns where the pods of the change went, who waits, who had to go, and what looks wrong.

    Args:
        verdict: of the check.
        pods: names with their addresses.
    """
    workloads = []
    for workload, placed in list(per_workload(verdict.placements).items())[:MAX_ROWS]:
        nodes = sorted({each.node for each in placed})
        workloads.append(
            {
                "name": workload or placed[0].pod,
                "count": len(placed),
                "after": f"{max(each.seconds for each in placed):g} s",
                "pods": [{**pods.link(each.pod), "node": each.node} for each in placed[:MAX_PODS]],
                "more_pods": max(0, len(placed) - MAX_PODS),
                "nodes": nodes[:MAX_NODES],
                "more_nodes": max(0, len(nodes) - MAX_NODES),
            }
        )
    return {
        "workloads": workloads,
        "waiting": _waiting(verdict, pods),
        "more_pending": max(0, len(verdict.pending) - MAX_ROWS),
        "victims": [
            {"pod": each.pod, "priority": each.priority, "node": each.node, "by": pods.link(each.preemptor)}
            for each in verdict.victims[:MAX_ROWS]
        ],
        "warnings": [
            {"kind": each.kind, "message": each.message, "object": each.object, "place": place(each.location)}
            for each in untold_warnings(verdict)[:MAX_ROWS]
        ],
    }


def _percent(short: Shortfall) -> int:
    """Returns how much of what is wanted is there."""
    return round(100 * min(1.0, max(0.0, short.available / short.wanted))) if short.wanted else 0


def _waiting(verdict: Verdict, pods: Pods) -> list[dict[str, Any]]:
    """Returns the pods without a node, together where the scheduler says the same of them."""
    groups: dict[tuple[bool, str], list[dict[str, Any]]] = {}
    for each in sorted(verdict.pending, key=lambda pending: not pending.is_new)[:MAX_ROWS]:
        groups.setdefault((each.is_new, each.message or "not tried"), []).append(pods.link(each.pod))
    return [
        {"is_new": is_new, "message": message, "pods": named} for (is_new, message), named in groups.items()
    ]


def is_baseline(asked: CheckInput, verdict: Verdict) -> bool:
    """Returns whether only what got worse counted.

    Args:
        asked: the question; its expectations may say it.
        verdict: of the check.
    """
    from scheduler_core.checks import load_expectations  # loads the simulator: not at start

    if asked.baseline is not None:
        return asked.baseline
    documents = [Source(each.name, each.text) for each in asked.expectations]
    if documents:
        return load_expectations(documents, among_manifests=False).baseline
    return any(result.status == "not-worse" for result in verdict.results)


def hours(seconds: float | None) -> str:
    """Returns a duration in the unit that people would use.

    Args:
        seconds: None gives nothing.
    """
    if seconds is None:
        return ""
    if seconds >= 2 * DAY:
        return f"{seconds / DAY:.3g} days"
    size, unit = next((each for each in UNITS if seconds >= each[0]), UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


def command_of(asked: CheckInput, check: Check, server: str) -> str:
    """Returns the command line that repeats a check by this server.

    Args:
        asked: the question.
        check: of which cluster, under which profile.
        server: our address.
    """
    words = ["playground", "check"]
    for each in asked.manifests:
        words += ["-f", each.name]
    for text in asked.deletions:
        words += ["--delete", text]
    for each in asked.expectations:
        words += ["--expect", each.name]
    named = {
        "--orders": asked.orders,
        "--max-snapshot-age": asked.max_snapshot_age,
        "--seed": asked.seed or None,
        "--name": asked.name or None,
        "--profile": check.profile.name if check.profile else None,
    }
    for option, value in named.items():
        words += [option, str(value)] if value is not None else []
    if asked.baseline is not None:
        words.append("--baseline" if asked.baseline else "--no-baseline")
    words += ["--server", server, "--cluster", check.cluster.name]
    return shlex.join(words)
