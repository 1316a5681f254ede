"""When the pods of an arrival process come, and what they look like.

Source: gaps of a Poisson process are exponential: -ln(1 - u) / rate
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.decode import without_nulls
from scheduler_core.clock import MICROSECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.scheduler.tie_break import SplitMix64
    from scheduler_core.simulator.scenario.edits import Arrivals

_RESOLUTION: Final = 1 << 53


def arrival_times(edit: Arrivals, random: SplitMix64) -> Iterator[int]:
    """Yields the µs after the edit's own time at which pods come.

    With a fixed rate the first comes at once; at random times after the first gap.
    """
    limit_us = math.inf if edit.lasting is None else int(edit.lasting) / 1000
    number, t_us = 0, 0.0
    if edit.distribution == "poisson":
        t_us = _gap_us(edit.rate, random)
    while t_us < limit_us and (edit.count is None or number < edit.count):
        yield round(t_us)
        number += 1
        if edit.distribution == "fixed":
            t_us = number * MICROSECONDS / edit.rate
        else:
            t_us += _gap_us(edit.rate, random)


def arriving_pod(edit: Arrivals, number: int) -> dict[str, Any]:
    """Returns the manifest of the pod with a number, from 1."""
    pod: dict[str, Any] = without_nulls(edit.pod)
    metadata = pod.get("metadata", {})
    base = edit.name or metadata.get("name") or metadata.get("generateName", "").rstrip("-") or "arrival"
    pod["metadata"] = {**metadata, "name": f"{base}-{number}"}
    return pod


def _gap_us(rate: float, random: SplitMix64) -> float:
    return -math.log(1 - random.below(_RESOLUTION) / _RESOLUTION) * MICROSECONDS / rate
