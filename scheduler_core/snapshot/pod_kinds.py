"""Pods on nodes by kind: those of a namespace with the same labels are equal to whoever asks about labels.

A question is put to each kind once, not to each pod. Kinds are found by label, for there may be as many as pods:
those of a StatefulSet all have a label of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from scheduler_core.api.selectors import IN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.snapshot.arrays import Int64Array
    from scheduler_core.snapshot.label_selector import Selector
    from scheduler_core.snapshot.pod_info import PodInfo

Anchors: TypeAlias = tuple[tuple[str, frozenset[str]], ...]
"""(label key, values): what is looked for has each of these keys with one of its values."""
_Key: TypeAlias = tuple[str, frozenset[tuple[str, str]], bool]


class PodKind:
    """Equal pods: one of them to be asked about, and how many stand on which row."""

    __slots__ = ("numbers", "pod_info")

    def __init__(self, pod_info: PodInfo) -> None:
        self.pod_info = pod_info
        self.numbers: dict[int, int] = {}

    def add_to(self, counts: Int64Array) -> None:
        """Adds the pods to a column.

        Shapes: int64[capacity], indexed by row
        """
        rows = np.fromiter(self.numbers, np.intp, len(self.numbers))
        counts[rows] += np.fromiter(self.numbers.values(), np.int64, len(self.numbers))


class PodKinds:
    """The kinds of the pods on nodes. A kind without pods is forgotten."""

    __slots__ = ("_by_label", "_kinds")

    def __init__(self) -> None:
        self._kinds: dict[_Key, PodKind] = {}
        self._by_label: dict[tuple[str, str], dict[_Key, PodKind]] = {}

    def add(self, row: int, pod_info: PodInfo, delta: int) -> PodKind:
        """Counts a pod that came to a row, or one that left it; its kind."""
        metadata = pod_info.pod.metadata
        labels = frozenset(metadata.labels.items())
        key = metadata.namespace, labels, metadata.deletion_timestamp is not None
        kind = self._kinds.get(key)
        if kind is None:
            kind = self._kinds[key] = PodKind(pod_info)
            for label in labels:
                self._by_label.setdefault(label, {})[key] = kind
        number = kind.numbers.get(row, 0) + delta
        if number:
            kind.numbers[row] = number
        else:
            del kind.numbers[row]
            if not kind.numbers:
                self._forget(key)
        return kind

    def num_candidates(self, anchors: Anchors) -> int:
        """How many kinds the rarest of the anchors leaves."""
        if not anchors:
            return len(self._kinds)
        return min(sum(map(len, self._having(key, values))) for key, values in anchors)

    def candidates(self, anchors: Anchors) -> Iterable[PodKind]:
        """The kinds that the rarest of the anchors leaves."""
        if not anchors:
            return self._kinds.values()
        found = min(
            (self._having(key, values) for key, values in anchors), key=lambda having: sum(map(len, having))
        )
        return (kind for kinds in found for kind in kinds.values())

    def _having(self, key: str, values: frozenset[str]) -> list[dict[_Key, PodKind]]:
        return [kinds for value in sorted(values) if (kinds := self._by_label.get((key, value)))]

    def _forget(self, key: _Key) -> None:
        del self._kinds[key]
        for label in key[1]:
            kinds = self._by_label[label]
            del kinds[key]
            if not kinds:
                del self._by_label[label]


def anchors_of(selector: Selector) -> Anchors:
    """The labels that every pod has which ``selector`` matches."""
    return tuple(
        (requirement.key, requirement.values)
        for requirement in selector.requirements or ()
        if requirement.operator == IN
    )
