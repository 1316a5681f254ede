"""What tipped a cycle: why it went otherwise in one run than in the other, as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.trace.compare.facts import CycleFacts, Line
    from scheduler_core.trace.detail import CycleDetail


def tipping_sentences(before: CycleFacts, after: CycleFacts) -> Iterator[str]:
    """Yields what the events of two attempts tell, the most telling first."""
    if before.pod != after.pod:
        yield f"The queue gave {after.pod}; before it gave {before.pod}."
        return
    yield from _outcome(before, after)
    yield from _filters(before.filtered, after.filtered)
    yield from _scores(before, after)


def explain_tipping(before: CycleDetail, after: CycleDetail) -> tuple[str, ...]:
    """Returns which plugins gave the two winners other points, from the details of both cycles.

    The margin is by how much the winner of the second run leads the winner of the first; a plugin tips the scale as far
    as it moves that margin.
    """
    winners = before.node, after.node
    if before.pod != after.pod or None in winners or winners[0] == winners[1]:
        return ()
    old, new = str(winners[0]), str(winners[1])
    moved = []
    for plugin in sorted(before.weighted.keys() | after.weighted.keys()):
        margins = [_margin(detail, plugin, old, new) for detail in (before, after)]
        if None not in margins and margins[0] != margins[1]:
            first, last = int(margins[0] or 0), int(margins[1] or 0)
            moved.append((-abs(last - first), plugin, first, last))
    return tuple(
        f"{plugin} put {new} {_lead(last)} {old}; before {_lead(first)} it."
        for _, plugin, first, last in sorted(moved)
    )


def _margin(detail: CycleDetail, plugin: str, old: str, new: str) -> int | None:
    rows = {detail.nodes[row]: place for place, row in enumerate(detail.scored)}
    points = detail.weighted.get(plugin)
    if points is None:
        return 0
    if old not in rows or new not in rows:
        return None
    return points[rows[new]] - points[rows[old]]


def _lead(points: int) -> str:
    if not points:
        return "level with"
    return f"{points} ahead of" if points > 0 else f"{-points} behind"


def _outcome(before: CycleFacts, after: CycleFacts) -> Iterator[str]:
    if bool(before.node) != bool(after.node):
        won, lost = ("before", before) if before.node else ("now", after)
        other = after if before.node else before
        yield f"{before.pod} was placed on {lost.node} {won}; else: {other.message or 'no node was found'}"
    if before.victims != after.victims:
        yield f"Victims: {_names(after.victims)}; before: {_names(before.victims)}."


def _names(victims: tuple[str, ...]) -> str:
    return ", ".join(victims) or "none"


def _filters(before: Line | None, after: Line | None) -> Iterator[str]:
    if before is None or after is None:
        return
    if before.num_feasible != after.num_feasible:
        yield f"{_nodes(after.num_feasible)} fitted, before {before.num_feasible}."
    for plugin in sorted(before.rejected.keys() | after.rejected.keys()):
        change = after.rejected.get(plugin, 0) - before.rejected.get(plugin, 0)
        if change:
            yield f"{plugin} refused {_nodes(abs(change))} {'more' if change > 0 else 'fewer'}."


def _scores(before: CycleFacts, after: CycleFacts) -> Iterator[str]:
    if not before.node or not after.node or before.node == after.node:
        return
    old = dict(before.scored.scores) if before.scored else {}
    new = dict(after.scored.scores) if after.scored else {}
    if after.node in old and before.node in new:
        was, now = old[after.node] - old[before.node], new[after.node] - new[before.node]
        if was == now == 0:
            ties = after.scored.num_ties if after.scored else 0
            yield f"{ties} nodes were level; the draw fell on {after.node}, before on {before.node}."
            return
        yield (
            f"{after.node} scored {new[after.node]} (before {old[after.node]}), "
            f"{before.node} {new[before.node]} (before {old[before.node]})."
        )
    elif new and before.node not in new:
        yield f"{before.node} was not among the best any more: {_best(new)}."
    elif old and after.node not in old:
        yield f"{after.node} was not among the best before: {_best(old)}."


def _best(scores: dict[str, int]) -> str:
    return ", ".join(f"{node} {total}" for node, total in scores.items())


def _nodes(number: int) -> str:
    return "1 node" if number == 1 else f"{number} nodes"
