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
    """Has a step done later."""

    def __call__(
        self, delay_us: int, step: Callable[[], None], priority: int = NORMAL, *, passive: bool = False
    ) -> None: ...


class EventLoop:
    """Steps waiting for their time.

    A passive step only looks again, or tries again what failed: where no other step is left, and nothing has changed
    since, nothing will.
    """

    __slots__ = ("_clock", "_heap", "_num_active", "_serial", "_version", "num_done")

    def __init__(self, clock: VirtualClock, version: Callable[[], int] = lambda: 0) -> None:
        """Takes the clock, and what tells by another number that something changed."""
        self._clock = clock
        self._version = version
        self._heap: list[tuple[int, int, int, Callable[[], None], int | None]] = []
        self._serial = 0
        self._num_active = 0
        self.num_done = 0

    def __len__(self) -> int:
        return len(self._heap)

    def call_later(
        self, delay_us: int, step: Callable[[], None], priority: int = NORMAL, *, passive: bool = False
    ) -> None:
        """Has ``step`` done ``delay_us`` from now."""
        self._serial += 1
        self._num_active += not passive
        seen = self._version() if passive else None
        heapq.heappush(self._heap, (self._clock.now_us + delay_us, priority, self._serial, step, seen))

    @property
    def is_waiting_in_vain(self) -> bool:
        """Whether all that is left are passive steps that have seen what there is to see."""
        return not self._num_active and all(entry[4] == self._version() for entry in self._heap)

    def next_us(self) -> int | None:
        """When the next step is due."""
        return self._heap[0][0] if self._heap else None

    def run_due(self) -> None:
        """Does all steps whose time has come, those that they add too."""
        while self._heap and self._heap[0][0] <= self._clock.now_us:
            _, _, _, step, seen = heapq.heappop(self._heap)
            self._num_active -= seen is None
            self.num_done += 1
            step()
