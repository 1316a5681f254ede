"""How a run ended, as text for people: what was placed, moved, refused, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scheduler_core.simulator import Evicted, RunResult

_GAP: Final = "   "
EDIT: Final = "edit"


def as_text(result: RunResult, before: Mapping[str, str]) -> str:
    """Returns the outcome in sentences, and tables: pods placed or moved, pending, evicted, what was refused.

    Args:
        result: of the run.
        before: pods that had a node before it.
    """
    moved = {move.pod for move in result.moves}
    placed = [
        (pod, node) for pod, node in result.placements.items() if before.get(pod) != node and pod not in moved
    ]
    parts = [f"{len(placed)} placed", f"{result.num_pending} pending", f"{result.num_cycles} cycles"]
    if moved:
        changed = sum(move.before != move.after for move in result.moves)
        parts.insert(1, f"{changed} of {len(moved)} moved")
    gone = [pod for pod in before if pod not in result.placements and pod not in moved]
    if gone:
        parts.insert(1, f"{len(gone)} gone")
    lines = [*(line.text for line in result.headline), ", ".join(parts)]
    lines += _section(("POD", "NODE"), placed)
    lines += _section(
        ("MOVED", "FROM → TO"),
        [
            (move.pod, f"{move.before} → {move.after or 'pending'}")
            for move in result.moves
            if move.before != move.after
        ],
    )
    rows = [(pod.pod, pod.message or pod.waits) for pod in result.pending]
    lines += _section(("PENDING", "REASON"), rows)
    evicted = [(f"{it.pod} from {it.node}", _whom(it)) for it in result.evicted]
    lines += _section(("EVICTED", "BY"), evicted)
    refused = [(it.object, it.message) for it in result.refused]
    refused += [(it.object, it.message) for it in result.not_admitted]
    lines += _section(("REFUSED", "REASON"), refused)
    edits = [(f"{it.edit}. {it.text}", it.message) for it in result.refused_edits]
    lines += _section(("EDIT REFUSED", "REASON"), edits)
    return "\n".join(lines) + "\n"


def _section(head: tuple[str, str], rows: list[tuple[str, str]]) -> list[str]:
    return ["", *_table(head, rows)] if rows else []


def _whom(evicted: Evicted) -> str:
    if evicted.reason == "preempted":
        return f"preempted for {evicted.preemptor or 'a pod of higher priority'}"
    return "a drain" if evicted.by == EDIT else evicted.by


def _table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> list[str]:
    table = [head, *rows]
    width = max(len(first) for first, _ in table)
    return [f"{first:{width}}{_GAP}{second}" for first, second in table]
