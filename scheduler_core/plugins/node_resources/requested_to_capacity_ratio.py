"""Scores the share in use by a function that the configuration draws.

Source: pkg/scheduler/framework/plugins/noderesources/requested_to_capacity_ratio.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scheduler_core.framework.types import MAX_NODE_SCORE
from scheduler_core.plugins.helper.numerics import rounded
from scheduler_core.plugins.helper.shape_score import FunctionShapePoint, broken_linear
from scheduler_core.plugins.node_resources.resource_allocation import Tables, truncated_shares, weighted_sum

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.config.plugin_args import UtilizationShapePoint
    from scheduler_core.snapshot.node_infos import Int64Array

MAX_UTILIZATION: Final = 100
MAX_CUSTOM_PRIORITY_SCORE: Final = 10


class RequestedToCapacityRatio:
    """The function as a table of its value at each whole percent."""

    def __init__(self, shape: Iterable[UtilizationShapePoint]) -> None:
        scale = MAX_NODE_SCORE // MAX_CUSTOM_PRIORITY_SCORE
        points = [FunctionShapePoint(point.utilization, point.score * scale) for point in shape]
        values = [broken_linear(points, percent) for percent in range(MAX_UTILIZATION + 1)]
        self._table: Int64Array = np.array(values, np.int64)

    def __call__(self, tables: Tables, weights: Sequence[int]) -> Int64Array:
        """The weighted mean of the values that are not 0.

        Shapes: tables of r resources and n rows, r weights → int64[n]

        Numerics: the share in percent is truncated and may overflow, the mean is a float64, rounded.
        """
        percent = truncated_shares(tables.requested * MAX_UTILIZATION, tables.allocatable)
        percent[tables.requested > tables.allocatable] = MAX_UTILIZATION
        values = self._table[np.clip(percent, 0, MAX_UTILIZATION)]
        counts = values > 0 if tables.offered is None else tables.offered & (values > 0)
        total, weight = weighted_sum(values * counts, weights), weighted_sum(counts, weights)
        return np.where(weight == 0, 0, rounded(total / np.maximum(weight, 1)))
