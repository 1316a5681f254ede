"""Which of two pods matters more: the higher priority, then the longer run.

Upstream takes the wall-clock time for the start of a pod that has none, anew in every comparison. So of two
such pods the one it asks about first matters more: a list of them is turned round.

Source: pkg/scheduler/util/utils.go, MoreImportantPod and GetPodStartTime, v1.34.1
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scheduler_core.preemption.go_sort import MAX_INSERTION, sort_slice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.snapshot.pod_info import PodInfo

    Key = tuple[int, float]


def start_time(pod_info: PodInfo) -> float:
    """When a pod started, microseconds since 1970; a pod that has not started yet is later than any other."""
    started = pod_info.pod.status.start_time
    return math.inf if started is None else started


def sorted_by_importance(pods: Sequence[PodInfo]) -> list[PodInfo]:
    """Pods, the most important first; equals in the order in which upstream's sort leaves them."""
    keyed = [((-pod_info.priority, start_time(pod_info)), pod_info) for pod_info in pods]
    are_distinct = len({key for key, _ in keyed}) == len(keyed)
    if are_distinct or (len(keyed) <= MAX_INSERTION and all(key[1] < math.inf for key, _ in keyed)):
        keyed.sort(key=_key)
    else:
        sort_slice(keyed, _matters_more)
    return [pod_info for _, pod_info in keyed]


def _key(item: tuple[Key, PodInfo]) -> Key:
    return item[0]


def _matters_more(first: tuple[Key, PodInfo], second: tuple[Key, PodInfo]) -> bool:
    return first[0] < second[0] or (first[0] == second[0] and first[0][1] == math.inf)
