from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.node import Node
from scheduler_core.framework.cluster_event import ActionType
from scheduler_core.plugins import node_name
from tests.core.plugins import strategies
from tests.core.plugins.judging import hints, judge
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = node_name.NodeName()
REFUSAL = ("UnschedulableAndUnresolvable", ("node(s) didn't match the requested node name",))


def test_a_pod_that_names_a_node_passes_there_only() -> None:
    snapshot = make_snapshot([make_node("n1"), make_node("n2")])
    assert judge(PLUGIN, make_pod(node="n2"), snapshot) == {"n1": REFUSAL, "n2": None}


def test_a_pod_that_names_no_node_passes_everywhere() -> None:
    assert judge(PLUGIN, make_pod(), make_snapshot([make_node("n1")])) == {"n1": None}


def test_a_pod_that_names_a_node_that_is_not_there_passes_nowhere() -> None:
    assert judge(PLUGIN, make_pod(node="gone"), make_snapshot([make_node("n1")])) == {"n1": REFUSAL}


@given(strategies.nodes(), st.sampled_from(("", "n0", "n3", "gone")))
def test_the_columns_judge_as_one_node_at_a_time(nodes: list[Node], wanted: str) -> None:
    passes = {node.metadata.name: wanted in ("", node.metadata.name) for node in nodes}
    assert judge(PLUGIN, make_pod(node=wanted), make_snapshot(nodes)) == {
        name: None if fits else REFUSAL for name, fits in passes.items()
    }


def test_only_a_new_node_queues_and_always() -> None:
    assert [(r.event.resource, r.event.action_type) for r in PLUGIN.events_to_register()] == [
        ("Node", ActionType.ADD)
    ]
    assert hints(PLUGIN, "Node", ActionType.ADD) == [None]
