from __future__ import annotations

from hypothesis import given

from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.plugins import taint_toleration
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins import strategies
from tests.core.plugins.judging import hints, judge, refused, score
from tests.core.plugins.reference import taints as reference
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = taint_toleration.TaintToleration()


def toleration(key: str, value: str = "", effect: str = "", operator: str = "Equal") -> dict[str, str]:
    return {"key": key, "value": value, "effect": effect, "operator": operator}


@given(strategies.nodes(), strategies.tolerations)
def test_the_columns_judge_as_one_node_at_a_time(nodes: list, tolerations: list) -> None:
    pod, snapshot = make_pod(tolerations=tolerations), make_snapshot(nodes)
    expected = {node.metadata.name: reference.taint_toleration(pod, node) for node in nodes}
    assert judge(PLUGIN, pod, snapshot) == expected


@given(strategies.nodes(), strategies.tolerations)
def test_the_score_counts_the_soft_taints_not_tolerated(nodes: list, tolerations: list) -> None:
    pod, snapshot = make_pod(tolerations=tolerations), make_snapshot(nodes)
    expected = {node.metadata.name: reference.intolerable_soft_taints(pod, node) for node in nodes}
    assert score(PLUGIN, pod, snapshot) == expected


def test_only_the_first_untolerated_taint_is_named() -> None:
    node = make_node("n", taints=["a=1:PreferNoSchedule", "b:NoExecute", "c=3:NoSchedule"])
    pod = make_pod(tolerations=[toleration("b", operator="Exists")])
    snapshot = make_snapshot([node])
    assert refused(PLUGIN, pod, snapshot) == {
        "n": ("UnschedulableAndUnresolvable", ("node(s) had untolerated taint {c: 3}",))
    }
    assert refused(PLUGIN, make_pod(), snapshot)["n"][1] == ("node(s) had untolerated taint {b: }",)


def test_the_numbers_behind_a_refusal_are_the_taint() -> None:
    nodes = make_snapshot([make_node("n", taints=["gpu=yes:NoExecute"])]).node_infos
    pod = PodInfo(make_pod(), nodes.axis)
    assert PLUGIN.refusal_numbers(CycleState(), pod, nodes, nodes.row_of["n"]) == [
        {"key": "gpu", "value": "yes", "effect": "NoExecute"}
    ]


def test_the_node_with_most_soft_taints_gets_nothing() -> None:
    snapshot = make_snapshot(
        [
            make_node("none"),
            make_node("one", taints=["a:PreferNoSchedule"]),
            make_node("three", taints=[f"{key}:PreferNoSchedule" for key in "abc"]),
        ]
    )
    assert score(PLUGIN, make_pod(), snapshot, normalize=True) == {"none": 100, "one": 67, "three": 0}


def test_without_soft_taints_all_nodes_get_everything() -> None:
    snapshot = make_snapshot([make_node("n1"), make_node("n2", taints=["a:NoSchedule"])])
    assert score(PLUGIN, make_pod(), snapshot, normalize=True) == {"n1": 100, "n2": 100}


def test_a_taint_that_comes_later_is_judged_too() -> None:
    pod = make_pod()
    plugin = taint_toleration.TaintToleration()
    assert refused(plugin, pod, make_snapshot([make_node("n")])) == {}
    assert set(refused(plugin, pod, make_snapshot([make_node("n", taints=["a:NoSchedule"])]))) == {"n"}


def test_a_node_without_untolerated_taints_queues_when_it_comes_or_loses_them() -> None:
    [hint] = hints(PLUGIN, "Node", ActionType.UPDATE_NODE_TAINT)
    assert hints(PLUGIN, "Node", ActionType.ADD) == [hint]
    pod = make_pod(tolerations=[toleration("a", operator="Exists")])
    free, tolerated = make_node("n"), make_node("n", taints=["a:NoSchedule"])
    closed = make_node("n", taints=["a:NoSchedule", "b:NoExecute"])
    soft = make_node("n", taints=["b:PreferNoSchedule"])
    assert hint(pod, None, free) == QueueingHint.QUEUE
    assert hint(pod, None, tolerated) == QueueingHint.QUEUE
    assert hint(pod, None, soft) == QueueingHint.QUEUE
    assert hint(pod, closed, tolerated) == QueueingHint.QUEUE
    assert hint(pod, None, closed) == QueueingHint.SKIP
    assert hint(pod, free, closed) == QueueingHint.SKIP
    assert hint(pod, closed, closed) == QueueingHint.SKIP
    assert hint(pod, tolerated, free) == QueueingHint.SKIP
    assert hint(pod, soft, free) == QueueingHint.SKIP


def test_a_toleration_queues_the_pod_that_gains_it_and_no_other() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.UPDATE_POD_TOLERATION)
    pod = make_pod("mine")
    assert hint(pod, pod, make_pod("mine", tolerations=[toleration("a")])) == QueueingHint.QUEUE
    assert hint(pod, pod, make_pod("other", tolerations=[toleration("a")])) == QueueingHint.SKIP


def test_nothing_else_queues() -> None:
    events = {(r.event.resource, r.event.action_type) for r in PLUGIN.events_to_register()}
    assert events == {
        ("Node", ActionType.ADD | ActionType.UPDATE_NODE_TAINT),
        ("Pod", ActionType.UPDATE_POD_TOLERATION),
    }
