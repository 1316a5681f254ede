"""Pods on nodes as columns: how many pods of a kind stand on each row, kept up to date row by row.

Topology spread and pod affinity ask "how many pods that match S are on each node"; identical questions are asked
for every pod of a workload. The answer is an array by row; when a row is touched only its number is counted anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos
    from scheduler_core.snapshot.pod_info import PodInfo


class PodMatcher(Protocol):
    """A question about a pod; equal matchers (by ``__eq__`` and ``__hash__``) share one column."""

    def __hash__(self) -> int: ...

    def matches(self, pod_info: PodInfo) -> bool:
        """Whether the pod counts."""
        ...


class TermExtractor(Protocol):
    """Which terms a pod carries, for ``PodColumns.carried``."""

    def __hash__(self) -> int: ...

    def terms(self, pod_info: PodInfo) -> Iterable[Hashable]:
        """The pod's terms; a term that stands twice counts twice."""
        ...


class _CarriedTerms:
    """Term → number of pods per row that carry it."""

    __slots__ = ("by_row", "columns")

    def __init__(self) -> None:
        self.columns: dict[Hashable, Int64Array] = {}
        self.by_row: dict[int, dict[Hashable, int]] = {}


class PodColumns:
    """Counts of pods per row, by matcher, and of the terms that pods carry."""

    __slots__ = ("_carried", "_counts", "_node_infos", "_stale")

    def __init__(self, node_infos: NodeInfos) -> None:
        self._node_infos = node_infos
        self._counts: dict[PodMatcher, Int64Array] = {}
        self._carried: dict[TermExtractor, _CarriedTerms] = {}
        self._stale: dict[object, set[int]] = {}

    def touch(self, row: int) -> None:
        """Marks a row whose pods changed."""
        for stale in self._stale.values():
            stale.add(row)

    def count(self, matcher: PodMatcher) -> Int64Array:
        """Number of pods per row that ``matcher`` means.

        Shapes: int64[capacity], indexed by row; not to be written to
        """
        column = self._counts.get(matcher)
        if column is None:
            column = np.zeros(self._node_infos.capacity, np.int64)
            self._counts[matcher] = column
            self._stale[matcher] = set(self._node_infos.row_of.values())
        elif len(column) < self._node_infos.capacity:
            column = self._counts[matcher] = _resized(column, self._node_infos.capacity)

        def recount(row: int, pods: Iterable[PodInfo]) -> None:
            column[row] = sum(map(matcher.matches, pods))

        self._refresh(matcher, recount)
        return column

    def carried(self, extractor: TermExtractor) -> dict[Hashable, Int64Array]:
        """Distinct terms that pods on nodes carry → number of carriers per row.

        Shapes: int64[capacity] each, indexed by row; a term that nobody carries any more is left out
        """
        carried = self._carried.get(extractor)
        if carried is None:
            carried = self._carried[extractor] = _CarriedTerms()
            self._stale[extractor] = set(self._node_infos.row_of.values())
        capacity = self._node_infos.capacity
        for term, column in carried.columns.items():
            if len(column) < capacity:
                carried.columns[term] = _resized(column, capacity)
        terms_of = extractor.terms

        def recount(row: int, pods: Iterable[PodInfo]) -> None:
            now: dict[Hashable, int] = {}
            for pod_info in pods:
                for term in terms_of(pod_info):
                    now[term] = now.get(term, 0) + 1
            before = carried.by_row.get(row, {})
            for term in before.keys() - now.keys():
                carried.columns[term][row] = 0
                if not carried.columns[term].any():
                    del carried.columns[term]
            for term, number in now.items():
                if term not in carried.columns:
                    carried.columns[term] = np.zeros(capacity, np.int64)
                carried.columns[term][row] = number
            carried.by_row[row] = now

        self._refresh(extractor, recount)
        return carried.columns

    def _refresh(self, key: object, recount: Callable[[int, Iterable[PodInfo]], None]) -> None:
        stale = self._stale[key]
        for row in sorted(stale):
            info = self._node_infos.infos[row]
            recount(row, () if info is None else info.pods.values())
        stale.clear()


def _resized(column: Int64Array, capacity: int) -> Int64Array:
    resized = np.zeros(capacity, np.int64)
    resized[: len(column)] = column
    return resized
