"""Counts that may be percentages of another.

Source: apimachinery/pkg/util/intstr/intstr.go, GetScaledValueFromIntOrPercent, v1.34.1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scheduler_core.api.workloads import IntOrPercent

_PERCENT: Final = re.compile(r"([+-]?[0-9]{1,9})%", re.ASCII)


class NotACountError(ValueError):
    """The text is neither a count nor a percentage; the message is upstream's."""


def scaled(value: IntOrPercent | None, total: int, *, round_up: bool) -> int:
    """Returns a count, or that part of ``total`` which a percentage means.

    Raises:
        NotACountError: for a text that is no percentage.
    """
    if value is None:
        return 0
    if isinstance(value, int):
        return value
    match = _PERCENT.fullmatch(value)
    if match is None:
        raise NotACountError(
            "invalid value for IntOrString: invalid type: string is not a percentage"
            if "%" not in value
            else f'invalid value for IntOrString: invalid value "{value}": invalid syntax'
        )
    product = int(match[1]) * total
    return -(-product // 100) if round_up else product // 100


def resolve_fenceposts(
    max_surge: IntOrPercent | None, max_unavailable: IntOrPercent | None, desired: int
) -> tuple[int, int]:
    """Returns surge and unavailability of a rolling update, one of which is above 0.

    Source: pkg/controller/deployment/util/deployment_util.go, ResolveFenceposts, v1.34.1
    """
    surge = scaled(max_surge, desired, round_up=True)
    unavailable = scaled(max_unavailable, desired, round_up=False)
    return (surge, 1) if surge == 0 and unavailable == 0 else (surge, unavailable)
