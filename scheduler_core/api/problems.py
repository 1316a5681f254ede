"""Faults of the text itself, met while reading a source; placed by line and column where they were seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from scheduler_core.errors import LIMIT


class Problem(NamedTuple):
    """One fault of a text."""

    type: str
    message: str
    document: int = 0
    line: int | None = None
    column: int | None = None
    value: str = ""


class LimitExceeded(Exception):
    """Reading stops: the input is larger than we take."""

    def __init__(
        self, message: str, document: int = 0, line: int | None = None, column: int | None = None
    ) -> None:
        super().__init__(message)
        self.problem = Problem(LIMIT, message, document, line, column)


class Item(NamedTuple):
    """One item of a List that is read item by item."""

    value: Any
    problems: tuple[Problem, ...]


class Document(NamedTuple):
    """The value of one document, and what is wrong with its text; a faulty one has no value.

    Args:
        number: from 1, empty documents counted.
        value: what the document says, in plain values.
        problems: what is wrong with the text.
        items: the items of a List, if they are not in the value but to be taken from here.
    """

    number: int
    value: Any
    problems: tuple[Problem, ...] = ()
    items: Iterator[Item] | None = None


def line_and_column(text: str, index: int) -> tuple[int, int]:
    """Returns the place of a character, from 1."""
    line_start = text.rfind("\n", 0, index) + 1
    return text.count("\n", 0, index) + 1, index - line_start + 1


class Lines:
    """Finds lines and columns in UTF-8 text; places asked for in their order cost one walk together."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._index = 0
        self._line = 1

    def place(self, index: int) -> tuple[int, int]:
        """Returns the place of a byte, from 1, columns in characters."""
        if index < self._index:
            self._index, self._line = 0, 1
        self._line += self._data.count(b"\n", self._index, index)
        self._index = index
        line_start = self._data.rfind(b"\n", 0, index) + 1
        return self._line, len(self._data[line_start:index].decode("utf-8", "replace")) + 1
