"""Deployments on virtual time: who owns what, how a rollout goes, what is told."""

from __future__ import annotations

from typing import Any

from scheduler_core.api.workloads import ReplicaSet
from scheduler_core.simulator.controllers.pod_util import is_active, is_ready
from tests.core.simulator.controllers.cluster import Cluster, condition, names, template, workload
from tests.make import make_node

NODES = tuple(make_node(f"n{number}", cpu="8") for number in (1, 2, 3))


def roll(unavailable: Any = "25%", surge: Any = "25%") -> dict[str, Any]:
    return {"rollingUpdate": {"maxUnavailable": unavailable, "maxSurge": surge}}


def image(name: str) -> dict[str, Any]:
    return {"spec": {"template": template(image=name)}}


def sets(cluster: Cluster) -> list[ReplicaSet]:
    """Replica sets in order of their revisions."""
    found = cluster.api.list("ReplicaSet")
    return sorted(found, key=lambda own: own.metadata.annotations["deployment.kubernetes.io/revision"])


def sizes(cluster: Cluster) -> list[tuple[str, int]]:
    return [
        (own.metadata.annotations["deployment.kubernetes.io/revision"], own.spec.replicas or 0)
        for own in sets(cluster)
    ]


def test_a_deployment_makes_a_replica_set_that_makes_pods() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=3)).until(5)
    (replica_set,) = sets(cluster)
    digest = replica_set.metadata.labels["pod-template-hash"]
    assert replica_set.metadata.name == f"web-{digest}"
    assert replica_set.metadata.owner_references[0].name == "web"
    assert replica_set.spec.selector is not None
    assert replica_set.spec.selector.match_labels == {"app": "web", "pod-template-hash": digest}
    assert replica_set.metadata.annotations == {
        "deployment.kubernetes.io/revision": "1",
        "deployment.kubernetes.io/desired-replicas": "3",
        "deployment.kubernetes.io/max-replicas": "4",
    }
    pods = cluster.pods(app="web")
    assert [pod.metadata.labels["pod-template-hash"] for pod in pods] == [digest] * 3
    assert [pod.metadata.owner_references[0].uid for pod in pods] == [replica_set.metadata.uid] * 3
    deployment = cluster.get("Deployment", "web")
    assert deployment.metadata.annotations["deployment.kubernetes.io/revision"] == "1"
    assert condition(deployment, "Available") == (
        "True",
        "MinimumReplicasAvailable",
        "Deployment has minimum availability.",
    )
    assert condition(deployment, "Progressing") == (
        "True",
        "NewReplicaSetAvailable",
        f'ReplicaSet "web-{digest}" has successfully progressed.',
    )


def test_the_hash_depends_on_the_template_alone() -> None:
    first = Cluster(*NODES, workload("Deployment", replicas=1)).until(2)
    second = Cluster(*NODES, workload("Deployment", replicas=2)).until(2)
    assert sets(first)[0].metadata.name == sets(second)[0].metadata.name


def test_a_rolling_update_never_has_fewer_nor_more_than_it_may() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=4, strategy=roll(1, 1))).until(10)
    cluster.patch("Deployment", "web", image("app:2"))
    for tenth in range(100, 200):
        cluster.until(tenth / 10)
        active = [pod for pod in cluster.pods() if is_active(pod)]
        assert len(active) <= 5
        assert sum(map(is_ready, active)) >= 3
    assert sizes(cluster.until(60)) == [("1", 0), ("2", 4)]
    assert {pod.spec.containers[0].image for pod in cluster.pods()} == {"app:2"}


def test_the_first_step_of_a_rollout() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=10)).until(10)
    cluster.patch("Deployment", "web", image("app:2"))
    cluster.until(10.5)
    assert sizes(cluster) == [("1", 8), ("2", 5)]
    reason = condition(cluster.get("Deployment", "web"), "Progressing")[1]
    assert reason == "ReplicaSetUpdated"


def test_with_none_to_be_missing_and_no_room_the_rollout_is_stuck_and_says_so() -> None:
    """Two nodes hold one pod each; the one too many finds no room, so no old one may go."""
    nodes = [make_node("n1", cpu="1"), make_node("n2", cpu="1")]
    made = workload("Deployment", replicas=2, strategy=roll(0, 1), progressDeadlineSeconds=60)
    cluster = Cluster(*nodes, made).until(5)
    cluster.patch("Deployment", "web", image("app:2"))
    cluster.until(20)
    assert sizes(cluster) == [("1", 2), ("2", 1)]
    assert sorted(pod.spec.node_name for pod in cluster.pods()) == ["", "n1", "n2"]
    assert condition(cluster.get("Deployment", "web"), "Progressing")[:2] == ("True", "ReplicaSetUpdated")
    cluster.until(70)
    new = sets(cluster)[1].metadata.name
    assert condition(cluster.get("Deployment", "web"), "Progressing") == (
        "False",
        "ProgressDeadlineExceeded",
        f'ReplicaSet "{new}" has timed out progressing.',
    )
    cluster.add(make_node("n3", cpu="1"))
    cluster.until(120)
    assert sizes(cluster) == [("1", 0), ("2", 2)]
    assert condition(cluster.get("Deployment", "web"), "Progressing")[1] == "NewReplicaSetAvailable"


def test_recreate_waits_until_the_last_old_pod_has_ended() -> None:
    made = workload("Deployment", replicas=2, strategy={"type": "Recreate"})
    cluster = Cluster(*NODES, made).until(5)
    cluster.patch("Deployment", "web", image("app:2"))
    cluster.until(34)
    assert sizes(cluster) == [("1", 0)]
    assert [is_active(pod) for pod in cluster.pods()] == [False, False]
    cluster.until(36)
    assert sizes(cluster) == [("1", 0), ("2", 2)]
    assert [pod.spec.containers[0].image for pod in cluster.pods()] == ["app:2", "app:2"]


def test_going_back_to_an_old_template_takes_its_replica_set_again() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=1)).until(5)
    first = sets(cluster)[0].metadata.name
    cluster.patch("Deployment", "web", image("app:2"))
    cluster.until(50)
    cluster.patch("Deployment", "web", image("app:1"))
    cluster.until(100)
    last = sets(cluster)[-1]
    assert (last.metadata.name, last.spec.replicas) == (first, 1)
    assert last.metadata.annotations["deployment.kubernetes.io/revision"] == "3"
    assert last.metadata.annotations["deployment.kubernetes.io/revision-history"] == "1"


def test_old_replica_sets_beyond_the_history_go() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=1, revisionHistoryLimit=1)).until(5)
    for number in (2, 3, 4):
        cluster.patch("Deployment", "web", image(f"app:{number}"))
        cluster.until(5 + 60 * number)
    assert sizes(cluster) == [("3", 0), ("4", 1)]


def test_a_paused_deployment_is_scaled_but_not_rolled_out() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2, paused=True)).until(5)
    assert cluster.pods() == []
    assert condition(cluster.get("Deployment", "web"), "Progressing") == (
        "Unknown",
        "DeploymentPaused",
        "Deployment is paused",
    )
    cluster.patch("Deployment", "web", {"spec": {"paused": False}})
    cluster.until(10)
    assert len(cluster.pods()) == 2
    cluster.patch("Deployment", "web", {"spec": {"paused": True, "replicas": 3, **image("app:2")["spec"]}})
    cluster.until(15)
    assert [pod.spec.containers[0].image for pod in cluster.pods()] == ["app:1"] * 3


def test_scaling_in_the_middle_of_a_rollout_is_in_proportion() -> None:
    slow = template(annotations={"scheduler-playground/ready-delay": "never"}, image="app:2", cpu="100m")
    made = workload("Deployment", replicas=10, strategy=roll(2, 3), template=template(cpu="100m"))
    cluster = Cluster(*NODES, made).until(5)
    cluster.patch("Deployment", "web", {"spec": {"template": slow}})
    cluster.until(10)
    assert sizes(cluster) == [("1", 8), ("2", 5)]
    cluster.patch("Deployment", "web", {"spec": {"replicas": 15}})
    cluster.until(15)
    assert sizes(cluster) == [("1", 11), ("2", 7)]


def test_minimum_ready_time_slows_a_rollout() -> None:
    made = workload("Deployment", replicas=2, strategy=roll(0, 1), minReadySeconds=20)
    cluster = Cluster(*NODES, made).until(60)
    cluster.patch("Deployment", "web", image("app:2"))
    cluster.until(75)
    assert sizes(cluster) == [("1", 2), ("2", 1)]
    cluster.until(85)
    assert sizes(cluster) == [("1", 1), ("2", 2)]


def test_a_name_that_is_taken_gets_another_hash() -> None:
    first = Cluster(*NODES, workload("Deployment", replicas=1)).until(5)
    taken = sets(first)[0].metadata.name
    cluster = Cluster(*NODES, workload("ReplicaSet", taken, replicas=0), workload("Deployment", replicas=1))
    cluster.until(5)
    made = [own for own in cluster.api.list("ReplicaSet") if own.metadata.name != taken]
    assert [own.spec.replicas for own in made] == [1]
    assert cluster.get("Deployment", "web").status.collision_count == 1


def test_a_deployment_of_a_dump_is_balanced() -> None:
    before = Cluster(*NODES, workload("Deployment", replicas=3)).until(5)
    kept = ("Node", "Deployment", "ReplicaSet", "Pod")
    dump = [found for kind in kept for found in before.api.list(kind)]
    after = Cluster(*dump).until(30)
    assert names(after.pods()) == names(before.pods())
    assert after.events("PodCreated", "PodTerminating", "PodDeleted", "ObjectChanged", "CycleStarted") == []
