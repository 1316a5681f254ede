"""Verdicts on interned values: each distinct value is judged once, a row takes the verdict of its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from scheduler_core.snapshot.node_infos import Int32Array, Int64Array
    from scheduler_core.snapshot.vocabulary import Vocabulary

V = TypeVar("V", bound="Hashable")
K = TypeVar("K", bound="Hashable")


class InternedVerdicts(Generic[V]):
    """A number per value of a vocabulary; values that come later are judged when first asked for."""

    __slots__ = ("_judge", "_verdicts", "vocabulary")

    def __init__(self, vocabulary: Vocabulary[V], judge: Callable[[V], int]) -> None:
        self.vocabulary = vocabulary
        self._judge = judge
        self._verdicts: Int64Array = np.zeros(0, np.int64)

    def take(self, ids: Int32Array) -> Int64Array:
        """The verdicts on the values with these ids.

        Shapes: int32[n] → int64[n]
        """
        values = self.vocabulary.values
        known = len(self._verdicts)
        if len(values) > known:
            judged = np.fromiter(map(self._judge, values[known:]), np.int64, len(values) - known)
            self._verdicts = np.concatenate((self._verdicts, judged))
        return self._verdicts.take(ids)


class VerdictCache(Generic[K, V]):
    """Verdicts by question (a pod's tolerations, its ports), so that equal pods share them.

    Keeps the last ``size`` questions; forgetting one costs time, never changes an answer.
    """

    __slots__ = ("_entries", "_judge", "_size")

    def __init__(self, judge: Callable[[K, V], int], size: int = 256) -> None:
        self._judge = judge
        self._size = size
        self._entries: dict[K, InternedVerdicts[V]] = {}

    def get(self, question: K, vocabulary: Vocabulary[V]) -> InternedVerdicts[V]:
        """The verdicts for a question on the values of a vocabulary."""
        entry = self._entries.get(question)
        if entry is None or entry.vocabulary is not vocabulary:
            judge = self._judge
            entry = InternedVerdicts(vocabulary, lambda value: judge(question, value))
            self._entries[question] = entry
            if len(self._entries) > self._size:
                del self._entries[next(iter(self._entries))]
        return entry
