"""Which rows were touched, in order, so that whoever keeps something per row need look at those only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from scheduler_core.snapshot.arrays import RowIndex

_LIMIT: Final = 8192


class RowLog:
    """Rows whose pods changed. A position counts entries from the start of the run; old entries are dropped."""

    __slots__ = ("_first", "_rows")

    def __init__(self) -> None:
        self._first = 0
        self._rows: list[int] = []

    @property
    def end(self) -> int:
        """The position after the last entry."""
        return self._first + len(self._rows)

    def add(self, row: int) -> None:
        """Notes a row."""
        rows = self._rows
        if len(rows) >= 2 * _LIMIT:
            del rows[:_LIMIT]
            self._first += _LIMIT
        rows.append(row)

    def since(self, position: int) -> RowIndex | None:
        """The rows touched since ``position``, each once; None if that is too long ago."""
        if position < self._first:
            return None
        touched = self._rows[position - self._first :]
        return np.array(touched if len(touched) == 1 else sorted(set(touched)), np.intp)
