from __future__ import annotations

from scheduler_core.snapshot.axes import MEMORY, ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod


def test_where_a_resize_is_infeasible_defaults_stand_for_what_was_not_given() -> None:
    status = {
        "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Infeasible"}],
        "containerStatuses": [{"name": "c", "resources": {"requests": {"memory": "2Gi"}}}],
    }
    container = {"name": "c", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    pod = PodInfo(make_pod("p", containers=[container], status=status), ResourceAxis())
    assert pod.requests == ((MEMORY, 2 * 1024**3),)
    assert (pod.non_zero_cpu, pod.non_zero_memory) == (100, 2 * 1024**3)


def test_a_container_that_says_what_it_requests_counts_just_that_whatever_its_status() -> None:
    container = {"name": "c", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}
    status = {"containerStatuses": [{"name": "c", "ready": True}]}
    pod = PodInfo(make_pod("p", containers=[container], status=status), ResourceAxis())
    assert (pod.non_zero_cpu, pod.non_zero_memory) == (1000, 1024**3)
