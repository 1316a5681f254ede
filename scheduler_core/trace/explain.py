"""Detail → sentences: why nodes refused a pod, made once for browser, API and command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.trace.detail import Explanation

if TYPE_CHECKING:
    from scheduler_core.trace.detail import CycleDetail, StatusDetail

MAX_NODES_NAMED: Final = 20
_RESOURCE_PLUGIN: Final = "NodeResourcesFit"
_PORTS_PLUGIN: Final = "NodePorts"
_BINARY_UNITS: Final = (("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))
_BYTES: Final = ("memory", "ephemeral-storage")


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
    if not text:
        text = f"{_count(len(rows))}: {', '.join(status.reasons)}"
    return Explanation(
        text=text,
        plugin=status.plugin,
        code=status.code,
        reasons=status.reasons,
        nodes=tuple(detail.nodes[row] for row in rows[:MAX_NODES_NAMED]),
        num_nodes=len(rows),
    )


def _resources_text(detail: CycleDetail, rows: list[int]) -> str:
    """Such as: 3 nodes lack cpu: the least short is node-7, short by 120m (asked 500m, free 380m of 4)."""
    numbers = detail.numbers.get(_RESOURCE_PLUGIN, {})
    by_resource: dict[str, list[tuple[int, str, dict[str, Any]]]] = {}
    for row in rows:
        for record in numbers.get(str(row), ()):
            entry = (record["short"], detail.nodes[row], record)
            by_resource.setdefault(record["resource"], []).append(entry)
    parts = []
    for resource, found in sorted(by_resource.items()):
        short, node, record = min(found, key=lambda entry: entry[:2])
        free = max(record["allocatable"] - record["used"], 0)
        if resource == "pods":
            parts.append(f"{_count(len(found))} {_have(len(found))} no room for another pod")
            continue
        least = "" if len(found) == 1 else f"the least short is {node}, "
        parts.append(
            f"{_count(len(found))} {_lack(len(found))} {resource}: {least}"
            f"short by {format_amount(resource, short)} "
            f"(asked {format_amount(resource, record['requested'])}, "
            f"free {format_amount(resource, free)} of {format_amount(resource, record['allocatable'])})"
        )
    return "; ".join(parts)


def _ports_text(detail: CycleDetail, rows: list[int]) -> str:
    """Such as: port 443/TCP is taken on 7 nodes, on worker-1 by edge/proxy-0."""
    numbers = detail.numbers.get(_PORTS_PLUGIN, {})
    by_port: dict[str, list[tuple[str, list[str]]]] = {}
    for row in rows:
        for record in numbers.get(str(row), ()):
            holders = by_port.setdefault(f"{record['port']}/{record['protocol']}", [])
            holders.append((detail.nodes[row], record["held_by"]))
    parts = []
    for port, found in by_port.items():
        node, held_by = found[0]
        example = f", on {node} by {', '.join(held_by)}" if held_by else ""
        parts.append(f"port {port} is taken on {_count(len(found))}{example}")
    return "; ".join(parts)


def _count(number: int) -> str:
    return "1 node" if number == 1 else f"{number} nodes"


def _lack(number: int) -> str:
    return "lacks" if number == 1 else "lack"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def format_amount(resource: str, amount: int) -> str:
    """An amount as people write it: cpu from milli-cores ("250m", "1.5"), bytes in binary units ("1.5Gi")."""
    if resource == "cpu":
        return f"{amount}m" if amount % 100 else f"{amount / 1000:g}"
    if resource in _BYTES or resource.startswith("hugepages-"):
        for unit, size in _BINARY_UNITS:
            if abs(amount) >= size:
                return f"{amount / size:.4g}{unit}"
    return str(amount)
