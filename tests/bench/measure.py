"""Measuring: CPU time of the process, next to that of a fixed loop before and after.

A run is one thread that waits for nothing, so that on an idle machine its CPU time is its time; on a busy one it is
what the time would be. The machine's speed is taken in the same process.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.calibrate import loop

if TYPE_CHECKING:
    from collections.abc import Callable

CALIBRATION_STEPS = 300_000


class Measured(NamedTuple):
    """What a call took: CPU seconds, and million steps a second of the calibration loop around it."""

    seconds: float
    speed: float


def calibrate() -> float:
    """Million steps a second of the calibration loop, best of ten."""
    best = float("inf")
    for _ in range(10):
        started = time.process_time()
        loop(CALIBRATION_STEPS)
        best = min(best, time.process_time() - started)
    return CALIBRATION_STEPS / best / 1e6


def measure(call: Callable[[], object]) -> Measured:
    """Calls once."""
    before = calibrate()
    started = time.process_time()
    call()
    seconds = time.process_time() - started
    return Measured(seconds, (before + calibrate()) / 2)


def peak_mib() -> float:
    """The most memory that the process has had, in MiB."""
    divisor = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / divisor
