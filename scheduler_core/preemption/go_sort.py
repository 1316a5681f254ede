"""Go's ``sort.Slice``: a sort that is not stable; what it makes of equal items is part of the outcome.

It is a pattern-defeating quicksort: insertion sort up to 12 items, else a pivot from a median of three (of
nine from 50 items), three swaps by a generator seeded with the length after a lopsided partition, heapsort
after too many of those.

Source: Orson Peters, "Pattern-defeating Quicksort" (2021); Go 1.24, package sort, Slice
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

MAX_INSERTION: Final = 12
"""Up to this length equal items keep their order."""
_MIN_NINTHER: Final = 50
_MIN_SHIFT: Final = 50
_MAX_SHIFTS: Final = 5
_MAX_PIVOT_SWAPS: Final = 12
_UINT64: Final = 2**64 - 1


class _Hint(Enum):
    UNKNOWN = 0
    INCREASING = 1
    DECREASING = 2


def sort_slice(items: list[T], less: Callable[[T, T], bool]) -> None:
    """Sorts ``items`` in place; ``less`` need not be a strict order."""
    _Sorter(items, less).sort(0, len(items), len(items).bit_length())


class _Sorter(Generic[T]):
    """Sorts ranges ``[a, b)`` of a list."""

    __slots__ = ("_items", "_less")

    def __init__(self, items: list[T], less: Callable[[T, T], bool]) -> None:
        self._items = items
        self._less = less

    def sort(self, a: int, b: int, limit: int) -> None:
        balanced = partitioned = True
        while b - a > MAX_INSERTION:
            length = b - a
            if limit == 0:
                self._heap_sort(a, b)
                return
            if not balanced:
                self._break_patterns(a, b)
                limit -= 1
            pivot, hint = self._choose_pivot(a, b)
            if hint is _Hint.DECREASING:
                self._items[a:b] = self._items[a:b][::-1]
                pivot = b - 1 - (pivot - a)
                hint = _Hint.INCREASING
            if balanced and partitioned and hint is _Hint.INCREASING and self._is_nearly_sorted(a, b):
                return
            if a > 0 and not self._before(a - 1, pivot):
                a = self._partition_equal(a, b, pivot)
                continue
            middle, partitioned = self._partition(a, b, pivot)
            balanced = min(middle - a, b - middle) >= length // 8
            if middle - a < b - middle:
                self.sort(a, middle, limit)
                a = middle + 1
            else:
                self.sort(middle + 1, b, limit)
                b = middle
        self._insertion_sort(a, b)

    def _before(self, i: int, j: int) -> bool:
        return self._less(self._items[i], self._items[j])

    def _swap(self, i: int, j: int) -> None:
        items = self._items
        items[i], items[j] = items[j], items[i]

    def _insertion_sort(self, a: int, b: int) -> None:
        for i in range(a + 1, b):
            j = i
            while j > a and self._before(j, j - 1):
                self._swap(j, j - 1)
                j -= 1

    def _partition(self, a: int, b: int, pivot: int) -> tuple[int, bool]:
        """Smaller items to the left of the pivot, the others to the right: (its place, nothing was moved)."""
        self._swap(a, pivot)
        i, j = a + 1, b - 1
        moved = False
        while True:
            while i <= j and self._before(i, a):
                i += 1
            while i <= j and not self._before(j, a):
                j -= 1
            if i > j:
                break
            self._swap(i, j)
            moved = True
            i += 1
            j -= 1
        self._swap(j, a)
        return j, not moved

    def _partition_equal(self, a: int, b: int, pivot: int) -> int:
        """Items equal to the pivot to the left: where the greater ones begin."""
        self._swap(a, pivot)
        i, j = a + 1, b - 1
        while True:
            while i <= j and not self._before(a, i):
                i += 1
            while i <= j and self._before(a, j):
                j -= 1
            if i > j:
                return i
            self._swap(i, j)
            i += 1
            j -= 1

    def _is_nearly_sorted(self, a: int, b: int) -> bool:
        """Mends a few neighbours that are out of order; whether that was all there was to do."""
        i = a + 1
        for _ in range(_MAX_SHIFTS):
            while i < b and not self._before(i, i - 1):
                i += 1
            if i == b:
                return True
            if b - a < _MIN_SHIFT:
                return False
            self._swap(i, i - 1)
            if i - a >= 2:
                j = i - 1
                while j >= 1 and self._before(j, j - 1):
                    self._swap(j, j - 1)
                    j -= 1
            if b - i >= 2:
                j = i + 1
                while j < b and self._before(j, j - 1):
                    self._swap(j, j - 1)
                    j += 1
        return False

    def _break_patterns(self, a: int, b: int) -> None:
        length = b - a
        state = length
        mask = (1 << length.bit_length()) - 1
        middle = a + length // 4 * 2
        for i in range(3):
            state ^= state << 13 & _UINT64
            state ^= state >> 7
            state ^= state << 17 & _UINT64
            other = state & mask
            self._swap(middle - 1 + i, a + (other - length if other >= length else other))

    def _choose_pivot(self, a: int, b: int) -> tuple[int, _Hint]:
        length = b - a
        quarters = [a + length // 4 * part for part in (1, 2, 3)]
        swaps = 0
        if length >= _MIN_NINTHER:
            for part, at in enumerate(quarters):
                quarters[part], more = self._median(at - 1, at, at + 1)
                swaps += more
        pivot, more = self._median(*quarters)
        swaps += more
        if swaps == 0:
            return pivot, _Hint.INCREASING
        return pivot, _Hint.DECREASING if swaps == _MAX_PIVOT_SWAPS else _Hint.UNKNOWN

    def _median(self, i: int, j: int, k: int) -> tuple[int, int]:
        """Which of three places holds the median, and how many exchanges it took to tell."""
        swaps = 0
        if self._before(j, i):
            i, j = j, i
            swaps += 1
        if self._before(k, j):
            j = k
            swaps += 1
        if self._before(j, i):
            j = i
            swaps += 1
        return j, swaps

    def _heap_sort(self, a: int, b: int) -> None:
        length = b - a
        for root in range((length - 1) // 2, -1, -1):
            self._sift_down(a, root, length)
        for end in range(length - 1, -1, -1):
            self._swap(a, a + end)
            self._sift_down(a, 0, end)

    def _sift_down(self, first: int, root: int, end: int) -> None:
        while (child := 2 * root + 1) < end:
            if child + 1 < end and self._before(first + child, first + child + 1):
                child += 1
            if not self._before(first + root, first + child):
                return
            self._swap(first + root, first + child)
            root = child
