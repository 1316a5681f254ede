from __future__ import annotations

from scheduler_core.framework.types import QueuedPodInfo
from scheduler_core.plugins.priority_sort import PrioritySort
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod


def test_the_highest_priority_comes_first_then_who_was_queued_first() -> None:
    axis = ResourceAxis()
    queued = [
        QueuedPodInfo(PodInfo(make_pod(name, priority=priority), axis), now_us)
        for name, priority, now_us in [
            ("late-high", 10, 7), ("none", None, 1), ("low", -5, 0), ("early-high", 10, 3), ("zero", 0, 2),
        ]
    ]  # fmt: skip
    queued.sort(key=PrioritySort().sort_key)
    assert [pod.key for pod in queued] == [
        f"default/{name}" for name in ("early-high", "late-high", "none", "zero", "low")
    ]
