"""What would make a pod fit: changes, read off the verdicts of every filter on every node.

A node that a single plugin refuses would fit once that plugin is content, for each filter judged it by itself. Where
every node is refused by several, the nodes with the fewest refusals are told with all changes together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.trace.changes import amounts, ask_less, can_be_freed, change_for
from scheduler_core.trace.detail import Remedy
from scheduler_core.trace.words import format_amount, names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.trace.changes import Change
    from scheduler_core.trace.detail import CycleDetail, Record, StatusDetail

MAX_REMEDIES: Final = 6
MAX_NODES_NAMED: Final = 20
_RESOURCES: Final = "NodeResourcesFit"
_MAX_TOGETHER: Final = 3


def explain_fit(detail: CycleDetail) -> list[Remedy]:
    """The changes that would let the pod fit somewhere, the smallest first; none where a node fits."""
    if detail.num_feasible or not detail.outcome:
        return []
    found = [] if detail.nominated_node is None else [_wait(detail, detail.nominated_node)]
    refusals = {row: _by_plugins(detail, row) for row, index in enumerate(detail.outcome) if index >= 0}
    fewest = min((len(statuses) for statuses in refusals.values()), default=0)
    if fewest == 0 or fewest > _MAX_TOGETHER:
        return found
    rows = {row: statuses for row, statuses in refusals.items() if len(statuses) == fewest}
    together = _resource_remedies(detail, rows) if fewest == 1 else []
    groups: dict[tuple[Change, ...], list[int]] = {}
    for row, statuses in rows.items():
        if fewest == 1 and statuses[0].plugin == _RESOURCES and detail.records_of(_RESOURCES, row):
            continue
        changes = tuple(change_for(status, detail.records_of(status.plugin, row), "") for status in statuses)
        groups.setdefault(changes, []).append(row)
    ranked = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    found += together
    found += [_remedy(detail, changes, rows[found_rows[0]], found_rows) for changes, found_rows in ranked]
    return found[:MAX_REMEDIES]


def remedies_for(detail: CycleDetail, row: int) -> list[Remedy]:
    """What would make one node fit: a change for each plugin that refuses it; all of them are needed."""
    node = detail.nodes[row]
    return [
        Remedy(*change_for(status, detail.records_of(status.plugin, row), node), status.plugin, (node,), 1)
        for status in _by_plugins(detail, row)
    ]


def _by_plugins(detail: CycleDetail, row: int) -> list[StatusDetail]:
    """The refusals; what PreFilter's set of nodes leaves out is left to the plugins that say why."""
    found = detail.refusals_of(row)
    return [status for status in found if status.plugin] or found


def _wait(detail: CycleDetail, node: str) -> Remedy:
    victims = names(detail.victims) or "the pods that leave it"
    gone = "is gone" if len(detail.victims) == 1 else "are gone"
    return Remedy("wait", f"Wait: {node} is promised to the pod once {victims} {gone}", "", (node,), 1)


def _remedy(
    detail: CycleDetail, changes: Sequence[Change], statuses: Sequence[StatusDetail], rows: list[int]
) -> Remedy:
    kind = changes[0].kind if len(changes) == 1 else "several"
    what = "; and ".join(change.text for change in changes)
    named = tuple(detail.nodes[row] for row in rows[:MAX_NODES_NAMED])
    text = f"{what}: {names(named, len(rows))} would fit"
    plugin = statuses[0].plugin if len(changes) == 1 else ""
    return Remedy(kind, text, plugin, named, len(rows))


def _resource_remedies(detail: CycleDetail, rows: dict[int, list[StatusDetail]]) -> list[Remedy]:
    """Ask for less, or free some: for the node that comes nearest."""
    short = {
        row: records
        for row, statuses in rows.items()
        if statuses[0].plugin == _RESOURCES and (records := detail.records_of(_RESOURCES, row))
    }
    if not short:
        return []
    nearest = min(short, key=lambda row: (max(map(_share, short[row])), row))
    found = []
    less = {record["resource"]: record["short"] for record in short[nearest]}
    if "pods" not in less and all(record["requested"] > record["short"] for record in short[nearest]):
        fitting = [
            row
            for row, records in short.items()
            if all(record["short"] <= less.get(record["resource"], 0) for record in records)
        ]
        asked = " and ".join(ask_less(record) for record in short[nearest])
        named = tuple(detail.nodes[row] for row in fitting[:MAX_NODES_NAMED])
        text = f"{asked}: {names(named, len(fitting))} would fit"
        found.append(Remedy("requests", text, _RESOURCES, named, len(fitting)))
    possible = [row for row, records in short.items() if all(can_be_freed(record) for record in records)]
    if possible:
        row = min(possible, key=lambda row: (max(map(_share, short[row])), row))
        node = detail.nodes[row]
        text = f"Free {amounts(short[row])} on {node}: it would fit"
        found.append(Remedy("free", text, _RESOURCES, (node,), 1))
    else:
        found.append(Remedy("add", _add_node(short), _RESOURCES, (), 0))
    return found


def _share(record: Record) -> float:
    share: float = record["short"] / max(record["requested"], 1)
    return share


def _add_node(short: dict[int, list[Record]]) -> str:
    """No node is large enough even when empty: what the largest has, and what one would need."""
    largest: dict[str, tuple[int, int]] = {}
    for records in short.values():
        for record in records:
            if not can_be_freed(record):
                known = largest.get(record["resource"], (0, 0))[1]
                most = max(known, record["allocatable"])
                largest[record["resource"]] = (record["requested"], most)
    parts = [
        f"{format_amount(resource, asked)} {resource} (the largest that else fits has "
        f"{format_amount(resource, most)})"
        for resource, (asked, most) in sorted(largest.items())
    ]
    return f"Add a node with at least {' and '.join(parts)}"
