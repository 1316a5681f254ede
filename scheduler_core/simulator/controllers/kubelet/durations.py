"""How long something takes: a duration as Go writes it, or a distribution to draw one from.

Source: Go's time.ParseDuration, go1.24
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scheduler_core.scheduler.tie_break import SplitMix64

_UNITS: Final = {"ns": 0.001, "us": 1.0, "µs": 1.0, "ms": 1e3, "s": 1e6, "m": 60e6, "h": 3600e6}
_PART: Final = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)", re.ASCII)
_DRAWN: Final = re.compile(r"(uniform|exponential|normal)\(([^()]*)\)", re.ASCII)
_NUM_ARGUMENTS: Final = {"uniform": 2, "exponential": 1, "normal": 2}
_RESOLUTION: Final = 1 << 53
_LONGEST_US: Final = 100 * 366 * 24 * 3600 * 1_000_000

EXPECTED: Final = "such as 30s, 1m30s, uniform(10s, 1m), exponential(30s), normal(1m, 10s) or never"


class DurationError(ValueError):
    """The text says no duration."""


def parse_duration(text: str) -> int:
    """Returns microseconds.

    Raises:
        DurationError: for another text than "0" or numbers with units: "300ms", "1.5h", "2h45m".
    """
    text = text.strip()
    if text == "0":
        return 0
    total, place = 0.0, 0
    for part in _PART.finditer(text):
        if part.start() != place:
            break
        total += float(part[1]) * _UNITS[part[2]]
        place = part.end()
    if not text or place != len(text) or total > _LONGEST_US:
        raise DurationError(text)
    return round(total)


def draw_duration(text: str, random: SplitMix64) -> int | None:
    """Returns microseconds, drawn where the text is a distribution; None for "never".

    Raises:
        DurationError: for a text that is neither a duration nor a distribution of durations.
    """
    text = text.strip()
    if text == "never":
        return None
    match = _DRAWN.fullmatch(text)
    if match is None:
        return parse_duration(text)
    arguments = [parse_duration(argument) for argument in match[2].split(",")]
    if len(arguments) != _NUM_ARGUMENTS[match[1]]:
        raise DurationError(text)
    first, last = arguments[0], arguments[-1]
    if match[1] == "exponential":
        return round(-math.log(1 - _fraction(random)) * first)
    if match[1] == "uniform":
        return first + round(_fraction(random) * (last - first))
    radius = math.sqrt(-2 * math.log(1 - _fraction(random)))
    return max(round(first + last * radius * math.cos(2 * math.pi * _fraction(random))), 0)


def _fraction(random: SplitMix64) -> float:
    """A number from 0 to 1, without 1."""
    return random.below(_RESOLUTION) / _RESOLUTION
