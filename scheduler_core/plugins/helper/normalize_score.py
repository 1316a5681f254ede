"""Brings raw scores to 0…100.

Source: pkg/scheduler/framework/plugins/helper/normalize_score.go, DefaultNormalizeScore, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.plugins.helper.numerics import truncated_quotient

if TYPE_CHECKING:
    from scheduler_core.snapshot.node_infos import Int64Array


def default_normalize_score(max_priority: int, *, reverse: bool, scores: Int64Array) -> Int64Array:
    """Scales scores so that the highest becomes ``max_priority``; reversed, the highest becomes 0.

    Shapes: int64[n] → int64[n]
    """
    max_count = int(scores.max(initial=0))
    if max_count == 0:
        return np.full_like(scores, max_priority) if reverse else scores
    scaled = truncated_quotient(max_priority * scores, max_count)
    return max_priority - scaled if reverse else scaled
