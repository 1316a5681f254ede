"""The more is free, the better.

Source: pkg/scheduler/framework/plugins/noderesources/least_allocated.go, leastResourceScorer, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scheduler_core.framework.types import MAX_NODE_SCORE
from scheduler_core.plugins.node_resources.resource_allocation import Tables, truncated_shares, weighted_mean
from scheduler_core.snapshot.arrays import constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.snapshot.node_infos import Int64Array

_NOTHING: Final = constant(0)
_EVERYTHING: Final = constant(MAX_NODE_SCORE)


def least_allocated(tables: Tables, weights: Sequence[int]) -> Int64Array:
    """The weighted mean of the free shares in percent.

    Shapes: tables of r resources and n rows, r weights → int64[n]

    Numerics: int64, each share truncated, the mean truncated.
    """
    shares = np.maximum(tables.allocatable - tables.requested, _NOTHING)
    shares *= _EVERYTHING
    return weighted_mean(truncated_shares(shares, tables.allocatable), tables.offered, weights)
