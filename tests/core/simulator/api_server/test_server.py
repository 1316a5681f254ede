from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scheduler_core.api.meta import Time
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.api_server.errors import ApiError
from tests.core.simulator.small_cluster import SmallCluster, raw
from tests.make import make, make_node, make_pod

TEMPLATE = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}
DEPLOYMENT = raw(
    "Deployment", "web", "apps/v1",
    spec={"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": TEMPLATE},
)  # fmt: skip


def refused(call: Any) -> ApiError:
    with pytest.raises(ApiError) as refusal:
        call()
    return refusal.value


def test_a_new_object_gets_a_uid_a_time_in_whole_seconds_and_a_generation() -> None:
    cluster = SmallCluster()
    cluster.clock.advance(1_234_567)
    made = cluster.create(DEPLOYMENT).metadata
    assert (made.uid, made.generation) == ("uid-Deployment-default/web", 1)
    assert made.creation_timestamp == Time(cluster.clock.epoch_us + MICROSECONDS)
    assert cluster.events == [
        {
            "seq": 1, "t_us": 1_234_567, "type": "ObjectChanged",
            "object": "Deployment/default/web", "change": "created", "by": "test",
        }
    ]  # fmt: skip


def test_a_name_that_is_taken_and_a_namespace_that_is_not_there_are_refused() -> None:
    cluster = SmallCluster(DEPLOYMENT)
    assert cluster.refusal(DEPLOYMENT) == 'deployments.apps "web" already exists'
    assert cluster.refusal(make_pod("p", namespace="shop")) == 'namespaces "shop" not found'


def test_generated_names_do_not_depend_on_what_else_is_made() -> None:
    def names(*prefixes: str) -> list[str]:
        cluster = SmallCluster()
        made = []
        for prefix in prefixes:
            pod = msgspec.structs.replace(make_pod(""), metadata=make_pod("").metadata)
            metadata = msgspec.structs.replace(pod.metadata, name="", generate_name=prefix, uid="")
            made.append(cluster.create(msgspec.structs.replace(pod, metadata=metadata)).metadata.name)
        return made

    alone = names("web-", "web-")
    mixed = names("api-", "web-", "api-", "web-")
    assert alone == [mixed[1], mixed[3]]
    assert len(set(mixed)) == 4
    assert all(name.startswith("web-") and len(name) == 9 for name in alone)


def test_a_recreated_name_is_another_object() -> None:
    cluster = SmallCluster(make_pod("kv-0"))
    first = cluster.api.get("Pod", "default", "kv-0").metadata.uid
    cluster.api.delete("Pod", "default", "kv-0", by="test")
    assert cluster.create(make_pod("kv-0")).metadata.uid != first


def test_a_stale_write_is_a_conflict() -> None:
    cluster = SmallCluster(DEPLOYMENT)
    old = cluster.api.get("Deployment", "default", "web")
    cluster.api.patch("Deployment", "default", "web", {"spec": {"replicas": 3}}, by="edit")
    refusal = refused(lambda: cluster.api.update(old, by="edit"))
    assert (refusal.reason, refusal.code) == ("Conflict", 409)
    assert refusal.message == (
        'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; '
        "please apply your changes to the latest version and try again"
    )


def test_a_changed_spec_is_a_new_generation_and_a_status_is_not() -> None:
    cluster = SmallCluster()
    made = cluster.create(DEPLOYMENT)
    scaled = cluster.api.patch("Deployment", "default", "web", {"spec": {"replicas": 3}}, by="edit")
    assert (scaled.metadata.generation, scaled.spec.replicas) == (2, 3)
    same = cluster.api.patch("Deployment", "default", "web", {"spec": {"replicas": 3}}, by="edit")
    assert same.metadata.resource_version == scaled.metadata.resource_version
    status = msgspec.structs.replace(scaled, status=msgspec.structs.replace(made.status, replicas=3))
    written = cluster.api.update_status(status, by="deployment-controller")
    assert (written.metadata.generation, written.status.replicas) == (2, 3)


def test_a_selector_cannot_be_changed() -> None:
    cluster = SmallCluster(DEPLOYMENT)
    patch = {"spec": {"selector": {"matchLabels": {"app": "other"}}}}
    refusal = refused(lambda: cluster.api.patch("Deployment", "default", "web", patch, by="edit"))
    assert refusal.message == (
        'Deployment.apps "web" is invalid: [spec.template.metadata.labels: Invalid value: {"app":"web"}: '
        "`selector` does not match template `labels`, "
        'spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable]'
    )


def test_a_finalizer_holds_an_object_until_it_is_taken_off() -> None:
    cluster = SmallCluster()
    claim = raw("PersistentVolumeClaim", "data", spec={"accessModes": ["ReadWriteOnce"]})
    claim["metadata"]["finalizers"] = ["kubernetes.io/pvc-protection"]
    cluster.create(claim)
    cluster.api.delete("PersistentVolumeClaim", "default", "data", by="test")
    going = cluster.api.get("PersistentVolumeClaim", "default", "data")
    assert going.metadata.deletion_timestamp == Time(cluster.clock.epoch_us)
    cluster.api.patch(
        "PersistentVolumeClaim", "default", "data", {"metadata": {"finalizers": None}}, by="test"
    )
    assert cluster.api.get("PersistentVolumeClaim", "default", "data") is None


def test_a_foreground_deletion_waits_for_the_garbage_collector() -> None:
    cluster = SmallCluster(DEPLOYMENT)
    cluster.api.delete("Deployment", "default", "web", by="test", propagation="Foreground")
    assert cluster.api.get("Deployment", "default", "web").metadata.finalizers == ("foregroundDeletion",)


def test_a_pod_on_a_node_gets_its_grace_period_where_there_is_a_kubelet() -> None:
    cluster = SmallCluster(
        make_pod("web", node="n", terminationGracePeriodSeconds=20), make_pod("waiting"), make_node("n")
    )
    cluster.api.graceful = True
    cluster.api.delete("Pod", "default", "waiting", by="test")
    assert cluster.api.get("Pod", "default", "waiting") is None
    cluster.api.delete("Pod", "default", "web", by="test")
    web = cluster.api.get("Pod", "default", "web").metadata
    assert (web.deletion_timestamp, web.deletion_grace_period_seconds) == (
        Time(cluster.clock.epoch_us + 20 * MICROSECONDS),
        20,
    )
    assert cluster.events[-1] == {
        "seq": 2, "t_us": 0, "type": "PodTerminating", "pod": "default/web", "by": "test", "node": "n",
        "grace_us": 20_000_000,
    }  # fmt: skip
    cluster.api.delete("Pod", "default", "web", by="kubelet", grace_seconds=0)
    assert cluster.api.get("Pod", "default", "web") is None


def test_nothing_new_comes_into_a_namespace_that_goes() -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    cluster = SmallCluster({**namespace, "spec": {"finalizers": ["kubernetes"]}})
    cluster.api.delete("Namespace", "", "shop", by="test")
    assert cluster.api.get("Namespace", "", "shop").status.phase == "Terminating"
    assert cluster.refusal(make_pod("p", namespace="shop")) == (
        'pods "p" is forbidden: unable to create new content in namespace shop because it is being terminated'
    )


def test_objects_are_found_by_labels_fields_and_owners() -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "u1", "controller": True}
    owned = make({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "c", "ownerReferences": [owner]}})
    cluster = SmallCluster(make_pod("a", node="n1", labels={"app": "x"}), make_pod("b", node="n2"), owned)
    api = cluster.api

    def found(**by: Any) -> list[str]:
        return [pod.metadata.name for pod in api.list("Pod", **by)]

    assert found(fields="spec.nodeName=n1") == ["a"]
    assert found(fields="spec.nodeName!=,status.phase=Pending") == ["a", "b"]
    assert found(labels={"app": "x"}) == ["a"]
    assert [pod.metadata.name for pod in api.owned_by("u1", "Pod")] == ["c"]
    refusal = refused(lambda: api.list("Pod", fields="spec.hostNetwork=true"))
    assert (refusal.code, refusal.message) == (400, "field label not supported: spec.hostNetwork")


def budget(allowed: int, **spec: Any) -> dict[str, Any]:
    return raw(
        "PodDisruptionBudget", "keep", "policy/v1",
        spec={"minAvailable": 2, "selector": {"matchLabels": {"app": "x"}}, **spec},
        status={"disruptionsAllowed": allowed, "currentHealthy": 2, "desiredHealthy": 2, "expectedPods": 2},
    )  # fmt: skip


READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def test_an_eviction_asks_the_disruption_budget() -> None:
    pods = [make_pod(name, node="n", labels={"app": "x"}, status=READY) for name in ("a", "b")]
    cluster = SmallCluster(budget(1), *pods)
    cluster.api.evict("default", "a", by="edit")
    assert cluster.api.get("Pod", "default", "a") is None
    assert cluster.events[-1]["reason"] == "evicted"
    left = cluster.api.get("PodDisruptionBudget", "default", "keep").status
    assert (left.disruptions_allowed, list(left.disrupted_pods)) == (0, ["a"])
    refusal = refused(lambda: cluster.api.evict("default", "b", by="edit"))
    assert (refusal.code, refusal.message) == (
        429,
        "Cannot evict pod as it would violate the pod's disruption budget.",
    )
    assert refusal.cause == "The disruption budget keep needs 2 healthy pods and has 2 currently"


def test_a_pod_that_is_not_ready_needs_no_leave_where_the_budget_is_met_or_says_so() -> None:
    sick = make_pod("sick", node="n", labels={"app": "x"}, status={"phase": "Running"})
    cluster = SmallCluster(budget(0), sick)
    cluster.api.evict("default", "sick", by="edit")
    assert cluster.api.get("Pod", "default", "sick") is None
    short = budget(0, unhealthyPodEvictionPolicy="AlwaysAllow")
    short["status"]["currentHealthy"] = 1
    cluster = SmallCluster(short, sick)
    cluster.api.evict("default", "sick", by="edit")
    assert cluster.api.get("Pod", "default", "sick") is None


def test_two_budgets_for_one_pod_are_an_error() -> None:
    other = budget(1)
    other["metadata"] = {"name": "other", "namespace": "default"}
    cluster = SmallCluster(budget(1), other, make_pod("a", node="n", labels={"app": "x"}, status=READY))
    refusal = refused(lambda: cluster.api.evict("default", "a", by="edit"))
    assert refusal.code == 500
    assert refusal.message.startswith("This pod has more than one PodDisruptionBudget")
