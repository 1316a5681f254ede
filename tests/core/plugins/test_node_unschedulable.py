from __future__ import annotations

from hypothesis import given

from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins import node_unschedulable
from tests.core.plugins import strategies
from tests.core.plugins.judging import hints, judge
from tests.core.plugins.reference import taints as reference
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = node_unschedulable.NodeUnschedulable()
TOLERATION = {"key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoSchedule"}


@given(strategies.nodes(), strategies.tolerations)
def test_the_columns_judge_as_one_node_at_a_time(nodes: list, tolerations: list) -> None:
    pod, snapshot = make_pod(tolerations=tolerations), make_snapshot(nodes)
    expected = {node.metadata.name: reference.node_unschedulable(pod, node) for node in nodes}
    assert judge(PLUGIN, pod, snapshot) == expected


def test_a_cordoned_node_refuses_for_good_whoever_does_not_tolerate_it() -> None:
    snapshot = make_snapshot([make_node("open"), make_node("closed", unschedulable=True)])
    refusal = ("UnschedulableAndUnresolvable", ("node(s) were unschedulable",))
    assert judge(PLUGIN, make_pod(), snapshot) == {"open": None, "closed": refusal}
    assert judge(PLUGIN, make_pod(tolerations=[TOLERATION]), snapshot) == {"open": None, "closed": None}


def test_a_node_that_is_open_queues_when_it_comes_or_is_uncordoned() -> None:
    [hint] = hints(PLUGIN, "Node", ActionType.UPDATE_NODE_TAINT)
    assert hints(PLUGIN, "Node", ActionType.ADD) == [hint]
    pod, opened, closed = make_pod(), make_node("n"), make_node("n", unschedulable=True)
    assert hint(pod, None, opened) == QueueingHint.QUEUE
    assert hint(pod, closed, opened) == QueueingHint.QUEUE
    assert hint(pod, None, closed) == QueueingHint.SKIP
    assert hint(pod, opened, closed) == QueueingHint.SKIP
    assert hint(pod, opened, opened) == QueueingHint.SKIP
    assert hint(pod, closed, closed) == QueueingHint.SKIP


def test_the_right_toleration_queues_the_pod_that_gains_it_and_no_other() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.UPDATE_POD_TOLERATION)
    pod = make_pod("mine")
    unrelated = {"key": "gpu", "operator": "Exists"}
    assert hint(pod, pod, make_pod("mine", tolerations=[TOLERATION])) == QueueingHint.QUEUE
    assert hint(pod, pod, make_pod("mine", tolerations=[unrelated])) == QueueingHint.SKIP
    assert hint(pod, pod, make_pod("other", tolerations=[TOLERATION])) == QueueingHint.SKIP


def test_nothing_else_queues() -> None:
    events = {(r.event.resource, r.event.action_type) for r in PLUGIN.events_to_register()}
    assert events == {
        ("Node", ActionType.ADD | ActionType.UPDATE_NODE_TAINT),
        ("Pod", ActionType.UPDATE_POD_TOLERATION),
    }
