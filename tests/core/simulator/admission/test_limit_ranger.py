from __future__ import annotations

from typing import Any

import pytest

from tests.core.simulator.small_cluster import SmallCluster, raw
from tests.make import make_pod


def bounds(type_: str, **fields: Any) -> dict[str, Any]:
    return raw("LimitRange", f"bounds-{type_.lower()}", spec={"limits": [{"type": type_, **fields}]})


def container(requests: dict[str, str], limits: dict[str, str], name: str = "main") -> dict[str, Any]:
    return {"name": name, "image": "app:1", "resources": {"requests": requests, "limits": limits}}


def test_a_container_gets_the_requests_and_limits_that_it_lacks_and_the_pod_says_so() -> None:
    cluster = SmallCluster(
        bounds("Container", default={"cpu": "500m", "memory": "1Gi"}, defaultRequest={"cpu": "100m"})
    )
    pod = cluster.create(make_pod("web", containers=[container({"cpu": "200m"}, {})]))
    resources = pod.spec.containers[0].resources
    assert {name: str(it) for name, it in resources.requests.items()} == {"cpu": "200m", "memory": "1Gi"}
    assert {name: str(it) for name, it in resources.limits.items()} == {"cpu": "500m", "memory": "1Gi"}
    said = "LimitRanger plugin set: memory request for container main; cpu, memory limit for container main"
    assert pod.metadata.annotations == {"kubernetes.io/limit-ranger": said}
    (event,) = [event for event in cluster.events if event["type"] == "PodDefaulted"]
    assert event["fields"]["metadata.annotations[kubernetes.io/limit-ranger]"] == said


def test_a_maximum_is_the_default_limit_and_a_minimum_the_default_request() -> None:
    cluster = SmallCluster(bounds("Container", max={"cpu": "2"}, min={"memory": "64Mi"}))
    resources = cluster.create(make_pod("web")).spec.containers[0].resources
    assert {name: str(it) for name, it in resources.requests.items()} == {"cpu": "2", "memory": "64Mi"}
    assert {name: str(it) for name, it in resources.limits.items()} == {"cpu": "2"}


@pytest.mark.parametrize(
    ("limits", "requests", "limit", "message"),
    [
        (
            {"min": {"cpu": "100m"}},
            {"cpu": "50m"},
            {},
            "minimum cpu usage per Container is 100m, but request is 50m",
        ),
        ({"max": {"cpu": "1"}}, {}, {"cpu": "2"}, "maximum cpu usage per Container is 1, but limit is 2"),
        (
            {"max": {"cpu": "1"}},
            {"cpu": "1500m"},
            {},
            "maximum cpu usage per Container is 1, but request is 1500m",
        ),
        (
            {"maxLimitRequestRatio": {"memory": "2"}},
            {"memory": "1Gi"},
            {"memory": "3Gi"},
            "memory max limit to request ratio per Container is 2, but provided ratio is 3.000000",
        ),
        (
            {"maxLimitRequestRatio": {"memory": "2"}},
            {},
            {},
            "memory max limit to request ratio per Container is 2, but no request is specified or request is 0",
        ),
    ],
)
def test_a_container_out_of_bounds_is_refused(
    limits: dict[str, Any], requests: dict[str, str], limit: dict[str, str], message: str
) -> None:
    cluster = SmallCluster(bounds("Container", **limits))
    pod = make_pod("web", containers=[container(requests, limit)])
    assert cluster.refusal(pod) == f'pods "web" is forbidden: {message}'
    assert cluster.api.get("Pod", "default", "web") is None
    (event,) = cluster.events
    assert (event["type"], event["object"]) == ("AdmissionRefused", "Pod/default/web")


def test_a_pod_as_a_whole_is_held_to_bounds_of_type_pod() -> None:
    cluster = SmallCluster(bounds("Pod", max={"cpu": "1", "memory": "1Gi"}))
    two = [container({}, {"cpu": "600m"}, "a"), container({}, {"cpu": "600m"}, "b")]
    assert cluster.refusal(make_pod("web", containers=two)) == (
        'pods "web" is forbidden: [maximum cpu usage per Pod is 1, but limit is 1200m, '
        "maximum memory usage per Pod is 1Gi.  No limit is specified]"
    )


def test_a_claim_is_held_to_bounds_of_its_type() -> None:
    cluster = SmallCluster(bounds("PersistentVolumeClaim", min={"storage": "1Gi"}, max={"storage": "10Gi"}))

    def claim(size: str) -> dict[str, Any]:
        spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}
        return raw("PersistentVolumeClaim", "data", spec=spec)

    assert cluster.refusal(claim("20Gi")) == (
        'persistentvolumeclaims "data" is forbidden: '
        "maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi"
    )
    assert cluster.refusal(claim("512Mi")).endswith(
        "minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi"
    )
    assert cluster.create(claim("5Gi")).metadata.name == "data"
