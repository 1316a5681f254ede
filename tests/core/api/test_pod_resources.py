"""What a pod asks for: containers, init containers, sidecars, overhead, the pod's own resources, resizes."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.decode import convert, without_nulls
from scheduler_core.api.pod import Pod
from scheduler_core.api.pod_resources import has_pod_level_requests, pod_requests

MI = 2**20


def pod(spec: dict[str, Any], status: dict[str, Any] | None = None) -> Pod:
    return convert(without_nulls({"metadata": {"name": "web"}, "spec": spec, "status": status or {}}), Pod)


def container(name: str = "main", **requests: str) -> dict[str, Any]:
    return {"name": name, "resources": {"requests": requests}}


def sidecar(**requests: str) -> dict[str, Any]:
    return {**container("sidecar", **requests), "restartPolicy": "Always"}


def test_containers_add_up_cpu_in_thousandths_the_rest_in_whole_units() -> None:
    both = pod({"containers": [container(cpu="100m", memory="64Mi"), container("b", cpu="1", memory="64Mi")]})
    assert pod_requests(both) == {"cpu": 1100, "memory": 128 * MI}


def test_amounts_are_added_exactly_and_rounded_once() -> None:
    halves = pod({"containers": [container(memory="1500m"), container("b", memory="1500m")]})
    assert pod_requests(halves) == {"memory": 3}


def test_the_largest_init_container_counts_where_it_is_more_than_the_containers() -> None:
    starting = pod(
        {
            "containers": [container(cpu="100m", memory="64Mi")],
            "initContainers": [container("a", cpu="2"), container("b", memory="32Mi")],
        }
    )
    assert pod_requests(starting) == {"cpu": 2000, "memory": 64 * MI}


def test_a_sidecar_counts_with_the_containers_and_with_the_init_containers_after_it() -> None:
    spec = {
        "containers": [container(cpu="1")],
        "initContainers": [
            container("before", cpu="3"),
            sidecar(cpu="500m"),
            container("after", cpu="2800m"),
        ],
    }
    assert pod_requests(pod(spec)) == {"cpu": 3300}


def test_overhead_is_added_unless_it_is_left_out() -> None:
    spec = {"containers": [container(cpu="1")], "overhead": {"cpu": "250m", "memory": "1Mi"}}
    assert pod_requests(pod(spec)) == {"cpu": 1250, "memory": MI}
    assert pod_requests(pod(spec), exclude_overhead=True) == {"cpu": 1000}


def test_the_pod_s_own_requests_replace_the_containers_for_cpu_memory_and_huge_pages_only() -> None:
    spec = {
        "containers": [container(cpu="1", memory="64Mi", **{"nvidia.com/gpu": "1"})],
        "resources": {"requests": {"cpu": "2", "hugepages-2Mi": "4Mi", "nvidia.com/gpu": "8"}},
    }
    expected = {"cpu": 2000, "memory": 64 * MI, "hugepages-2Mi": 4 * MI, "nvidia.com/gpu": 1}
    assert pod_requests(pod(spec)) == expected
    assert has_pod_level_requests(pod(spec))


def test_the_pod_s_own_requests_can_be_left_out() -> None:
    spec = {"containers": [container(cpu="1")], "resources": {"requests": {"cpu": "2"}}}
    assert pod_requests(pod(spec), skip_pod_level_resources=True) == {"cpu": 1000}
    assert not has_pod_level_requests(pod({"resources": {"limits": {"cpu": "2"}}}))


def test_overhead_comes_on_top_of_the_pod_s_own_requests() -> None:
    spec = {"resources": {"requests": {"cpu": "2"}}, "overhead": {"cpu": "100m"}}
    assert pod_requests(pod(spec)) == {"cpu": 2100}


def test_what_a_container_does_not_mention_is_taken_from_the_defaults_given() -> None:
    spec = {
        "containers": [container(cpu="0"), container("b")],
        "initContainers": [container("c", memory="1Gi")],
    }
    defaults = {"cpu": 100, "memory": 200 * MI}
    requests = pod_requests(pod(spec), non_missing_container_requests=defaults)
    assert requests == {"cpu": 100, "memory": 1024 * MI}


def resizing(condition: str | None, **status: Any) -> Pod:
    conditions = [{"type": "PodResizePending", "reason": condition}] if condition else []
    return pod(
        {"containers": [container(cpu="1")]},
        {"conditions": conditions, "containerStatuses": [{"name": "main", **status}]},
    )


@pytest.mark.parametrize(
    ("allocated", "actual", "expected"), [("2", "3", 3000), ("3", "500m", 3000), ("500m", "500m", 1000)]
)
def test_during_a_resize_the_largest_of_asked_allocated_and_actual_counts(
    allocated: str, actual: str, expected: int
) -> None:
    moving = resizing(None, allocatedResources={"cpu": allocated}, resources={"requests": {"cpu": actual}})
    assert pod_requests(moving) == {"cpu": expected}
    assert pod_requests(moving, use_status_resources=False) == {"cpu": 1000}


def test_a_resize_that_can_never_be_granted_does_not_count_what_is_asked() -> None:
    status = {"allocatedResources": {"cpu": "500m"}, "resources": {"requests": {"cpu": "400m"}}}
    assert pod_requests(resizing("Infeasible", **status)) == {"cpu": 500}
    assert pod_requests(resizing("Deferred", **status)) == {"cpu": 1000}


def test_a_status_without_resources_is_not_looked_at() -> None:
    assert pod_requests(resizing(None, allocatedResources={"cpu": "5"})) == {"cpu": 1000}


def test_a_pod_without_requests_asks_for_nothing() -> None:
    assert pod_requests(pod({"containers": [{"name": "main"}]})) == {}


@pytest.mark.parametrize("condition", [None, "Infeasible"])
@pytest.mark.parametrize(("restart_policy", "cpu"), [(None, 2000), ("Always", 3000)])
def test_of_init_containers_the_status_counts_for_sidecars_only(
    restart_policy: str | None, cpu: int, condition: str | None
) -> None:
    init = {"name": "init", "resources": {"requests": {"cpu": "2"}}, "restartPolicy": restart_policy}
    status = {
        "conditions": [{"type": "PodResizePending", "reason": condition}] if condition else [],
        "initContainerStatuses": [{"name": "init", "resources": {"requests": {"cpu": "3"}}}],
    }
    assert pod_requests(pod({"containers": [{"name": "main"}], "initContainers": [init]}, status)) == {
        "cpu": cpu
    }


def test_the_status_of_a_plain_init_container_does_not_lessen_its_request_either() -> None:
    init = {"name": "init", "resources": {"requests": {"cpu": "2"}}}
    status = {
        "conditions": [{"type": "PodResizePending", "reason": "Infeasible"}],
        "initContainerStatuses": [{"name": "init", "resources": {"requests": {"cpu": "1"}}}],
    }
    assert pod_requests(pod({"containers": [{"name": "main"}], "initContainers": [init]}, status)) == {
        "cpu": 2000
    }
