"""Claims and volumes outside the scheduler: bound at once, made, reclaimed; and claims of ephemeral volumes."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.kinds import KubeObject
from scheduler_core.simulator.controllers.persistent_volume_binder import chosen_zone
from tests.core.plugins.volumes import ZONE, claim, storage_class, volume
from tests.core.simulator.controllers.cluster import Cluster, names, workload
from tests.make import make, make_node, make_pod

NODES = (make_node("n1", labels={ZONE: "a"}), make_node("n2", labels={ZONE: "b"}))
IMMEDIATE = storage_class("now", mode="Immediate")
LATER = storage_class("later", mode="WaitForFirstConsumer")


def unbound(name: str, of_class: str | None, **more: Any) -> KubeObject:
    return claim(name, storage_class=of_class, **more)


def free(name: str, size: str = "10Gi", of_class: str = "", **spec: Any) -> KubeObject:
    raw = {
        "capacity": {"storage": size},
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": of_class,
        **spec,
    }
    return make({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": raw})


def bound_to(cluster: Cluster, name: str) -> tuple[str, str]:
    found = cluster.get("PersistentVolumeClaim", name)
    return found.spec.volume_name, found.status.phase


def phase(cluster: Cluster, name: str) -> str:
    found = cluster.get("PersistentVolume", name, "")
    return "" if found is None else str(found.status.phase)


def told(cluster: Cluster) -> list[tuple[str, str]]:
    return [(event["reason"], event["message"]) for event in cluster.events("EventRecorded")]


def user(of_claim: str) -> KubeObject:
    return make_pod("p", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": of_claim}}])


def test_the_smallest_volume_that_suits_is_taken() -> None:
    cluster = Cluster(
        *NODES, free("big", "50Gi"), free("small", "5Gi"), free("tiny", "1Gi"), unbound("c", "")
    )
    cluster.until(1)
    assert bound_to(cluster, "c") == ("small", "Bound")
    assert (phase(cluster, "small"), phase(cluster, "big")) == ("Bound", "Available")
    reference = cluster.get("PersistentVolume", "small", "").spec.claim_ref
    assert (reference.name, reference.uid) == ("c", "uid-PersistentVolumeClaim-default/c")


def test_a_volume_that_comes_later_is_taken_then() -> None:
    cluster = Cluster(*NODES, unbound("c", "")).until(1)
    assert told(cluster) == [
        ("FailedBinding", "no persistent volumes available for this claim and no storage class is set")
    ]
    cluster.add(free("late"))
    assert bound_to(cluster.until(2), "c") == ("late", "Bound")


def test_a_class_that_binds_at_once_makes_the_volume_and_the_pod_follows_its_zone() -> None:
    cluster = Cluster(*NODES, IMMEDIATE, unbound("c", "now"), user("c")).until(20)
    assert bound_to(cluster, "c") == ("pvc-c", "Bound")
    made = cluster.get("PersistentVolume", "pvc-c", "")
    assert made.spec.persistent_volume_reclaim_policy == "Delete"
    zone = chosen_zone("c", ["a", "b"])
    node = {"a": "n1", "b": "n2"}[str(zone)]
    assert cluster.placed() == {"p": node}
    assert ("ProvisioningSucceeded", "Successfully provisioned volume pvc-c") in told(cluster)


def test_the_class_may_allow_some_zones_only() -> None:
    term = {"matchLabelExpressions": [{"key": ZONE, "values": ["b"]}]}
    raw = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "now"},
        "provisioner": "csi.example",
        "allowedTopologies": [term],
    }
    cluster = Cluster(*NODES, make(raw), unbound("c", "now"), unbound("d", "now")).until(1)
    for name in ("pvc-c", "pvc-d"):
        affinity = cluster.get("PersistentVolume", name, "").spec.node_affinity
        assert affinity.required.matches("", {ZONE: "b"})
        assert not affinity.required.matches("", {ZONE: "a"})


def test_numbered_claims_spread_over_zones() -> None:
    zones = [chosen_zone(f"data-web-{number}", ["a", "b", "c"]) for number in range(6)]
    assert sorted(map(str, zones)) == ["a", "a", "b", "b", "c", "c"]
    assert zones[0] == zones[3]
    assert chosen_zone("data-web-0", []) is None


def test_claims_of_the_same_name_in_two_namespaces_get_two_volumes() -> None:
    cluster = Cluster(*NODES, IMMEDIATE, unbound("c", "now"), unbound("c", "now", namespace="other")).until(1)
    assert names(cluster.api.list("PersistentVolume")) == ["pvc-c", "pvc-other-c"]
    assert cluster.api.get("PersistentVolumeClaim", "other", "c").spec.volume_name == "pvc-other-c"


@pytest.mark.parametrize(
    ("objects", "of_class", "expected"),
    [
        ([], "gone", ("ProvisioningFailed", 'storageclass.storage.k8s.io "gone" not found')),
        (
            [storage_class("local", provisioner="kubernetes.io/no-provisioner", mode="Immediate")],
            "local",
            ("ProvisioningFailed", "no volume plugin matched name: kubernetes.io/no-provisioner"),
        ),
        (
            [LATER],
            "later",
            ("WaitForFirstConsumer", "waiting for first consumer to be created before binding"),
        ),
    ],
)
def test_why_a_claim_waits(objects: list[Any], of_class: str, expected: tuple[str, str]) -> None:
    cluster = Cluster(*NODES, *objects, unbound("c", of_class)).until(5)
    assert told(cluster) == [expected]
    assert bound_to(cluster, "c") == ("", "Pending")


def test_a_class_that_comes_later_makes_the_volume_then() -> None:
    cluster = Cluster(*NODES, unbound("c", "now")).until(1)
    cluster.add(IMMEDIATE)
    assert bound_to(cluster.until(2), "c") == ("pvc-c", "Bound")


def test_one_that_waits_for_its_consumer_is_made_where_the_pod_goes() -> None:
    cluster = Cluster(*NODES, LATER, unbound("c", "later")).until(5)
    cluster.add(user("c"))
    cluster.until(10)
    assert bound_to(cluster, "c") == ("pvc-c", "Bound")
    affinity = cluster.get("PersistentVolume", "pvc-c", "").spec.node_affinity
    zone = {"n1": "a", "n2": "b"}[cluster.placed()["p"]]
    assert affinity.required.matches("", {ZONE: zone})


def test_a_volume_reserved_for_the_claim_is_taken_before_all_others() -> None:
    reserved = free("mine", "50Gi", claimRef={"name": "c", "namespace": "default"})
    cluster = Cluster(*NODES, free("small", "5Gi"), reserved, unbound("c", "")).until(1)
    assert bound_to(cluster, "c") == ("mine", "Bound")


def test_a_claim_may_name_its_volume() -> None:
    cluster = Cluster(
        *NODES, free("big", "50Gi"), free("small", "5Gi"), unbound("c", "", volume="big", bound=False)
    )
    assert bound_to(cluster.until(1), "c") == ("big", "Bound")


@pytest.mark.parametrize(("policy", "after"), [("Delete", ""), ("Retain", "Released")])
def test_the_policy_says_what_becomes_of_a_volume_whose_claim_went(policy: str, after: str) -> None:
    cluster = Cluster(*NODES, free("v", persistentVolumeReclaimPolicy=policy), unbound("c", "")).until(1)
    cluster.delete("PersistentVolumeClaim", "c")
    assert phase(cluster.until(2), "v") == after
    cluster.add(unbound("d", ""))
    assert bound_to(cluster.until(3), "d") == ("", "Pending")


def test_a_deleted_claim_is_gone_at_once_though_a_pod_uses_it() -> None:
    cluster = Cluster(*NODES, IMMEDIATE, unbound("c", "now"), user("c")).until(20)
    cluster.delete("PersistentVolumeClaim", "c")
    assert cluster.get("PersistentVolumeClaim", "c") is None
    assert cluster.until(60).placed()["p"] != ""


def test_a_claim_that_waits_in_the_cluster_it_came_from_goes_on_waiting() -> None:
    raw = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "c", "uid": "5c1f7a52-0000-4000-8000-000000000001"},
        "spec": {"storageClassName": "now", "accessModes": ["ReadWriteOnce"]},
        "status": {"phase": "Pending"},
    }
    cluster = Cluster(*NODES, IMMEDIATE, make(raw)).until(60)
    assert bound_to(cluster, "c") == ("", "Pending")


def test_bound_pairs_of_a_dump_stay() -> None:
    pair = volume("v", claim_ref={"name": "c", "namespace": "default", "uid": "u"})
    cluster = Cluster(*NODES, pair, unbound("c", "fast", volume="v", bound=True)).until(10)
    assert cluster.events("ObjectChanged", "EventRecorded") == []


def test_a_pod_gets_claims_for_its_ephemeral_volumes_and_takes_them_along() -> None:
    template = {"spec": {"storageClassName": "now", "accessModes": ["ReadWriteOnce"]}}
    pod = make_pod("p", volumes=[{"name": "scratch", "ephemeral": {"volumeClaimTemplate": template}}])
    cluster = Cluster(*NODES, IMMEDIATE, pod).until(20)
    found = cluster.get("PersistentVolumeClaim", "p-scratch")
    assert [(own.kind, own.name, own.controller) for own in found.metadata.owner_references] == [
        ("Pod", "p", True)
    ]
    assert bound_to(cluster, "p-scratch") == ("pvc-p-scratch", "Bound")
    assert cluster.placed()["p"] != ""
    cluster.delete("Pod", "p")
    cluster.until(60)
    assert cluster.get("PersistentVolumeClaim", "p-scratch") is None
    assert list(cluster.api.list("PersistentVolume")) == []


def test_a_claim_of_that_name_that_is_not_the_pod_s_is_told() -> None:
    template = {"spec": {"accessModes": ["ReadWriteOnce"]}}
    pod = make_pod("p", volumes=[{"name": "scratch", "ephemeral": {"volumeClaimTemplate": template}}])
    cluster = Cluster(*NODES, unbound("p-scratch", ""), pod).until(5)
    (message,) = [text for reason, text in told(cluster) if "ephemeral" in text and reason == "FailedBinding"]
    assert message.startswith(
        "ephemeral volume scratch: PVC default/p-scratch was not created for pod default/p"
    )


def test_a_stateful_set_gets_its_volumes() -> None:
    templates = [
        {
            "metadata": {"name": "data"},
            "spec": {"storageClassName": "later", "accessModes": ["ReadWriteOnce"]},
        }
    ]
    cluster = Cluster(
        *NODES, LATER, workload("StatefulSet", replicas=2, volumeClaimTemplates=templates)
    ).until(20)
    assert [bound_to(cluster, f"data-web-{number}") for number in (0, 1)] == [
        ("pvc-data-web-0", "Bound"),
        ("pvc-data-web-1", "Bound"),
    ]
