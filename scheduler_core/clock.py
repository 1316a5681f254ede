"""Virtual time: integer microseconds since the start of a run."""

from __future__ import annotations

from typing import Final

MICROSECONDS: Final = 1_000_000
"""Microseconds in a second."""
DEFAULT_EPOCH_US: Final = 1_767_225_600 * MICROSECONDS
"""2026-01-01T00:00:00Z, in microseconds since 1970."""


class VirtualClock:
    """The time of a run. Nothing moves it but its owner; wall-clock fields are epoch + now."""

    __slots__ = ("epoch_us", "now_us")

    def __init__(self, epoch_us: int = DEFAULT_EPOCH_US) -> None:
        self.epoch_us = epoch_us
        self.now_us = 0

    def advance(self, by_us: int) -> None:
        """Moves the time on.

        Raises:
            ValueError: ``by_us`` is negative.
        """
        if by_us < 0:
            raise ValueError(f"time cannot go back by {-by_us} µs")
        self.now_us += by_us

    def advance_to(self, t_us: int) -> None:
        """Moves the time on to ``t_us``, if that is later."""
        self.now_us = max(self.now_us, t_us)

    def wall_us(self) -> int:
        """Microseconds since 1970 of the virtual now."""
        return self.epoch_us + self.now_us
