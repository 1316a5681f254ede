"""Owners and dependents, and namespaces: what goes with what."""

from __future__ import annotations

from typing import Any

from scheduler_core.api.kinds import KubeObject
from tests.core.simulator.controllers.cluster import Cluster, names, workload
from tests.make import make, make_node, make_pod

NODES = (make_node("n1", cpu="8"),)


def owned(name: str, *owners: str, blocks: bool = True) -> KubeObject:
    """A replica set without pods, owned by others."""
    references = [
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "name": owner,
            "uid": f"uid-ReplicaSet-default/{owner}",
            "blockOwnerDeletion": blocks,
        }
        for owner in owners
    ]
    return workload("ReplicaSet", name, replicas=0, metadata={"ownerReferences": references})


def sets(cluster: Cluster) -> list[str]:
    return names(cluster.api.list("ReplicaSet"))


def test_in_the_background_the_owner_goes_first() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2)).until(5)
    cluster.delete("Deployment", "web")
    assert cluster.get("Deployment", "web") is None
    assert len(sets(cluster)) == 1
    cluster.until(6)
    assert sets(cluster) == []
    assert [pod.metadata.deletion_timestamp is not None for pod in cluster.pods()] == [True, True]
    assert cluster.until(40).pods() == []


def test_in_the_foreground_the_owner_waits_for_its_dependents() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2)).until(5)
    cluster.delete("Deployment", "web", propagation="Foreground")
    cluster.until(34)
    deployment = cluster.get("Deployment", "web")
    assert deployment.metadata.finalizers == ("foregroundDeletion",)
    assert len(cluster.pods()) == 2
    cluster.until(40)
    assert cluster.get("Deployment", "web") is None
    assert cluster.pods() == []


def test_orphans_stay() -> None:
    cluster = Cluster(*NODES, workload("ReplicaSet", replicas=2)).until(5)
    cluster.delete("ReplicaSet", "web", propagation="Orphan")
    cluster.until(60)
    assert cluster.get("ReplicaSet", "web") is None
    assert [pod.metadata.owner_references for pod in cluster.pods()] == [(), ()]


def test_one_of_two_owners_is_enough() -> None:
    cluster = Cluster(*NODES, owned("a"), owned("b"), owned("c", "a", "b")).until(1)
    cluster.delete("ReplicaSet", "a")
    cluster.until(2)
    assert sets(cluster) == ["b", "c"]
    assert [own.name for own in cluster.get("ReplicaSet", "c").metadata.owner_references] == ["b"]


def test_an_owner_that_the_dump_does_not_list_is_taken_to_be_there() -> None:
    cluster = Cluster(*NODES, owned("c", "elsewhere")).until(60)
    assert sets(cluster) == ["c"]


def test_a_dependent_that_comes_after_its_owner_has_gone_goes_too() -> None:
    cluster = Cluster(*NODES, owned("a")).until(1)
    cluster.delete("ReplicaSet", "a")
    cluster.until(2)
    cluster.add(owned("late", "a"))
    assert sets(cluster.until(3)) == []


def test_a_cycle_of_owners_ends_whichever_way_it_is_deleted() -> None:
    for how in ("Background", "Foreground"):
        cluster = Cluster(*NODES, owned("a", "c"), owned("b", "a"), owned("c", "b")).until(1)
        assert sets(cluster) == ["a", "b", "c"]
        cluster.delete("ReplicaSet", "a", propagation=how)
        assert sets(cluster.until(60)) == []
    told = [event["reason"] for event in cluster.events("EventRecorded")]
    assert told == ["OwnerCycle"]


def test_who_owns_itself_goes() -> None:
    for how in ("Background", "Foreground"):
        cluster = Cluster(*NODES, owned("a", "a")).until(1)
        cluster.delete("ReplicaSet", "a", propagation=how)
        assert sets(cluster.until(10)) == []


def test_a_namespace_takes_all_that_is_in_it_along() -> None:
    space = make({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}})
    raw: dict[str, Any] = {"namespace": "team"}
    cluster = Cluster(
        *NODES,
        space,
        workload("Deployment", metadata=raw, replicas=2),
        make_pod("alone", namespace="team", requests={"cpu": "1"}),
        make_pod("other", requests={"cpu": "1"}),
    ).until(5)
    assert len(cluster.pods()) == 4
    cluster.api.delete("Namespace", "", "team", by="edit")
    cluster.until(6)
    namespace = cluster.api.get("Namespace", "", "team")
    assert (namespace.status.phase, namespace.spec.finalizers) == ("Terminating", ("kubernetes",))
    cluster.until(60)
    assert cluster.api.get("Namespace", "", "team") is None
    assert names(cluster.pods()) == ["other"]
    assert list(cluster.api.list("ReplicaSet", "team")) == []
