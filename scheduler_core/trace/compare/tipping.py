"""What tipped a cycle: why it went otherwise in one run than in the other, as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.trace.compare.facts import CycleFacts, Line
    from scheduler_core.trace.detail import CycleDetail


class ScoreRow(msgspec.Struct, frozen=True):
    """A plugin's weighted points for the two winners, in the two attempts; None where a node was not scored.

    Args:
        plugin: who gave them
        old_before: for the winner of the first run, in that run
        new_before: for the winner of the second run, in the first one
        old_after: for the winner of the first run, in the second one
        new_after: for the winner of the second run, in that run
    """

    plugin: str
    old_before: int | None
    new_before: int | None
    old_after: int | None
    new_after: int | None

    @property
    def margins(self) -> tuple[int, int] | None:
        """By how much the second winner leads the first one, before and after; None where one was not scored."""
        if self.old_before is None or self.new_before is None:
            return None
        if self.old_after is None or self.new_after is None:
            return None
        return self.new_before - self.old_before, self.new_after - self.old_after

    @property
    def tilt(self) -> int:
        """How far the plugin moved the scale between the two winners."""
        first, last = self.margins or (0, 0)
        return abs(last - first)


def score_rows(before: CycleDetail, after: CycleDetail) -> tuple[ScoreRow, ...]:
    """Returns each plugin's points for the two winners in both attempts, those that tipped the scale first."""
    winners = before.node, after.node
    if before.pod != after.pod or None in winners or winners[0] == winners[1]:
        return ()
    old, new = str(winners[0]), str(winners[1])
    rows = [
        ScoreRow(
            plugin, *(_points(detail, plugin, node) for detail in (before, after) for node in (old, new))
        )
        for plugin in sorted(before.weighted.keys() | after.weighted.keys())
    ]
    return tuple(sorted(rows, key=lambda row: -row.tilt))


def _points(detail: CycleDetail, plugin: str, node: str) -> int | None:
    """A node's points by a plugin; 0 by one that did not score, None for a node that was not scored."""
    for place, row in enumerate(detail.scored):
        if detail.nodes[row] == node:
            points = detail.weighted.get(plugin)
            return 0 if points is None else points[place]
    return None


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
    return tuple(
        f"{row.plugin} put {after.node} {_lead(row.margins[1])} {before.node}; before {_lead(row.margins[0])} it."
        for row in score_rows(before, after)
        if row.margins and row.tilt
    )


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
