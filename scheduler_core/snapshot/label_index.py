"""Label → the pods on nodes that have it, so that a new question about pods need not look at all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from scheduler_core.api.selectors import IN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.snapshot.label_selector import Selector
    from scheduler_core.snapshot.pod_info import PodInfo

Anchors: TypeAlias = tuple[tuple[str, frozenset[str]], ...]
"""(label key, values): what is looked for has each of these keys with one of its values."""


class LabelIndex:
    """(key, value) → uid → (row, pod), as of entry ``position`` of the log of pods."""

    __slots__ = ("_pods", "position")

    def __init__(self) -> None:
        self.position = 0
        self._pods: dict[tuple[str, str], dict[str, tuple[int, PodInfo]]] = {}

    def update(self, row: int, pod_info: PodInfo, delta: int) -> None:
        """Takes in a pod that came to a row, or one that left it."""
        for label in pod_info.pod.metadata.labels.items():
            pods = self._pods.setdefault(label, {})
            if delta > 0:
                pods[pod_info.uid] = (row, pod_info)
                continue
            found = pods.get(pod_info.uid)
            if found is not None and found[0] == row:
                del pods[pod_info.uid]
            if not pods:
                del self._pods[label]

    def num_candidates(self, anchors: Anchors) -> int:
        """How many pods the rarest of the anchors leaves."""
        return min(sum(map(len, self._having(key, values))) for key, values in anchors)

    def candidates(self, anchors: Anchors) -> Iterator[tuple[int, PodInfo]]:
        """The pods that the rarest of the anchors leaves, with their rows."""
        found = min(
            (self._having(key, values) for key, values in anchors), key=lambda having: sum(map(len, having))
        )
        return (entry for pods in found for entry in pods.values())

    def _having(self, key: str, values: frozenset[str]) -> list[dict[str, tuple[int, PodInfo]]]:
        return [pods for value in sorted(values) if (pods := self._pods.get((key, value)))]


def anchors_of(selector: Selector) -> Anchors:
    """The labels that every pod has which ``selector`` matches."""
    return tuple(
        (requirement.key, requirement.values)
        for requirement in selector.requirements or ()
        if requirement.operator == IN
    )
