"""Detail → sentences: why nodes refused a pod, made once for browser, API and command line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from scheduler_core.trace.detail import Explanation
from scheduler_core.trace.words import format_amount, names, nodes, refusal_words

if TYPE_CHECKING:
    from scheduler_core.trace.detail import CycleDetail, StatusDetail

__all__ = ["explain", "format_amount"]

MAX_NODES_NAMED: Final = 20
_MAX_VARIANTS: Final = 3
_RESOURCE_PLUGIN: Final = "NodeResourcesFit"
_PORTS_PLUGIN: Final = "NodePorts"


def explain(detail: CycleDetail) -> list[Explanation]:
    """Groups the nodes that refused the pod by what they said first; the largest group first."""
    groups: dict[int, list[int]] = {}
    for row, index in enumerate(detail.outcome):
        if index >= 0:
            groups.setdefault(index, []).append(row)
    ranked = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return [_explain_group(detail, detail.statuses[index], rows) for index, rows in ranked]


def _explain_group(detail: CycleDetail, status: StatusDetail, rows: list[int]) -> Explanation:
    text = ""
    if status.plugin == _RESOURCE_PLUGIN:
        text = _resources_text(detail, rows)
    elif status.plugin == _PORTS_PLUGIN:
        text = _ports_text(detail, rows)
    return Explanation(
        text=text or _variants_text(detail, status, rows),
        plugin=status.plugin,
        code=status.code,
        reasons=status.reasons,
        nodes=tuple(detail.nodes[row] for row in rows[:MAX_NODES_NAMED]),
        num_nodes=len(rows),
    )


def _variants_text(detail: CycleDetail, status: StatusDetail, rows: list[int]) -> str:
    """What is said of the nodes, the most frequent first: 4 nodes: …; 1 node: …"""
    found = Counter(refusal_words(status, detail.records_of(status.plugin, row)) for row in rows)
    most = found.most_common(_MAX_VARIANTS)
    shown = [f"{nodes(number)}: {words}" for words, number in most]
    rest = len(rows) - sum(number for _, number in most)
    if rest:
        shown.append(f"{nodes(rest)} for the like")
    return "; ".join(shown)


def _resources_text(detail: CycleDetail, rows: list[int]) -> str:
    """Such as: 3 nodes lack cpu: the least short is node-7, short by 120m (asked 500m, free 380m of 4)."""
    by_resource: dict[str, list[tuple[int, str, dict[str, Any]]]] = {}
    for row in rows:
        for record in detail.records_of(_RESOURCE_PLUGIN, row):
            entry = (record["short"], detail.nodes[row], record)
            by_resource.setdefault(record["resource"], []).append(entry)
    parts = []
    for resource, found in sorted(by_resource.items()):
        short, node, record = min(found, key=lambda entry: entry[:2])
        free = max(record["allocatable"] - record["used"], 0)
        if resource == "pods":
            parts.append(f"{nodes(len(found))} {_have(len(found))} no room for another pod")
            continue
        least = "" if len(found) == 1 else f"the least short is {node}, "
        parts.append(
            f"{nodes(len(found))} {_lack(len(found))} {resource}: {least}"
            f"short by {format_amount(resource, short)} "
            f"(asked {format_amount(resource, record['requested'])}, "
            f"free {format_amount(resource, free)} of {format_amount(resource, record['allocatable'])})"
        )
    return "; ".join(parts)


def _ports_text(detail: CycleDetail, rows: list[int]) -> str:
    """Such as: port 443/TCP is taken on 7 nodes, on worker-1 by edge/proxy-0."""
    by_port: dict[str, list[tuple[str, list[str]]]] = {}
    for row in rows:
        for record in detail.records_of(_PORTS_PLUGIN, row):
            holders = by_port.setdefault(f"{record['port']}/{record['protocol']}", [])
            holders.append((detail.nodes[row], record["held_by"]))
    parts = []
    for port, found in by_port.items():
        node, held_by = found[0]
        example = f", on {node} by {names(held_by)}" if held_by else ""
        parts.append(f"port {port} is taken on {nodes(len(found))}{example}")
    return "; ".join(parts)


def _lack(number: int) -> str:
    return "lacks" if number == 1 else "lack"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"
