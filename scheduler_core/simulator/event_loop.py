"""The event loop of a run: steps at virtual times, in the order of (time, priority, arrival).

Source: the heap of SimPy's Environment (Müller, Scherfke: Discrete-event simulation with Python, 2002 to 2023)
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.clock import VirtualClock

URGENT: Final = 0
NORMAL: Final = 1


class EventLoop:
    """Steps waiting for their time."""

    __slots__ = ("_clock", "_heap", "_serial")

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._heap: list[tuple[int, int, int, Callable[[], None]]] = []
        self._serial = 0

    def __len__(self) -> int:
        return len(self._heap)

    def call_later(self, delay_us: int, step: Callable[[], None], priority: int = NORMAL) -> None:
        """Has ``step`` done ``delay_us`` from now."""
        self._serial += 1
        heapq.heappush(self._heap, (self._clock.now_us + delay_us, priority, self._serial, step))

    def next_us(self) -> int | None:
        """When the next step is due."""
        return self._heap[0][0] if self._heap else None

    def run_due(self) -> None:
        """Does all steps whose time has come, those that they add too."""
        while self._heap and self._heap[0][0] <= self._clock.now_us:
            heapq.heappop(self._heap)[3]()
