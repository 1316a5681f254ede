from __future__ import annotations

from typing import Any

import pytest

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
        ({"unschedulable": True}, ["NodeTaintChange"]),
        ({"cpu": "8", "unschedulable": True}, ["NodeAllocatableChange", "NodeTaintChange"]),
    ],
)
def test_a_nodes_changes_are_told_apart(change: dict[str, Any], labels: list[str]) -> None:
    events = node_changes(make_node("node"), make_node("node", **change))
    assert [event.label for event in events] == labels


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
