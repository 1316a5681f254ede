"""Terms that pods on nodes carry (their own affinities), each with the rows of its carriers.

An incoming pod asks which of the terms mean it. Most terms name a label, so they are found by the pod's
labels and the rest is not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scheduler_core.api.pod import Pod
    from scheduler_core.snapshot.node_infos import Int64Array, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.pod_kinds import Anchors

T = TypeVar("T")

_FIRST_SIZE: Final = 4
_NO_LABEL: Final = ("", "")


class TermExtractor(Protocol[T]):
    """Which terms a pod carries, for ``PodColumns.carried``; a pod without affinity carries none."""

    def __hash__(self) -> int: ...

    def terms(self, pod_info: PodInfo) -> Iterable[T]:
        """The pod's terms, hashable; a term that stands twice counts twice."""
        ...

    def anchors(self, term: T) -> Anchors:
        """Labels that every pod has which the term means; none if nothing is known of them."""
        ...


class Carriers:
    """How many carriers of one term stand on which rows. A row without any may stand here with 0.

    Shapes: rows: intp[n], counts: int64[n]
    """

    __slots__ = ("_counts", "_rows", "_slots", "total")

    def __init__(self) -> None:
        self.total = 0
        self._slots: dict[int, int] = {}
        self._rows: RowIndex = np.zeros(_FIRST_SIZE, np.intp)
        self._counts: Int64Array = np.zeros(_FIRST_SIZE, np.int64)

    @property
    def rows(self) -> RowIndex:
        """The rows, each once."""
        return self._rows[: len(self._slots)]

    @property
    def counts(self) -> Int64Array:
        """The number of carriers on each of ``rows``."""
        return self._counts[: len(self._slots)]

    def add(self, row: int, delta: int) -> None:
        """Counts carriers that came to a row or left it."""
        slot = self._slots.get(row)
        if slot is None:
            slot = self._slots[row] = len(self._slots)
            if slot == len(self._rows):
                self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
                self._counts = np.concatenate((self._counts, np.zeros_like(self._counts)))
            self._rows[slot] = row
            self._counts[slot] = 0
        self._counts[slot] += delta
        self.total += delta


class CarriedTerms(Generic[T]):
    """Term → its carriers, as of entry ``position`` of the log of pods."""

    __slots__ = ("_by_label", "_carriers", "_extractor", "position")

    def __init__(self, extractor: TermExtractor[T]) -> None:
        self.position = 0
        self._extractor = extractor
        self._carriers: dict[T, Carriers] = {}
        self._by_label: dict[tuple[str, str], dict[T, Carriers]] = {}

    def __len__(self) -> int:
        return len(self._carriers)

    def __getitem__(self, term: T) -> Carriers:
        return self._carriers[term]

    def about(self, labels: Mapping[str, str]) -> Iterator[tuple[T, Carriers]]:
        """Terms that may mean a pod with these labels, with their carriers; no other term means it."""
        if not self._carriers:
            return
        by_label = self._by_label
        yield from by_label.get(_NO_LABEL, {}).items()
        for label in labels.items():
            if label in by_label:
                yield from by_label[label].items()

    def is_about(self, pod: Pod) -> bool:
        """Whether any term may mean a pod."""
        by_label = self._by_label
        if not by_label:
            return False
        return _NO_LABEL in by_label or any(label in by_label for label in pod.metadata.labels.items())

    def update(self, row: int, pod_info: PodInfo, delta: int) -> None:
        """Takes in a pod that came to a row, or one that left it."""
        for term in self._extractor.terms(pod_info):
            carriers = self._carriers.get(term)
            if carriers is None:
                carriers = self._carriers[term] = Carriers()
                for label in self._labels(term):
                    self._by_label.setdefault(label, {})[term] = carriers
            carriers.add(row, delta)
            if carriers.total == 0:
                self._drop(term)

    def _labels(self, term: T) -> list[tuple[str, str]]:
        """The labels under which a term is found: those of its anchor with the fewest values."""
        anchors = self._extractor.anchors(term)
        if not anchors:
            return [_NO_LABEL]
        key, values = min(anchors, key=lambda anchor: (len(anchor[1]), anchor[0]))
        return [(key, value) for value in values]

    def _drop(self, term: T) -> None:
        del self._carriers[term]
        for label in self._labels(term):
            terms = self._by_label[label]
            del terms[term]
            if not terms:
                del self._by_label[label]
