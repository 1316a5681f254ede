"""Scores a node by how well the volumes chosen there are used (feature gate StorageCapacityScoring).

Source: pkg/scheduler/framework/plugins/volumebinding/scorer.go, buildScorerFunction, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scheduler_core.plugins.helper.numerics import rounded, truncated_division, wrapped
from scheduler_core.plugins.helper.shape_score import FunctionShapePoint, broken_linear
from scheduler_core.plugins.helper.volumes import STORAGE, claim_class, requested_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.config.plugin_args import UtilizationShapePoint
    from scheduler_core.plugins.volume_binding.pod_volumes import PodVolumes

_MAX_UTILIZATION: Final = 100
_SCORE_UNIT: Final = 10
DEFAULT_SHAPE: Final = (FunctionShapePoint(0, 100), FunctionShapePoint(100, 0))


def function_shape(points: Sequence[UtilizationShapePoint]) -> tuple[FunctionShapePoint, ...]:
    """The configured shape with scores from 0 to 100; the default where none is configured."""
    if not points:
        return DEFAULT_SHAPE
    return tuple(FunctionShapePoint(point.utilization, point.score * _SCORE_UNIT) for point in points)


def score(shape: Sequence[FunctionShapePoint], volumes: PodVolumes) -> int:
    """The mean over the storage classes of the score of their utilization.

    Numerics: percent of an int64, which overflows above 82 PiB, truncated; the mean rounded, halves away from zero.
    """
    by_class = _static(volumes) if volumes.static_bindings else _dynamic(volumes)
    if not by_class:
        return 0
    total = sum(_class_score(shape, requested, capacity) for requested, capacity in by_class.values())
    return int(rounded(np.asarray([total / len(by_class)]))[0])


def _class_score(shape: Sequence[FunctionShapePoint], requested: int, capacity: int) -> int:
    if capacity == 0 or requested > capacity:
        return broken_linear(shape, _MAX_UTILIZATION)
    return broken_linear(shape, truncated_division(wrapped(requested * _MAX_UTILIZATION), capacity))


def _static(volumes: PodVolumes) -> dict[str, tuple[int, int]]:
    by_class: dict[str, tuple[int, int]] = {}
    for volume, claim in volumes.static_bindings:
        requested, capacity = by_class.get(volume.spec.storage_class_name, (0, 0))
        quantity = volume.spec.capacity.get(STORAGE)
        by_class[volume.spec.storage_class_name] = (
            requested + requested_bytes(claim),
            capacity + (0 if quantity is None else quantity.value()),
        )
    return by_class


def _dynamic(volumes: PodVolumes) -> dict[str, tuple[int, int]]:
    by_class: dict[str, tuple[int, int]] = {}
    for claim, pool in volumes.dynamic_provisions:
        if pool is None:
            continue
        requested, _ = by_class.get(claim_class(claim), (0, 0))
        available = 0 if pool.capacity is None else pool.capacity.value()
        by_class[claim_class(claim)] = (requested + requested_bytes(claim), available)
    return by_class
