"""Pods on nodes as columns: how many pods of a kind stand on each row, kept up to date pod by pod.

Topology spread and pod affinity ask "how many pods that match S are on each node"; identical questions are
asked for every pod of a workload. Every pod that comes or goes is one entry of a log; an answer is brought up
to date by the entries that came since it was last asked for. Pods with affinity have a second log, so that nobody
looks for terms of those without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np

from scheduler_core.snapshot.carried_terms import CarriedTerms
from scheduler_core.snapshot.pod_kinds import PodKinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.snapshot.carried_terms import TermExtractor
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import Int32Array, Int64Array, NodeInfos
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.pod_kinds import Anchors, PodKind

T = TypeVar("T")

_LOG_LIMIT: Final = 4096
_MAX_COLUMNS: Final = 256
_LONG_LAG: Final = 64
_NO_SUMS: Final = np.zeros(0, np.int64)


class PodMatcher(Protocol):
    """A question about a pod; equal matchers (by ``__eq__`` and ``__hash__``) share one column."""

    def __hash__(self) -> int: ...

    def matches(self, pod_info: PodInfo) -> bool:
        """Whether the pod counts."""
        ...


@runtime_checkable
class LabelMatcher(PodMatcher, Protocol):
    """A matcher that reads a pod's namespace, its labels and whether it is on its way out, and nothing else."""

    def anchors(self) -> Anchors:
        """Labels that every pod that counts has; none if nothing is known of them."""
        ...


PodChange: TypeAlias = "tuple[int, PodInfo, int]"
"""(row, pod, delta): a pod came to a row (+1) or left it (-1)."""


class _Column:
    """An answer, as of entry ``position`` of the log; ``anchors`` is None where labels do not tell.

    ``verdicts`` are those on the kinds that came or went since it was made; ``by_slot`` has sums over domains, by
    label key, with the slots of the rows that they were made with.
    """

    __slots__ = ("anchors", "by_slot", "counts", "position", "verdicts")

    def __init__(self, counts: Int64Array, position: int, anchors: Anchors | None) -> None:
        self.counts = counts
        self.position = position
        self.anchors = anchors
        self.verdicts: dict[PodKind, bool] = {}
        self.by_slot: dict[str, tuple[Int32Array, Int64Array]] = {}

    def add(self, row: int, delta: int) -> None:
        """Counts pods that came to a row or left it."""
        self.counts[row] += delta
        for slots, sums in self.by_slot.values():
            slot = slots[row]
            if slot:
                sums[slot] += delta


class PodColumns:
    """Counts of pods per row, by matcher, and of the terms that pods carry."""

    __slots__ = (
        "_affinity_log",
        "_carried",
        "_columns",
        "_kind_log",
        "_kinds",
        "_kinds_read",
        "_log",
        "_node_infos",
        "_num_pods",
        "_reuse",
        "_sources",
        "_with_affinity",
    )

    def __init__(self, node_infos: NodeInfos, *, reuse: bool = True) -> None:
        """Without ``reuse`` every question is answered by counting all pods."""
        self._node_infos = node_infos
        self._reuse = reuse
        self._sources: dict[int, NodeInfo] = {}
        self._num_pods = 0
        self._log: list[PodChange] = []
        self._affinity_log: list[PodChange] = []
        self._with_affinity: dict[str, tuple[int, PodInfo]] = {}
        self._kinds: PodKinds | None = None
        self._kind_log: list[PodKind] = []
        self._kinds_read = 0
        self._columns: dict[PodMatcher, _Column] = {}
        self._carried: dict[TermExtractor[Any], CarriedTerms[Any]] = {}

    def touch(self, row: int) -> None:
        """Notes which pods came to a row and left it since it was last touched."""
        info, source = self._node_infos.infos[row], self._sources.get(row)
        if info is not source:
            self._take_over(row, source, info)
        elif info is not None:
            for pod_info, delta in info.changes:
                self._note(row, pod_info, delta)
            info.changes.clear()
        if len(self._log) > _LOG_LIMIT + self._num_pods:
            self._shorten_logs()

    def _note(self, row: int, pod_info: PodInfo, delta: int) -> None:
        change = (row, pod_info, delta)
        self._log.append(change)
        if pod_info.pod.spec.affinity is not None:
            self._note_affinity(change)
        self._num_pods += delta

    def _note_affinity(self, change: PodChange) -> None:
        self._affinity_log.append(change)
        row, pod_info, delta = change
        if delta > 0:
            self._with_affinity[pod_info.uid] = row, pod_info
        elif self._with_affinity.get(pod_info.uid, (-1,))[0] == row:
            del self._with_affinity[pod_info.uid]

    def _take_over(self, row: int, before: NodeInfo | None, now: NodeInfo | None) -> None:
        """Takes over the pods of a row that has another node than before."""
        if before is not None:
            del self._sources[row]
            for pod_info in before.pods_last_read():
                self._note(row, pod_info, -1)
        if now is not None:
            self._sources[row] = now
            now.changes.clear()
            for pod_info in now.pods.values():
                self._note(row, pod_info, 1)

    def count(self, matcher: PodMatcher) -> Int64Array:
        """Number of pods per row that ``matcher`` means.

        Shapes: int64[capacity], indexed by row; not to be written to
        """
        column = self._columns.get(matcher) if self._reuse else None
        if column is None or self._is_stale(column):
            column = self._new_column(matcher)
        elif column.position < len(self._log):
            self._bring_up_to_date(column, matcher)
        return column.counts

    def count_by_slot(self, matcher: PodMatcher, key: str) -> Int64Array:
        """Number of pods that ``matcher`` means by slot of label ``key``; slot 0, for nodes without it, has 0.

        Shapes: int64[slots], see LabelColumns.slots; not to be written to
        """
        counts = self.count(matcher)
        labels, by_slot = self._node_infos.label_columns, self._columns[matcher].by_slot
        slots, size = labels.slots(key), len(labels.values) + 1
        known, sums = by_slot.get(key, (None, _NO_SUMS))
        if known is not slots:  # labels have changed since
            sums = np.bincount(slots, weights=counts, minlength=size).astype(np.int64)
            sums[0] = 0
        elif len(sums) < size:
            sums = np.concatenate((sums, np.zeros(size - len(sums), np.int64)))
        else:
            return sums
        by_slot[key] = slots, sums
        return sums

    def _bring_up_to_date(self, column: _Column, matcher: PodMatcher) -> None:
        matches, changes = matcher.matches, self._log[column.position :]
        if column.anchors is None:
            for row, pod_info, delta in changes:
                if matches(pod_info):
                    column.add(row, delta)
        else:
            verdicts = column.verdicts
            self._read_kinds()
            kinds = self._kind_log[column.position - len(self._log) :]
            for (row, _, delta), kind in zip(changes, kinds, strict=True):
                counts_here = verdicts.get(kind)
                if counts_here is None:
                    counts_here = verdicts[kind] = matches(kind.pod_info)
                if counts_here:
                    column.add(row, delta)
        column.position = len(self._log)

    @property
    def have_affinity(self) -> bool:
        """Whether any pod on a node has affinity, and so may carry terms."""
        return bool(self._with_affinity)

    def carried(self, extractor: TermExtractor[T]) -> CarriedTerms[T]:
        """The distinct terms that pods on nodes carry, each with its number of carriers per row."""
        carried = self._carried.get(extractor) if self._reuse else None
        if carried is None:
            carried = self._carried[extractor] = CarriedTerms(extractor)
            carried.position = len(self._affinity_log)
            for row, pod_info in self._with_affinity.values():
                carried.update(row, pod_info, 1)
        elif carried.position < len(self._affinity_log):
            _catch_up(carried, self._affinity_log)
        return carried

    def _new_column(self, matcher: PodMatcher) -> _Column:
        counts = np.zeros(self._node_infos.capacity, np.int64)
        anchors = matcher.anchors() if self._reuse and isinstance(matcher, LabelMatcher) else None
        if anchors is None:
            for row, pod_info in self._all_pods():
                counts[row] += matcher.matches(pod_info)
        else:
            for kind in self._read_kinds().candidates(anchors):
                if matcher.matches(kind.pod_info):
                    kind.add_to(counts)
        self._columns.pop(matcher, None)
        if len(self._columns) >= _MAX_COLUMNS:
            del self._columns[min(self._columns, key=lambda key: self._columns[key].position)]
        column = self._columns[matcher] = _Column(counts, len(self._log), anchors)
        return column

    def _is_stale(self, column: _Column) -> bool:
        """Whether the column is too short, or counting anew is less work than reading what it has missed."""
        if len(column.counts) < self._node_infos.capacity:
            return True
        lag = len(self._log) - column.position
        if lag < _LONG_LAG or column.anchors is None:
            return False
        return self._read_kinds().num_candidates(column.anchors) < lag

    def _all_pods(self) -> Iterator[tuple[int, PodInfo]]:
        return ((row, pod) for row, info in self._sources.items() for pod in info.pods_last_read())

    def _read_kinds(self) -> PodKinds:
        """The kinds of pods as of now, with their log: the kind of every pod in the log, but for its first entries."""
        kinds, unread = self._kinds, len(self._log) - self._kinds_read
        if kinds is None:
            kinds = self._kinds = PodKinds()
            for row, pod_info in self._all_pods():
                kinds.add(row, pod_info, 1)
        elif unread:
            self._kind_log.extend([kinds.add(*change) for change in self._log[-unread:]])
        self._kinds_read = len(self._log)
        return kinds

    def _shorten_logs(self) -> None:
        """Empties the logs: what reads every entry reads the rest, columns that lag behind are dropped."""
        for carried in self._carried.values():
            _catch_up(carried, self._affinity_log)
            carried.position = 0
        if self._kinds is not None:
            self._read_kinds()
        self._kinds_read = 0
        self._columns = {
            matcher: _Column(column.counts, 0, column.anchors)
            for matcher, column in self._columns.items()
            if column.position == len(self._log)
        }
        self._log.clear()
        self._kind_log.clear()
        self._affinity_log.clear()


def _catch_up(reader: CarriedTerms[Any], log: list[PodChange]) -> None:
    """Has a reader of a log read what is new."""
    for row, pod_info, delta in log[reader.position :]:
        reader.update(row, pod_info, delta)
    reader.position = len(log)
