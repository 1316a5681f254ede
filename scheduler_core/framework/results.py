"""What the runtime gives back: verdicts and scores of many rows at once.

Structs and not named tuples: an attempt makes a dozen of them, each in a quarter of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from scheduler_core.framework.status import PluginError
from scheduler_core.framework.types import MAX_NODE_SCORE, MIN_NODE_SCORE, PASSES
from scheduler_core.snapshot.arrays import where

if TYPE_CHECKING:
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import FilterResult, PreFilterResult
    from scheduler_core.snapshot.node_infos import Int32Array, Int64Array, RowIndex


class PreFilterOutcome(msgspec.Struct, frozen=True):
    """``status`` is None if no plugin refused; ``plugins_with_nodes`` narrowed the nodes."""

    result: PreFilterResult
    status: Status | None
    plugins_with_nodes: frozenset[str]
    by_plugin: tuple[tuple[str, PreFilterResult | None, Status | None], ...]


class Verdicts:
    """First refusals of a set of rows.

    Shapes:
        index: int32[len(rows)]; 0 where the node fits, else k for ``statuses[k - 1]``
    """

    __slots__ = ("index", "rows", "statuses")

    def __init__(
        self, rows: RowIndex, index: Int32Array | None = None, statuses: list[Status] | None = None
    ) -> None:
        self.rows = rows
        self.index: Int32Array = np.zeros(len(rows), np.int32) if index is None else index
        self.statuses: list[Status] = [] if statuses is None else statuses

    def fitting(self) -> RowIndex:
        """The positions of the rows that fit."""
        return where(self.index == PASSES)

    def refuse(self, positions: RowIndex | None, plugin: str, result: FilterResult) -> RowIndex | None:
        """Records a plugin's verdict on the rows at ``positions`` (None: all rows).

        Returns: the positions that still fit, or None if all of them do
        """
        at = where(result.index)
        if not len(at):
            return positions
        index = result.index.take(at) + np.int32(len(self.statuses))
        self.statuses.extend([status.with_plugin(plugin) for status in result.statuses])
        fits = where(result.index == PASSES)
        if positions is None:
            self.index[at] = index
            return fits
        self.index[positions[at]] = index
        return positions[fits]

    def status_at(self, position: int) -> Status | None:
        """The status of a row, or None if it fits."""
        index = int(self.index[position])
        return None if index == PASSES else self.statuses[index - 1]

    def set_status(self, position: int, status: Status | None) -> None:
        """Replaces the verdict on one row."""
        if status is None:
            self.index[position] = PASSES
            return
        self.statuses.append(status)
        self.index[position] = len(self.statuses)


class KnownScores(msgspec.Struct, frozen=True):
    """What is known of the scores of rows beforehand: a weighted sum, and raw scores yet to be normalised.

    Shapes: total: int64[len(rows)]; raw: plugin → int64[len(rows)]
    """

    total: Int64Array
    raw: dict[str, Int64Array]


class Scores(msgspec.Struct, frozen=True):
    """Scores of the feasible rows.

    Shapes:
        raw, normalized, weighted: plugin → int64[len(rows)]
        total: int64[len(rows)]
    """

    rows: RowIndex
    raw: dict[str, Int64Array]
    normalized: dict[str, Int64Array]
    weighted: dict[str, Int64Array]
    weights: dict[str, int]
    total: Int64Array


def check_range(plugin: str, scores: Int64Array) -> None:
    """Holds a plugin to scores within 0…100.

    Raises:
        PluginError: one is not.
    """
    unsigned = scores.view(np.uint64)  # below 0 is far above 100 there
    if not len(unsigned) or unsigned.item(unsigned.argmax()) <= MAX_NODE_SCORE:
        return
    wrong: Any = scores[(scores < MIN_NODE_SCORE) | (scores > MAX_NODE_SCORE)]
    if len(wrong):
        raise PluginError(
            f'applying score defaultWeights on Score plugins: plugin "{plugin}" returns an invalid score '
            f"{wrong[0]}, it should in the range of "
            f"[{MIN_NODE_SCORE}, {MAX_NODE_SCORE}] after normalizing"
        )
