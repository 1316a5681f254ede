"""Durations as Go writes them: "1m30s", "100ms".

Source: Go's time.ParseDuration
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

_NANOS = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
}
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_DURATION = re.compile(rf"([-+]?)((?:{_PART.pattern})+|0)", re.ASCII)
_MAX = 2**63 - 1


class Duration(int):
    """A length of time in nanoseconds."""

    __slots__ = ()

    @classmethod
    def from_json(cls, value: Any) -> Duration:
        """Reads a duration.

        Raises:
            ValueError: with Go's message.
        """
        if not isinstance(value, str):
            raise ValueError("expected a duration as text, for example 10s")
        match = _DURATION.fullmatch(value)
        if match is None:
            raise ValueError(f'time: invalid duration "{value}"')
        total = sum(int(Fraction(number) * _NANOS[unit]) for number, unit in _PART.findall(match[2]))
        if total > _MAX:
            raise ValueError(f'time: invalid duration "{value}"')
        return cls(-total if match[1] == "-" else total)

    def __str__(self) -> str:
        nanos, text = abs(int(self)), ""
        if nanos and nanos < _NANOS["s"]:
            unit = next(unit for unit in ("ms", "µs", "ns") if nanos >= _NANOS[unit])
            return f"{'-' if self < 0 else ''}{_decimal(nanos, _NANOS[unit])}{unit}"
        hours, rest = divmod(nanos, _NANOS["h"])
        minutes, rest = divmod(rest, _NANOS["m"])
        if hours:
            text += f"{hours}h"
        if hours or minutes:
            text += f"{minutes}m"
        return f"{'-' if self < 0 else ''}{text}{_decimal(rest, _NANOS['s'])}s"

    def __repr__(self) -> str:
        return f"Duration({str(self)!r})"


def seconds(number: int) -> Duration:
    """Returns the duration of whole seconds."""
    return Duration(number * _NANOS["s"])


def _decimal(nanos: int, unit: int) -> str:
    whole, rest = divmod(nanos, unit)
    digits = str(unit + rest)[1:].rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)
