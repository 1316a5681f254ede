"""What an attempt of an earlier run came to."""

from __future__ import annotations

from typing import NamedTuple


class Decision(NamedTuple):
    """What an attempt came to; ``lines`` are its events between CycleStarted and PodAssumed."""

    pod: str
    node: str
    num_evaluated: int
    num_ties: int
    lines: tuple[bytes, ...]
