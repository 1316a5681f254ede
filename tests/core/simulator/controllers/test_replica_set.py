"""Replica sets and replication controllers: who is made, who goes, what is told."""

from __future__ import annotations

from msgspec.structs import replace

from scheduler_core.simulator.controllers.pod_util import is_active
from tests.core.simulator.controllers.cluster import Cluster, condition, names, template, workload
from tests.make import make, make_node, make_pod

NODES = (make_node("n1", cpu="8"), make_node("n2", cpu="8"))


def test_missing_pods_are_made_and_owned() -> None:
    cluster = Cluster(*NODES, workload("ReplicaSet", replicas=3)).until(5)
    (first, *_) = pods = cluster.pods()
    assert len(pods) == 3
    (owner,) = first.metadata.owner_references
    assert (owner.kind, owner.name, owner.uid) == ("ReplicaSet", "web", "uid-ReplicaSet-default/web")
    assert (owner.controller, owner.block_owner_deletion) == (True, True)
    assert first.metadata.name.startswith("web-")
    assert set(first.metadata.name.removeprefix("web-")) <= set("bcdfghjklmnpqrstvwxz2456789")
    status = cluster.get("ReplicaSet", "web").status
    assert (status.replicas, status.ready_replicas, status.available_replicas) == (3, 3, 3)


def test_one_that_goes_is_made_again() -> None:
    cluster = Cluster(*NODES, workload("ReplicaSet", replicas=2)).until(5)
    gone = cluster.pods()[0].metadata.name
    cluster.delete("Pod", gone)
    cluster.until(6)
    assert [pod.metadata.name for pod in cluster.pods() if not is_active(pod)] == [gone]
    assert len([pod for pod in cluster.pods() if is_active(pod)]) == 2
    assert gone not in names(cluster.until(40).pods())


def test_those_without_a_node_go_first() -> None:
    cluster = Cluster(make_node("n1", cpu="2"), workload("ReplicaSet", replicas=4)).until(5)
    cluster.patch("ReplicaSet", "web", {"spec": {"replicas": 2}})
    cluster.until(6)
    assert [pod.spec.node_name for pod in cluster.pods()] == ["n1", "n1"]


def test_an_orphan_it_selects_is_taken_in() -> None:
    orphan = make_pod("old", labels={"app": "web"}, requests={"cpu": "1"}, node="n1")
    cluster = Cluster(*NODES, workload("ReplicaSet", replicas=2), orphan).until(5)
    owner = cluster.get("Pod", "old").metadata.controller()
    assert owner is not None
    assert owner.name == "web"
    assert len(cluster.pods()) == 2


def test_a_pod_that_loses_its_label_is_let_go_and_replaced() -> None:
    cluster = Cluster(*NODES, workload("ReplicaSet", replicas=2)).until(5)
    name = cluster.pods()[0].metadata.name
    cluster.patch("Pod", name, {"metadata": {"labels": {"app": "debug"}}})
    cluster.until(6)
    assert cluster.get("Pod", name).metadata.owner_references == ()
    assert len(cluster.pods(app="web")) == 2


def test_minimum_ready_time_delays_availability() -> None:
    cluster = Cluster(*NODES, workload("ReplicaSet", replicas=1, minReadySeconds=30)).until(10)
    status = cluster.get("ReplicaSet", "web").status
    assert (status.ready_replicas, status.available_replicas) == (1, 0)
    assert cluster.until(32).get("ReplicaSet", "web").status.available_replicas == 1


def test_at_most_500_pods_are_made_in_one_go() -> None:
    cluster = Cluster(make_node("n1"), workload("ReplicaSet", replicas=600))
    cluster.until(0.001)
    assert len(cluster.pods()) == 500
    assert len(cluster.until(1).pods()) == 600


def test_a_refusal_is_told_and_tried_again() -> None:
    quota = make(
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "few"},
            "spec": {"hard": {"pods": "2"}},
        }
    )
    cluster = Cluster(*NODES, quota, workload("ReplicaSet", replicas=5)).until(5)
    assert len(cluster.pods()) == 2
    status, reason, message = condition(cluster.get("ReplicaSet", "web"), "ReplicaFailure")
    assert (status, reason) == ("True", "FailedCreate")
    assert "is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2" in message
    cluster.delete("ResourceQuota", "few")
    cluster.until(60)
    assert len(cluster.pods()) == 5
    assert cluster.get("ReplicaSet", "web").status.conditions == ()


def test_a_replication_controller_does_the_same_with_a_plain_selector() -> None:
    made = workload("ReplicationController", group="v1", replicas=2, template=template({"app": "old"}))
    cluster = Cluster(*NODES, made).until(5)
    pods = cluster.pods(app="old")
    assert [pod.metadata.owner_references[0].kind for pod in pods] == ["ReplicationController"] * 2
    assert cluster.get("ReplicationController", "web").status.ready_replicas == 2


def test_pods_of_a_dump_stay() -> None:
    owner = workload("ReplicaSet", replicas=2)
    first = make_pod("web-1", labels={"app": "web"}, node="n1")
    reference = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "name": "web",
        "uid": owner.metadata.uid,
        "controller": True,
    }
    pods = [
        make(
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {
                    "name": f"web-{number}",
                    "labels": {"app": "web"},
                    "ownerReferences": [reference],
                },
                "spec": {"nodeName": "n1", "containers": [{"name": "main"}]},
            }
        )
        for number in (1, 2)
    ]
    cluster = Cluster(*NODES, owner, *pods).until(5)
    assert names(cluster.pods()) == ["web-1", "web-2"]
    assert cluster.events("PodCreated", "PodTerminating", "PodDeleted") == []
    assert replace(first).metadata.name == "web-1"
