"""backoffQ: pods worth another attempt that still have to wait.

Source: pkg/scheduler/backend/queue/backoff_queue.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.clock import MICROSECONDS
from scheduler_core.queue.heap import PodHeap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scheduler_core.clock import VirtualClock
    from scheduler_core.framework.types import QueuedPodInfo

ORDERING_WINDOW_US: Final = MICROSECONDS
"""Backoff ends are compared by the second, so that activeQ's order holds among those that end together."""
_TWO_63: Final = 1 << 63
_NANOSECONDS: Final = 1_000_000_000
_NEVER_TRIED: Final = 0
_NO_BACKOFF: Final = -(1 << 62)


def duration_us(seconds: int) -> int:
    """Seconds of the configuration in microseconds; from 292 years on they overflow as Go's nanoseconds do."""
    nanoseconds = (seconds * _NANOSECONDS + _TWO_63) % (2 * _TWO_63) - _TWO_63
    return nanoseconds // (_NANOSECONDS // MICROSECONDS)


class BackoffQueue:
    """Two heaps by end of backoff: pods that were refused, and pods whose attempt met an error.

    Only the refused ones may be popped before their time. Where they may not (feature gate
    SchedulerPopFromBackoffQ off), ends count to the microsecond and nothing but them orders the pods.
    """

    __slots__ = ("_clock", "_epoch_offset_us", "_initial_us", "_max_us", "_window_us", "errors", "refused")

    def __init__(
        self,
        clock: VirtualClock,
        sort_key: Callable[[QueuedPodInfo], tuple[int, ...]],
        *,
        initial_us: int,
        max_us: int,
        pop_before_end: bool = True,
    ) -> None:
        self._clock = clock
        self._initial_us = initial_us
        self._max_us = max_us
        self._window_us = ORDERING_WINDOW_US if pop_before_end else 1
        self._epoch_offset_us = clock.epoch_us % self._window_us

        def key(queued: QueuedPodInfo) -> tuple[int, ...]:
            return (self.backoff_until_us(queued), *sort_key(queued))

        self.refused = PodHeap(key)
        self.errors = PodHeap(key)

    def __len__(self) -> int:
        return len(self.refused) + len(self.errors)

    def __contains__(self, uid: str) -> bool:
        return uid in self.refused or uid in self.errors

    def __iter__(self) -> Iterator[QueuedPodInfo]:
        yield from self.refused
        yield from self.errors

    def add(self, queued: QueuedPodInfo) -> None:
        """Adds a pod to the heap of its kind: errors are those that no plugin refused."""
        if queued.unschedulable_plugins or queued.pending_plugins:
            self.errors.delete(queued.uid)
            self.refused.add(queued)
        else:
            self.refused.delete(queued.uid)
            self.errors.add(queued)

    def get(self, uid: str) -> QueuedPodInfo | None:
        """The pod, or None."""
        return self.refused.get(uid) or self.errors.get(uid)

    def delete(self, uid: str) -> bool:
        """Takes a pod out; whether it was there."""
        return self.refused.delete(uid) or self.errors.delete(uid)

    def end_us(self, queued: QueuedPodInfo) -> int:
        """When the pod's backoff ends, to the microsecond; a pod without a backoff has ended it long ago."""
        if queued.attempts == _NEVER_TRIED:
            return _NO_BACKOFF
        duration = self._duration_us(queued.consecutive_errors_count or queued.unschedulable_count)
        return queued.timestamp_us + duration if duration else _NO_BACKOFF

    def backoff_until_us(self, queued: QueuedPodInfo) -> int:
        """End of the pod's backoff, cut to the window that it counts by: whole seconds of the wall clock."""
        if queued.backoff_until_us is None:
            queued.backoff_until_us = self._align(self.end_us(queued))
        return queued.backoff_until_us

    def is_backing_off(self, queued: QueuedPodInfo) -> bool:
        """Whether the pod has to wait yet: also throughout the window in which its backoff ends."""
        return self.backoff_until_us(queued) >= self._align(self._clock.now_us)

    def next_end_us(self) -> int | None:
        """When the first pod has waited long enough."""
        firsts = (self.refused.peek(), self.errors.peek())
        ends = (self.backoff_until_us(first) + self._window_us for first in firsts if first)
        return min(ends, default=None)

    def pop_completed(self) -> Iterator[QueuedPodInfo]:
        """Takes out the pods whose backoff is over."""
        for heap in (self.refused, self.errors):
            while (first := heap.peek()) is not None and not self.is_backing_off(first):
                heap.pop()
                yield first

    def _duration_us(self, count: int) -> int:
        if count == 0:
            return 0
        shift = count - 1
        if self._initial_us > self._max_us >> shift:
            return self._max_us
        return self._initial_us << shift

    def _align(self, t_us: int) -> int:
        offset, window = self._epoch_offset_us, self._window_us
        return (t_us + offset) // window * window - offset
