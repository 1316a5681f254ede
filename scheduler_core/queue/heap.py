"""A heap of queued pods that can also be looked up, updated and deleted by pod.

Source: pkg/scheduler/backend/heap/heap.go, v1.34.1
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scheduler_core.framework.types import QueuedPodInfo

K = TypeVar("K", bound=tuple[int, ...])


class PodHeap(Generic[K]):
    """Smallest key first; equal keys in the order in which they came, which an update leaves as it is.

    A deleted or updated entry stays in the list and is passed over when it comes up, so that every operation is
    at most O(log n).
    """

    __slots__ = ("_entries", "_heap", "_key", "_serial")

    def __init__(self, key: Callable[[QueuedPodInfo], K]) -> None:
        self._key = key
        self._heap: list[tuple[K, int, int, str]] = []  # key, arrival, version, uid
        self._entries: dict[str, tuple[int, int, QueuedPodInfo]] = {}  # arrival, version, pod
        self._serial = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, uid: str) -> bool:
        return uid in self._entries

    def __iter__(self) -> Iterator[QueuedPodInfo]:
        """The pods in the order in which they would be popped."""
        live = (entry for entry in self._heap if self._is_live(entry))
        return (self._entries[uid][2] for _, _, _, uid in sorted(live))

    def add(self, queued: QueuedPodInfo) -> None:
        """Adds a pod, or puts it at its place anew after its key changed; its arrival still counts."""
        self._serial += 1
        known = self._entries.get(queued.uid)
        arrival = self._serial if known is None else known[0]
        self._entries[queued.uid] = (arrival, self._serial, queued)
        heapq.heappush(self._heap, (self._key(queued), arrival, self._serial, queued.uid))

    def get(self, uid: str) -> QueuedPodInfo | None:
        """The pod, or None."""
        entry = self._entries.get(uid)
        return entry[2] if entry else None

    def delete(self, uid: str) -> bool:
        """Takes a pod out; whether it was there."""
        return self._entries.pop(uid, None) is not None

    def peek(self) -> QueuedPodInfo | None:
        """The first pod, left in place."""
        heap = self._heap
        while heap and not self._is_live(heap[0]):
            heapq.heappop(heap)
        return self._entries[heap[0][3]][2] if heap else None

    def pop(self) -> QueuedPodInfo | None:
        """Takes the first pod out, or gives None."""
        heap, entries = self._heap, self._entries
        while heap:
            _, _, version, uid = heapq.heappop(heap)
            found = entries.get(uid)
            if found is not None and found[1] == version:
                del entries[uid]
                return found[2]
        return None

    def _is_live(self, entry: tuple[K, int, int, str]) -> bool:
        found = self._entries.get(entry[3])
        return found is not None and found[1] == entry[2]
