"""Which rows were touched, in order, so that whoever keeps something per row need look at those only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from scheduler_core.snapshot.arrays import RowIndex

_LIMIT: Final = 8192
_MANY: Final = 256


class RowLog:
    """Rows whose pods changed. A position counts entries from the start of the run; old entries are dropped."""

    __slots__ = ("_first", "_rows", "end")

    def __init__(self) -> None:
        self._first = 0
        self._rows: RowIndex = np.empty(2 * _LIMIT, np.intp)
        self.end = 0
        """The position after the last entry."""

    def add(self, row: int) -> None:
        """Notes a row."""
        place = self.end - self._first
        if place == len(self._rows):
            self._rows[:_LIMIT] = self._rows[_LIMIT:]
            self._first += _LIMIT
            place = _LIMIT
        self._rows[place] = row
        self.end += 1

    def since(self, position: int) -> RowIndex | None:
        """The rows touched since ``position``; a row may stand there again, if they are few. None: too long ago.

        Shapes: → intp[n], to be read before the next row is noted
        """
        if position < self._first:
            return None
        rows = self._rows[position - self._first : self.end - self._first]
        return rows if len(rows) <= _MANY else np.unique(rows)
