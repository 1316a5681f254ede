from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scheduler_core.simulator.api_server.errors import ApiError
from tests.core.simulator.small_cluster import SmallCluster, raw
from tests.make import make_pod


def quota(hard: dict[str, str], name: str = "compute", **spec: Any) -> dict[str, Any]:
    return raw("ResourceQuota", name, spec={"hard": hard, **spec})


def test_what_would_exceed_a_quota_is_refused_with_the_api_server_s_words() -> None:
    cluster = SmallCluster(
        quota({"requests.cpu": "2", "pods": "10"}), make_pod("old", node="n", requests={"cpu": "1500m"})
    )
    assert cluster.refusal(make_pod("web", requests={"cpu": "600m"})) == (
        'pods "web" is forbidden: exceeded quota: compute, '
        "requested: requests.cpu=600m, used: requests.cpu=1500m, limited: requests.cpu=2"
    )
    cluster.create(make_pod("small", requests={"cpu": "500m"}))
    assert "used: requests.cpu=2," in cluster.refusal(make_pod("more", requests={"cpu": "1m"}))


def test_all_resources_that_are_exceeded_are_named_in_order() -> None:
    cluster = SmallCluster(quota({"requests.memory": "1Gi", "requests.cpu": "1", "limits.cpu": "8"}))
    resources = {"requests": {"cpu": "2", "memory": "2Gi"}, "limits": {"cpu": "4"}}
    pod = make_pod("web", containers=[{"name": "main", "image": "a", "resources": resources}])
    assert cluster.refusal(pod) == (
        'pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=2,requests.memory=2Gi, '
        "used: requests.cpu=0,requests.memory=0, limited: requests.cpu=1,requests.memory=1Gi"
    )


def test_a_pod_that_goes_or_ends_gives_back_what_it_took() -> None:
    cluster = SmallCluster(quota({"pods": "1"}))
    cluster.create(make_pod("first"))
    assert "used: pods=1" in cluster.refusal(make_pod("second"))
    cluster.api.delete("Pod", "default", "first", by="test")
    second = cluster.create(make_pod("second"))
    ended = msgspec.structs.replace(second.status, phase="Succeeded")
    cluster.api.update_status(msgspec.structs.replace(second, status=ended), by="kubelet")
    assert cluster.create(make_pod("third")).metadata.name == "third"


def test_a_container_must_say_what_a_quota_limits() -> None:
    cluster = SmallCluster(quota({"requests.cpu": "2", "limits.memory": "1Gi"}))
    assert cluster.refusal(make_pod("web")) == (
        'pods "web" is forbidden: failed quota: compute: '
        "must specify limits.memory for: main; requests.cpu for: main"
    )


@pytest.mark.parametrize(
    ("scopes", "pod", "is_counted"),
    [
        (["BestEffort"], {}, True),
        (["BestEffort"], {"requests": {"cpu": "1"}}, False),
        (["NotBestEffort"], {"requests": {"cpu": "1"}}, True),
        (["Terminating"], {"activeDeadlineSeconds": 60}, True),
        (["Terminating"], {}, False),
        (["NotTerminating"], {}, True),
    ],
)
def test_a_quota_counts_what_is_in_its_scopes(
    scopes: list[str], pod: dict[str, Any], is_counted: bool
) -> None:
    cluster = SmallCluster(quota({"pods": "0"}, scopes=scopes))
    if is_counted:
        assert "exceeded quota: compute, requested: pods=1, used: pods=0, limited: pods=0" in cluster.refusal(
            make_pod("web", **pod)
        )
    else:
        cluster.create(make_pod("web", **pod))


def test_a_quota_for_a_priority_class_counts_pods_of_that_class_alone() -> None:
    selector = {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]}
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 9,
    }
    cluster = SmallCluster(quota({"pods": "1"}, "high-pods", scopeSelector=selector), high)
    cluster.create(make_pod("low"))
    assert cluster.create(make_pod("first", priorityClassName="high")).spec.priority == 9
    assert cluster.refusal(make_pod("second", priorityClassName="high")) == (
        'pods "second" is forbidden: exceeded quota: high-pods, requested: pods=1, used: pods=1, limited: pods=1'
    )


def test_objects_claims_and_services_are_counted_by_their_own_names() -> None:
    hard = {"count/deployments.apps": "0", "services.loadbalancers": "0", "requests.storage": "1Gi"}
    cluster = SmallCluster(quota(hard, "objects"))
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
    assert cluster.refusal(raw("Deployment", "web", "apps/v1", spec=spec)) == (
        'deployments.apps "web" is forbidden: exceeded quota: objects, '
        "requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0"
    )
    assert "requested: services.loadbalancers=1" in cluster.refusal(
        raw("Service", "door", spec={"type": "LoadBalancer"})
    )
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}}
    assert "requested: requests.storage=2Gi, used: requests.storage=0" in cluster.refusal(
        raw("PersistentVolumeClaim", "data", spec=claim)
    )


def test_a_larger_claim_is_charged_for_the_difference() -> None:
    cluster = SmallCluster(quota({"requests.storage": "3Gi"}, "storage"))
    spec: dict[str, Any] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}}
    cluster.create(raw("PersistentVolumeClaim", "data", spec=spec))
    grow = {"spec": {"resources": {"requests": {"storage": "3Gi"}}}}
    cluster.api.patch("PersistentVolumeClaim", "default", "data", grow, by="edit")
    grow = {"spec": {"resources": {"requests": {"storage": "4Gi"}}}}
    with pytest.raises(ApiError) as refusal:
        cluster.api.patch("PersistentVolumeClaim", "default", "data", grow, by="edit")
    assert refusal.value.message.endswith(
        "exceeded quota: storage, requested: requests.storage=1Gi, used: requests.storage=3Gi, "
        "limited: requests.storage=3Gi"
    )
