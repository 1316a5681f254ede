from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.config.plugin_args import NodeResourcesFitArgs
from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins.node_resources.fit import Fit
from tests.core.plugins.judging import hints
from tests.make import make_node, make_pod

PLUGIN = Fit(NodeResourcesFitArgs(ignored_resources=("example.com/fpga",)))
SKIP, QUEUE = QueueingHint.SKIP, QueueingHint.QUEUE
[AFTER_POD] = hints(PLUGIN, "Pod", ActionType.DELETE)
[AFTER_NODE] = hints(PLUGIN, "Node", ActionType.ADD)


def test_pods_that_go_or_shrink_and_nodes_that_come_or_grow_are_all_that_is_registered() -> None:
    events = [(r.event.resource, r.event.action_type) for r in PLUGIN.events_to_register()]
    assert events == [
        ("Pod", ActionType.DELETE | ActionType.UPDATE_POD_SCALE_DOWN),
        ("Node", ActionType.ADD | ActionType.UPDATE_NODE_ALLOCATABLE),
    ]


@pytest.mark.parametrize(
    ("gone", "hint"),
    [
        (make_pod("gone", node="n"), QUEUE),
        (make_pod("gone", status={"nominatedNodeName": "n"}), QUEUE),
        (make_pod("gone"), SKIP),
    ],
)
def test_the_end_of_a_pod_queues_if_it_had_a_node_or_was_promised_one(gone: Any, hint: QueueingHint) -> None:
    assert AFTER_POD(make_pod(requests={"cpu": "1"}), gone, None) == hint


@pytest.mark.parametrize(
    ("name", "node", "before", "after", "hint"),
    [
        ("other", "n", {"cpu": "2"}, {"cpu": "1"}, QUEUE),
        ("other", "n", {"cpu": "1"}, {"cpu": "2"}, SKIP),
        ("other", "n", {"memory": "2Gi"}, {"memory": "1Gi"}, SKIP),
        ("other", "", {"cpu": "2"}, {"cpu": "1"}, SKIP),
        ("pod", "", {"memory": "2Gi"}, {"memory": "1Gi"}, QUEUE),
        ("other", "n", {"nvidia.com/gpu": "2"}, {"nvidia.com/gpu": "1"}, QUEUE),
    ],
)
def test_a_pod_that_shrinks_queues_who_wants_the_resource_and_itself(
    name: str, node: str, before: dict, after: dict, hint: QueueingHint
) -> None:
    pod = make_pod(requests={"cpu": "1", "memory": "0", "nvidia.com/gpu": "1"})
    old, new = (make_pod(name, node=node, requests=requests) for requests in (before, after))
    assert AFTER_POD(pod, old, new) == hint


def test_a_new_node_queues_if_it_would_hold_the_pod_were_it_empty() -> None:
    pod = make_pod(requests={"cpu": "2", "nvidia.com/gpu": "1"})
    gpu = {"nvidia.com/gpu": "1"}
    assert AFTER_NODE(pod, None, make_node("n", cpu="2", resources=gpu)) == QUEUE
    assert AFTER_NODE(pod, None, make_node("n", cpu="1", resources=gpu)) == SKIP
    assert AFTER_NODE(pod, None, make_node("n", cpu="2")) == SKIP
    assert AFTER_NODE(pod, None, make_node("n", cpu="2", resources=gpu, pods="0")) == SKIP


def test_a_new_node_is_judged_by_ignored_resources_too() -> None:
    pod = make_pod(requests={"example.com/fpga": "1"})
    assert AFTER_NODE(pod, None, make_node("n")) == SKIP


@pytest.mark.parametrize(
    ("before", "after", "hint"),
    [
        ({"cpu": "1"}, {"cpu": "2"}, QUEUE),
        ({"cpu": "3"}, {"cpu": "4"}, QUEUE),
        ({"cpu": "1"}, {"cpu": "1500m"}, SKIP),
        ({"cpu": "3"}, {"cpu": "2"}, SKIP),
        ({"memory": "1Gi"}, {"memory": "2Gi"}, SKIP),
        ({"pods": "10"}, {"pods": "11"}, QUEUE),
        ({"pods": "11"}, {"pods": "10"}, SKIP),
        ({"resources": {"nvidia.com/gpu": "1"}}, {"resources": {"nvidia.com/gpu": "2"}}, SKIP),
    ],
)
def test_a_node_that_grows_in_what_the_pod_requests_queues(
    before: dict, after: dict, hint: QueueingHint
) -> None:
    old, new = make_node("n", **{"cpu": "4", **before}), make_node("n", **{"cpu": "4", **after})
    assert AFTER_NODE(make_pod(requests={"cpu": "2"}), old, new) == hint


def test_a_pod_that_requests_nothing_waits_for_room_for_one_more_pod() -> None:
    pod = make_pod()
    assert AFTER_NODE(pod, make_node("n", cpu="1"), make_node("n", cpu="9")) == SKIP
    assert AFTER_NODE(pod, make_node("n", pods="1"), make_node("n", pods="2")) == QUEUE
