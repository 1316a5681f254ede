"""Functions made of straight segments, as configurations describe scores.

Source: pkg/scheduler/framework/plugins/helper/shape_score.go, BuildBrokenLinearFunction, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.plugins.helper.numerics import truncated_division

if TYPE_CHECKING:
    from collections.abc import Sequence


class FunctionShapePoint(NamedTuple):
    """A point where two segments meet."""

    utilization: int
    score: int


def broken_linear(shape: Sequence[FunctionShapePoint], utilization: int) -> int:
    """The value at ``utilization``: linear between the points, constant before the first and after them."""
    previous = shape[0]
    if utilization <= previous.utilization:
        return previous.score
    for point in shape[1:]:
        if utilization <= point.utilization:
            rise = (point.score - previous.score) * (utilization - previous.utilization)
            return previous.score + truncated_division(rise, point.utilization - previous.utilization)
        previous = point
    return previous.score
