"""The more is used, the better.

Source: pkg/scheduler/framework/plugins/noderesources/most_allocated.go, mostResourceScorer, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.framework.types import MAX_NODE_SCORE
from scheduler_core.plugins.node_resources.resource_allocation import Tables, truncated_shares, weighted_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.snapshot.node_infos import Int64Array


def most_allocated(tables: Tables, weights: Sequence[int]) -> Int64Array:
    """The weighted mean of the used shares in percent; more than everything counts as everything.

    Shapes: tables of r resources and n rows, r weights → int64[n]

    Numerics: int64, each share truncated, the mean truncated.
    """
    used = np.minimum(tables.requested, tables.allocatable)
    shares = truncated_shares(used * MAX_NODE_SCORE, tables.allocatable)
    return weighted_mean(shares, tables.offered, weights)
