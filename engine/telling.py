"""Says how far a job is, also when there is nothing new: a process that is silent for long is ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from engine import frames

TELL_SECONDS: Final = 0.2


class Telling:
    """Writes progress frames: the first at once, others not oftener than every ``TELL_SECONDS``.

    Args:
        stdout: takes the frames.
        is_cancelled: what is asked about the job all along.
    """

    def __init__(self, stdout: frames.Writable, is_cancelled: Callable[[], bool]) -> None:
        self._stdout = stdout
        self._is_cancelled = is_cancelled
        self._told_at = 0.0
        self._last: Any = None

    def tell(self, progress: Any) -> None:
        """Says this, and goes on saying it until there is something else."""
        self._last = progress
        self._beat()

    def is_cancelled(self) -> bool:
        """Whether the job is to stop; who asks is at work, so the last word is said again when it is time."""
        if self._last is not None:
            self._beat()
        return self._is_cancelled()

    def _beat(self) -> None:
        if time.monotonic() - self._told_at >= TELL_SECONDS:
            self._told_at = time.monotonic()
            frames.write_frame(self._stdout, frames.PROGRESS, msgspec.json.encode(self._last))
