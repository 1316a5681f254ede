"""Which of two pods matters more: the higher priority, then the longer run.

Source: pkg/scheduler/util/utils.go, MoreImportantPod and GetPodStartTime, v1.34.1
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.snapshot.pod_info import PodInfo


def start_time(pod_info: PodInfo) -> float:
    """When a pod started, microseconds since 1970; a pod that has not started yet is later than any other."""
    started = pod_info.pod.status.start_time
    return math.inf if started is None else started


def sorted_by_importance(pods: Iterable[PodInfo]) -> list[PodInfo]:
    """Pods, the most important first; equals keep their order."""
    return sorted(pods, key=lambda pod_info: (-pod_info.priority, start_time(pod_info)))
