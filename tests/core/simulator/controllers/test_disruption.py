"""Disruption budgets: what their status says, and what it lets go."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.kinds import KubeObject
from scheduler_core.simulator.api_server.errors import ApiError
from tests.core.simulator.controllers.cluster import Cluster, condition, template, workload
from tests.make import make, make_node, make_pod

NODES = tuple(make_node(f"n{number}", cpu="8") for number in (1, 2))


def budget(status: dict[str, Any] | None = None, **spec: Any) -> KubeObject:
    spec.setdefault("selector", {"matchLabels": {"app": "web"}})
    raw = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"}}
    return make({**raw, "spec": spec, "status": status or {}})


def counts(cluster: Cluster) -> tuple[int, int, int, int]:
    status = cluster.get("PodDisruptionBudget", "b").status
    return status.expected_pods, status.desired_healthy, status.current_healthy, status.disruptions_allowed


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"minAvailable": 3}, (5, 3, 5, 2)),
        ({"minAvailable": "50%"}, (5, 3, 5, 2)),
        ({"maxUnavailable": 1}, (5, 4, 5, 1)),
        ({"maxUnavailable": "30%"}, (5, 3, 5, 2)),
        ({"maxUnavailable": "100%"}, (5, 0, 5, 5)),
        ({"minAvailable": 9}, (5, 9, 5, 0)),
        ({"minAvailable": 0}, (5, 0, 5, 5)),
    ],
)
def test_counts_and_shares(spec: dict[str, Any], expected: tuple[int, int, int, int]) -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=5), budget(**spec)).until(5)
    assert counts(cluster) == expected


def test_pods_that_are_not_ready_are_not_healthy() -> None:
    unready = template(annotations={"scheduler-playground/ready-delay": "20s"})
    made = workload("Deployment", replicas=3, template=unready)
    cluster = Cluster(*NODES, made, budget(maxUnavailable=1)).until(10)
    assert counts(cluster) == (3, 2, 0, 0)
    assert condition(cluster.get("PodDisruptionBudget", "b"), "DisruptionAllowed")[:2] == (
        "False",
        "InsufficientPods",
    )
    assert counts(cluster.until(30)) == (3, 2, 3, 1)
    assert condition(cluster.get("PodDisruptionBudget", "b"), "DisruptionAllowed")[:2] == (
        "True",
        "SufficientPods",
    )


def test_it_blocks_an_eviction_until_the_pod_is_replaced() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=2), budget(minAvailable=1)).until(5)
    first, second = (pod.metadata.name for pod in cluster.pods())
    cluster.api.evict("default", first, by="edit")
    with pytest.raises(ApiError) as caught:
        cluster.api.evict("default", second, by="edit")
    assert (caught.value.reason, caught.value.message) == (
        "TooManyRequests",
        "Cannot evict pod as it would violate the pod's disruption budget.",
    )
    cluster.until(5.5)
    with pytest.raises(ApiError):
        cluster.api.evict("default", second, by="edit")
    cluster.until(7)
    cluster.api.evict("default", second, by="edit")


def test_the_scale_of_a_deployment_counts_once_in_a_rollout() -> None:
    cluster = Cluster(*NODES, workload("Deployment", replicas=4), budget(maxUnavailable="50%")).until(5)
    cluster.patch("Deployment", "web", {"spec": {"template": template(image="app:2")}})
    assert counts(cluster.until(5.5))[:2] == (4, 2)


def test_of_daemons_nobody_knows_how_many_there_should_be() -> None:
    cluster = Cluster(*NODES, workload("DaemonSet"), budget(maxUnavailable=1)).until(5)
    assert counts(cluster)[3] == 0
    told = [event["message"] for event in cluster.events("EventRecorded")]
    assert told == [
        (
            "Failed to calculate the number of expected pods: "
            "daemonsets.apps does not implement the scale subresource"
        )
    ]


def test_pods_without_a_controller_count_for_a_number_only() -> None:
    pods = [make_pod(f"p{number}", node="n1", labels={"app": "web"}) for number in (1, 2, 3)]
    assert counts(Cluster(*NODES, *pods, budget(minAvailable=2)).until(1)) == (3, 2, 3, 1)
    assert counts(Cluster(*NODES, *pods, budget(maxUnavailable=1)).until(1)) == (0, 0, 3, 0)


def test_a_status_of_a_dump_is_believed_until_its_pods_change() -> None:
    told = {"expectedPods": 7, "desiredHealthy": 5, "currentHealthy": 7, "disruptionsAllowed": 2}
    pods = [make_pod(f"p{number}", node="n1", labels={"app": "web"}) for number in (1, 2, 3)]
    cluster = Cluster(*NODES, *pods, budget(told, minAvailable=2)).until(5)
    assert counts(cluster) == (7, 5, 7, 2)
    cluster.delete("Pod", "p1")
    assert counts(cluster.until(6)) == (3, 2, 2, 0)


def test_an_eviction_that_nobody_follows_counts_for_two_minutes() -> None:
    pods = [make_pod(f"p{number}", node="n1", labels={"app": "web"}) for number in (1, 2)]
    at = "2026-01-01T00:00:00Z"
    told = {"expectedPods": 2, "currentHealthy": 2, "disruptedPods": {"p1": at}}
    cluster = Cluster(*NODES, *pods, budget(told, minAvailable=1)).until(5)
    cluster.patch("Pod", "p2", {"metadata": {"labels": {"tier": "x"}}})
    assert counts(cluster.until(6)) == (2, 1, 1, 0)
    assert counts(cluster.until(121)) == (2, 1, 2, 1)
