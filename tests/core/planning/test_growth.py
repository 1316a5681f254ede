"""How many nodes are needed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.config import load_config
from scheduler_core.planning import growth
from tests.make import make, make_node, make_pod

CONFIG = load_config("")


def test_as_many_nodes_are_needed_as_the_pending_pods_fill() -> None:
    cluster = [
        make_node("n", cpu="4"),
        make_pod("old", requests={"cpu": "4"}, node="n"),
        *(make_pod(f"p{index}", requests={"cpu": "1500m"}) for index in range(9)),
    ]
    found = growth(cluster, "n", CONFIG)
    assert found.nodes == 5
    assert found.pending == ()
    assert found.text == "5 more nodes like n are needed; then nothing is pending."
    assert [(point.nodes, point.pending) for point in found.curve] == [
        (0, 9),
        (1, 7),
        (2, 5),
        (4, 1),
        (5, 0),
        (6, 0),
        (8, 0),
    ]


def test_a_new_node_runs_the_model_s_daemons_and_nothing_else() -> None:
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "u", "controller": True}
    agent = make(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "agent-1", "ownerReferences": [owner]},
            "spec": {"nodeName": "n", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]},
        }
    )
    cluster = [make_node("n", cpu="2"), agent, *(make_pod(f"p{k}", requests={"cpu": "1"}) for k in range(3))]
    assert growth(cluster, "n", CONFIG).nodes == 2


def test_a_pod_that_no_such_node_takes_is_named() -> None:
    cluster = [make_node("n", cpu="2"), make_pod("huge", requests={"cpu": "3"})]
    found = growth(cluster, "n", CONFIG)
    assert found.nodes is None
    assert [pod.pod for pod in found.pending] == ["default/huge"]
    assert found.text.startswith("No number of nodes like n helps: default/huge: 0/1 nodes are available")


def test_what_can_be_helped_is_counted_apart() -> None:
    cluster = [
        make_node("n", cpu="2"),
        *(make_pod(f"p{k}", requests={"cpu": c}) for k, c in enumerate("2232")),
    ]
    found = growth(cluster, "n", CONFIG)
    assert found.nodes == 2
    assert [pod.pod for pod in found.pending] == ["default/p2"]
    assert found.text == (
        "2 more nodes like n are needed for what they can help; default/p2 stays pending all the same."
    )


def test_nothing_is_needed_where_nothing_is_pending() -> None:
    assert (
        growth([make_node("n"), make_pod("a")], "n", CONFIG).text == "Nothing is pending: no node is needed."
    )


def test_the_limit_ends_the_search() -> None:
    cluster = [make_node("n", cpu="1"), *(make_pod(f"p{k}", requests={"cpu": "1"}) for k in range(20))]
    found = growth(cluster, "n", CONFIG, limit=10)
    assert found.nodes == 10
    assert len(found.pending) == 9


def test_a_node_that_is_not_there_is_no_model() -> None:
    with pytest.raises(KeyError, match="nobody"):
        growth([make_node("n")], "nobody", CONFIG)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 14), st.integers(1, 4))
def test_one_node_less_would_not_do(pods: int, per_node: int) -> None:
    cluster = [
        make_node("n", cpu=str(per_node)),
        *(make_pod(f"p{index}", requests={"cpu": "1"}) for index in range(pods)),
    ]
    found = growth(cluster, "n", CONFIG)
    assert found.nodes == max(0, -(-pods // per_node) - 1)


def test_who_was_evicted_before_is_not_missing_now() -> None:
    cluster = [
        make_node("n", cpu="2", labels={"disk": "ssd", "kubernetes.io/hostname": "n"}),
        make_pod("low", requests={"cpu": "2"}, node="n", priority=0),
        make_pod("high", requests={"cpu": "2"}, priority=100, nodeSelector={"kubernetes.io/hostname": "n"}),
    ]
    assert growth(cluster, "n", CONFIG).text == "Nothing is pending: no node is needed."
