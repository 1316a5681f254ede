"""Autoscalers: bounds, speed, patience."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.kinds import KubeObject
from scheduler_core.simulator.controllers.horizontal_pod_autoscaler import within_bounds
from tests.core.simulator.controllers.cluster import Cluster, condition, template, workload
from tests.make import make, make_node

NODES = (make_node("n1", cpu="64"),)
ASKED = "scheduler-playground/desired-replicas"


def autoscaler(
    least: int = 1, most: int = 10, asked: int | None = None, kind: str = "Deployment"
) -> KubeObject:
    target = {"apiVersion": "apps/v1", "kind": kind, "name": "web"}
    return make(
        {
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": "web", "annotations": {} if asked is None else {ASKED: str(asked)}},
            "spec": {"scaleTargetRef": target, "minReplicas": least, "maxReplicas": most},
        }
    )


def deployment(replicas: int) -> KubeObject:
    return workload("Deployment", replicas=replicas, template=template(cpu="100m"))


def ask(cluster: Cluster, count: int) -> None:
    notes: dict[str, Any] = {"metadata": {"annotations": {ASKED: str(count)}}}
    cluster.patch("HorizontalPodAutoscaler", "web", notes)


def size(cluster: Cluster) -> int:
    replicas: int = cluster.get("Deployment", "web").spec.replicas
    return replicas


def test_it_doubles_every_15_s_until_enough() -> None:
    cluster = Cluster(*NODES, deployment(2), autoscaler(most=30)).until(20)
    ask(cluster, 14)
    assert [size(cluster.until(second)) for second in (29, 31, 46, 61)] == [2, 4, 8, 14]
    assert [(event["previous"], event["replicas"]) for event in cluster.events("WorkloadScaled")] == [
        (2, 4),
        (4, 8),
        (8, 14),
    ]
    told = [event["message"] for event in cluster.events("EventRecorded")]
    assert told[-1] == f"New size: 14; reason: {ASKED} is 14"
    assert len(cluster.until(70).pods()) == 14


def test_it_shrinks_only_after_five_minutes() -> None:
    cluster = Cluster(*NODES, deployment(8), autoscaler(asked=8)).until(62)
    ask(cluster, 3)
    assert size(cluster.until(358)) == 8
    assert size(cluster.until(361)) == 3


def test_a_short_dip_changes_nothing() -> None:
    cluster = Cluster(*NODES, deployment(8), autoscaler(asked=8)).until(62)
    ask(cluster, 3)
    cluster.until(200)
    ask(cluster, 8)
    assert size(cluster.until(900)) == 8
    assert cluster.events("WorkloadScaled") == []


def test_it_stays_within_its_bounds_and_says_so() -> None:
    cluster = Cluster(*NODES, deployment(4), autoscaler(2, 6, asked=50)).until(60)
    assert size(cluster) == 6
    assert condition(cluster.get("HorizontalPodAutoscaler", "web"), "ScalingLimited") == (
        "True",
        "TooManyReplicas",
        "the desired replica count is more than the maximum replica count",
    )
    ask(cluster, 0)
    assert size(cluster.until(600)) == 2
    assert condition(cluster.get("HorizontalPodAutoscaler", "web"), "ScalingLimited")[1] == "TooFewReplicas"


@pytest.mark.parametrize(("replicas", "size_after"), [(20, 6), (1, 2), (4, 4)])
def test_without_a_target_it_only_keeps_the_bounds(replicas: int, size_after: int) -> None:
    cluster = Cluster(*NODES, deployment(replicas), autoscaler(2, 6)).until(40)
    assert size(cluster) == size_after
    status, reason, message = condition(cluster.get("HorizontalPodAutoscaler", "web"), "ScalingActive")
    assert (status, reason) == ("False", "FailedGetResourceMetric")
    assert ASKED in message


def test_at_zero_it_is_switched_off() -> None:
    cluster = Cluster(*NODES, deployment(0), autoscaler(asked=5)).until(60)
    assert size(cluster) == 0
    assert condition(cluster.get("HorizontalPodAutoscaler", "web"), "ScalingActive")[1] == "ScalingDisabled"


def test_a_target_that_is_not_there_is_told() -> None:
    cluster = Cluster(*NODES, autoscaler(asked=5, kind="StatefulSet")).until(60)
    assert condition(cluster.get("HorizontalPodAutoscaler", "web"), "AbleToScale") == (
        "False",
        "FailedGetScale",
        'the HPA controller was unable to get the target\'s current scale: StatefulSet "web" not found',
    )


@pytest.mark.parametrize(
    ("wanted", "current", "expected", "reason"),
    [
        (5, 4, 5, "DesiredWithinRange"),
        (100, 1, 4, "ScaleUpLimit"),
        (100, 10, 20, "ScaleUpLimit"),
        (100, 25, 30, "TooManyReplicas"),
        (0, 5, 2, "TooFewReplicas"),
    ],
)
def test_a_number_within_what_is_allowed(wanted: int, current: int, expected: int, reason: str) -> None:
    assert within_bounds(wanted, current, 2, 30)[:2] == (expected, reason)


def test_a_target_that_somebody_else_scales_is_brought_back_within_the_bounds() -> None:
    cluster = Cluster(*NODES, deployment(3), autoscaler(least=2)).until(60)
    cluster.patch("Deployment", "web", {"spec": {"replicas": 1}})
    cluster.until(74)
    assert cluster.get("Deployment", "web").spec.replicas == 1
    assert cluster.until(76).get("Deployment", "web").spec.replicas == 2
