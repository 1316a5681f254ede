"""Interning: equal values get equal small numbers, once, so that columns compare integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

T = TypeVar("T", bound="Hashable")

ABSENT = -1
"""The id of a value that is not there (a node without the label)."""


class Vocabulary(Generic[T]):
    """Value ↔ id, in the order in which values were first seen."""

    __slots__ = ("_ids", "values")

    def __init__(self) -> None:
        self.values: list[T] = []
        self._ids: dict[T, int] = {}

    def __len__(self) -> int:
        return len(self.values)

    def id(self, value: T) -> int:
        """The id of ``value``, made when it is new."""
        found = self._ids.get(value)
        if found is None:
            found = self._ids[value] = len(self.values)
            self.values.append(value)
        return found

    def find(self, value: T) -> int:
        """The id of ``value``, or ABSENT if it was never seen."""
        return self._ids.get(value, ABSENT)
