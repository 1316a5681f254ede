"""The event loop of a run: steps at virtual times, in the order of (time, priority, arrival).

Source: the heap of SimPy's Environment (Müller, Scherfke: Discrete-event simulation with Python, 2002 to 2023)
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.clock import VirtualClock

EDITS: Final = 0
NORMAL: Final = 1


class CallLater(Protocol):
    """Has a step done later; returns its number."""

    def __call__(
        self, delay_us: int, step: Callable[[], None], priority: int = NORMAL, *, passive: bool = False
    ) -> int: ...


class Cancel(Protocol):
    """Has a step not done after all."""

    def __call__(self, number: int, *, passive: bool = False) -> None: ...


class EventLoop:
    """Steps waiting for their time.

    A passive step only looks again, or tries again what failed: where no other step is left, and nothing has changed
    since, nothing will.
    """

    __slots__ = ("_cancelled", "_clock", "_heap", "_num_active", "_serial", "_version", "num_done")

    def __init__(self, clock: VirtualClock, version: Callable[[], int] = lambda: 0) -> None:
        """Takes the clock, and what tells by another number that something changed."""
        self._clock = clock
        self._version = version
        self._heap: list[tuple[int, int, int, Callable[[], None], int | None]] = []
        self._serial = 0
        self._num_active = 0
        self._cancelled: set[int] = set()
        self.num_done = 0

    def __len__(self) -> int:
        return len(self._heap)

    def call_later(
        self, delay_us: int, step: Callable[[], None], priority: int = NORMAL, *, passive: bool = False
    ) -> int:
        """Has ``step`` done ``delay_us`` from now; returns its number."""
        self._serial += 1
        self._num_active += not passive
        seen = self._version() if passive else None
        heapq.heappush(self._heap, (self._clock.now_us + delay_us, priority, self._serial, step, seen))
        return self._serial

    def cancel(self, number: int, *, passive: bool = False) -> None:
        """Has a step that is still to come not done after all."""
        self._cancelled.add(number)
        self._num_active -= not passive

    @property
    def has_active(self) -> bool:
        """Whether any step is left that is not passive."""
        return self._num_active > 0

    @property
    def is_waiting_in_vain(self) -> bool:
        """Whether all that is left are passive steps that have seen what there is to see."""
        return not self._num_active and all(
            entry[4] == self._version() or entry[2] in self._cancelled for entry in self._heap
        )

    def next_us(self) -> int | None:
        """When the next step is due."""
        while self._heap and self._heap[0][2] in self._cancelled:
            self._cancelled.remove(heapq.heappop(self._heap)[2])
        return self._heap[0][0] if self._heap else None

    def run_due(self) -> None:
        """Does all steps whose time has come, those that they add too."""
        while self._heap and self._heap[0][0] <= self._clock.now_us:
            _, _, number, step, seen = heapq.heappop(self._heap)
            if number in self._cancelled:
                self._cancelled.remove(number)
                continue
            self._num_active -= seen is None
            self.num_done += 1
            step()
