"""Go's arithmetic on columns: integer division truncates toward zero, math.Round rounds halves away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scheduler_core.snapshot.node_infos import BoolArray, Int64Array


def truncated_quotient(dividend: Int64Array, divisor: Int64Array | int) -> Int64Array:
    """Divides as Go divides integers. The divisor must not be 0.

    Shapes: dividend int64[n]; divisor int64[n] or a number → int64[n]

    Numerics: numpy's ``//`` floors; where signs differ and a rest is left, the quotient is one higher here.
    """
    quotient = dividend // divisor
    rest = dividend - quotient * divisor
    is_one_low: BoolArray = (rest != 0) & ((dividend < 0) != (np.asarray(divisor) < 0))
    return quotient + is_one_low


def truncated_division(dividend: int, divisor: int) -> int:
    """Divides two numbers as Go divides integers. The divisor must not be 0."""
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def wrapped(number: int) -> int:
    """The number as int64: its low 64 bits."""
    return (number + 2**63) % 2**64 - 2**63


def rounded(values: NDArray[np.float64]) -> Int64Array:
    """Rounds as Go's math.Round: to the nearest integer, halves away from zero.

    Shapes: float64[n] → int64[n]
    """
    whole = np.trunc(values)
    return (whole + np.copysign(np.abs(values - whole) >= 0.5, values)).astype(np.int64)
