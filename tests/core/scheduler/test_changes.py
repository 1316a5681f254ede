from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scheduler_core.api.pod import Pod
from scheduler_core.framework.cluster_event import EventResource
from scheduler_core.scheduler.changes import node_changes, pod_changes
from tests.make import make_node, make_pod


@pytest.mark.parametrize(
    ("change", "labels"),
    [
        ({}, []),
        ({"cpu": "8"}, ["NodeAllocatableChange"]),
        ({"labels": {"disk": "ssd"}}, ["NodeLabelChange"]),
        ({"taints": ["a=b:NoSchedule"]}, ["NodeTaintChange"]),
        ({"unschedulable": True}, []),
        ({"cpu": "8", "unschedulable": True}, ["NodeAllocatableChange"]),
    ],
)
def test_a_nodes_changes_are_told_apart(change: dict[str, Any], labels: list[str]) -> None:
    events = node_changes(make_node("node"), make_node("node", **change))
    assert [event.label for event in events] == labels


def test_uncordoning_is_an_event_before_all_others_and_beside_that_of_a_taint() -> None:
    old = make_node("node", unschedulable=True, taints=["a=b:NoSchedule"])
    assert [event.label for event in node_changes(old, make_node("node", cpu="8"))] == [
        "NodeTaintChange",
        "NodeAllocatableChange",
        "NodeTaintChange",
    ]


@pytest.mark.parametrize(
    ("change", "labels"),
    [
        ({}, ["PodOtherUpdate"]),
        ({"labels": {"app": "web"}}, ["PodLabelChange"]),
        ({"requests": {"cpu": "500m"}}, ["PodRequestScaledDown"]),
        ({"requests": {"cpu": "2"}}, ["PodOtherUpdate"]),
        ({"schedulingGates": []}, ["PodSchedulingGateEliminatedChange"]),
        ({"tolerations": [{"operator": "Exists"}]}, ["PodTolerationChange"]),
    ],
)
def test_a_pods_changes_are_told_apart(change: dict[str, Any], labels: list[str]) -> None:
    base: dict[str, Any] = {"requests": {"cpu": "1"}, "schedulingGates": [{"name": "example.com/gate"}]}
    events = pod_changes(make_pod("pod", **base), make_pod("pod", **{**base, **change}))
    assert [event.label for event in events] == labels
    assert {event.resource for event in events} == {EventResource.UNSCHEDULABLE_POD}


def test_changes_of_a_bound_pod_are_those_of_an_assigned_one() -> None:
    old, new = make_pod("pod", node="node-a"), make_pod("pod", node="node-a", labels={"app": "web"})
    assert [event.resource for event in pod_changes(old, new)] == [EventResource.ASSIGNED_POD]


SIDECAR = {"name": "proxy", "restartPolicy": "Always", "resources": {"requests": {"cpu": "500m"}}}


def _with_sidecar(actual: str, reason: str = "") -> Pod:
    conditions = [{"type": "PodResizePending", "status": "True", "reason": reason}] if reason else []
    statuses = [{"name": "proxy", "resources": {"requests": {"cpu": actual}}}]
    status = {"initContainerStatuses": statuses, "conditions": conditions}
    return make_pod("pod", node="node-a", initContainers=[SIDECAR], status=status)


def test_a_sidecar_that_is_given_less_and_a_resize_that_is_refused_scale_the_pod_down() -> None:
    old, new = _with_sidecar("2"), _with_sidecar("1")
    assert [event.label for event in pod_changes(old, new)] == ["PodRequestScaledDown"]
    asks, refused = _with_sidecar("100m"), _with_sidecar("100m", "Infeasible")
    assert [event.label for event in pod_changes(asks, refused)] == ["PodRequestScaledDown"]
    shared = msgspec.structs.replace(refused, spec=asks.spec)
    statuses = asks.status.init_container_statuses
    status = msgspec.structs.replace(shared.status, init_container_statuses=statuses)
    shared = msgspec.structs.replace(shared, status=status)
    assert [event.label for event in pod_changes(asks, shared)] == ["PodRequestScaledDown"]


def test_a_request_of_nothing_that_is_dropped_scales_the_pod_down() -> None:
    old, new = make_pod("pod", requests={"cpu": "0"}), make_pod("pod")
    assert [event.label for event in pod_changes(old, new)] == ["PodRequestScaledDown"]
