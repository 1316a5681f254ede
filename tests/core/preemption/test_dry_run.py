from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.extender.wire import Victims
from scheduler_core.framework.status import Code, Status, unschedulable
from scheduler_core.framework.types import FilterResult
from scheduler_core.preemption.bench import strip
from scheduler_core.preemption.dry_run import DryRun, Preemptor
from scheduler_core.preemption.victims import select_victims_on_node
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.preemption.small_cluster import SmallCluster, budget, node, pod

if TYPE_CHECKING:
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex

PODS = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.integers(0, 5),
        st.sampled_from(["0", "500m", "1", "2"]),
        st.sampled_from([None, "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z"]),
        st.sampled_from(["db", "web"]),
        st.sampled_from([0, 80]),
    ),
    max_size=24,
)
NOMINATED = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 6), st.sampled_from(["1", "3"])), max_size=4
)


def ports(number: int) -> dict[str, Any]:
    container: dict[str, Any] = {"name": "extra", "image": "x"}
    if number:
        container["ports"] = [{"containerPort": number, "hostPort": number, "protocol": "TCP"}]
    return container


def a_pod(name: str, priority: int, cpu: str, host_port: int = 0, **more: Any) -> Any:
    containers = [
        {"name": "main", "image": "x", "resources": {"requests": {"cpu": cpu}}},
        ports(host_port),
    ]
    return pod(name, priority=priority, spec={"containers": containers}, **more)


@given(PODS, NOMINATED, st.sampled_from(["1", "2", "4"]), st.sampled_from([0, 80]), st.integers(0, 2))
def test_nodes_judged_together_come_out_as_each_by_itself(
    pods: list[Any], nominated: list[Any], cpu: str, host_port: int, allowed: int
) -> None:
    cluster = SmallCluster(
        [node(name, "3") for name in "abcd"],
        [
            a_pod(f"p{i}", priority, request, port, on=on, started=started, labels={"app": app})
            for i, (on, priority, request, started, app, port) in enumerate(pods)
        ],
        budgets=[budget("db", {"matchLabels": {"app": "db"}}, allowed=allowed)],
    )
    for i, (name, priority, request) in enumerate(nominated):
        promised = pod(f"n{i}", priority=priority, cpu=request, nominatedNodeName=name)
        cluster.nominator.add(cluster.pod_info(promised), None)
    pod_info = cluster.pod_info(a_pod("p", 4, cpu, host_port))
    preemptor = Preemptor(
        pod_info, cluster.pre_filter(pod_info), tuple(cluster.lister.list("PodDisruptionBudget"))
    )
    nodes = cluster.snapshot.node_infos
    rows = nodes.order.tolist()
    before = [nodes.requested.tolist(), nodes.num_pods.tolist(), nodes.ports_id.tolist(), list(nodes.infos)]
    dry_run = DryRun(cluster)
    expected = [
        (
            nodes.names[row],
            select_victims_on_node(cluster, preemptor.state.clone(), pod_info, row, preemptor.pdbs),
        )
        for row in rows
    ]
    for _ in range(2):
        assert list(dry_run.outcomes(preemptor, rows, 4)) == expected
    after = [nodes.requested.tolist(), nodes.num_pods.tolist(), nodes.ports_id.tolist(), list(nodes.infos)]
    assert before == after


def test_what_is_kept_of_a_node_is_dropped_when_its_pods_change() -> None:
    cluster = SmallCluster([node("a")], [pod("x", cpu="2", on="a"), pod("y", cpu="2", on="a")])
    pod_info = cluster.pod_info(pod("p", priority=1, cpu="2"))
    preemptor = Preemptor(pod_info, cluster.pre_filter(pod_info), ())
    dry_run = DryRun(cluster)

    def victims() -> list[str]:
        [(_, outcome)] = dry_run.outcomes(preemptor, [cluster.row("a")], 1)
        assert isinstance(outcome, Victims)
        return [victim.key for victim in outcome.pods]

    assert victims() == ["default/y"]
    later = cluster.pod_info(pod("x", cpu="2", on="a", started="2026-01-01T00:00:09Z"))
    cluster.cache.add_pod(later, "a")
    cluster.cache.update_snapshot(cluster.snapshot)
    assert victims() == ["default/x"]


def test_a_hundred_nodes_take_as_many_filter_calls_as_a_node_has_victims_and_one() -> None:
    names = [f"n{i:03}" for i in range(100)]
    pods = [pod(f"{name}-{i}", on=name) for name in names for i in range(4)]
    cluster = SmallCluster([node(name) for name in names], pods)
    result, _, _ = cluster.preempt(pod("p", priority=1))
    assert result is not None
    assert result.nominating_info.node_name == "n000"
    assert cluster.num_filter_calls == 5


class AtMostTwoPods:
    """Follows pods in PreFilter data: refuses where the cluster has more than two pods."""

    name = "AtMostTwoPods"

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    def pre_filter(self, state: CycleState, pod: PodInfo, nodes: NodeInfos) -> tuple[None, None]:
        total = sum(len(nodes.info(row).pods) for row in nodes.order.tolist())
        state.write(self.name, Total(total))
        return None, None

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo) -> Status | None:
        state.read(self.name).number += 1
        return None

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo) -> Status | None:
        state.read(self.name).number -= 1
        return Status(Code.ERROR, ("lost count",)) if self.fails else None

    def filter(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> FilterResult:
        fits = np.full(len(rows), state.read(self.name).number <= 2)
        return FilterResult.from_mask(fits, unschedulable("too many"))


class Total:
    def __init__(self, number: int) -> None:
        self.number = number

    def clone(self) -> Total:
        return Total(self.number)


def test_where_a_plugin_follows_pods_each_node_is_judged_by_itself() -> None:
    pods = [pod("a1", priority=2, on="a"), pod("a2", priority=1, on="a"), pod("b1", on="b")]
    cluster = SmallCluster([node("a"), node("b")], pods, plugins=[AtMostTwoPods()])
    result, _, state = cluster.preempt(pod("p", priority=9))
    assert result is not None
    assert result.victims == ("default/b1",)
    assert state.read(AtMostTwoPods.name).number == 3
    assert cluster.num_filter_calls == 0


def test_a_plugin_that_fails_in_a_dry_run_makes_the_attempt_an_error() -> None:
    pods = [pod("a1", on="a"), pod("a2", on="a"), pod("b1", on="b")]
    cluster = SmallCluster([node("a"), node("b")], pods, plugins=[AtMostTwoPods(fails=True)])
    result, status, _ = cluster.preempt(pod("p", priority=9))
    assert result is None
    assert status is not None
    assert (status.code, status.message) == (
        Code.ERROR,
        'preemption: running RemovePod on PreFilter plugin "AtMostTwoPods": lost count',
    )


class FailsOnceStripped:
    """Fails on a node without pods."""

    name = "FailsOnceStripped"

    def filter(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> FilterResult:
        statuses = (unschedulable("not empty"), Status(Code.ERROR, ("no pods",)))
        return FilterResult(np.where(nodes.num_pods[rows] > 0, 1, 2).astype(np.int32), statuses)


def test_a_filter_that_fails_in_a_dry_run_is_named_in_the_error() -> None:
    cluster = SmallCluster([node("a")], [pod("a1", on="a")], plugins=[FailsOnceStripped()])
    _, status, _ = cluster.preempt(pod("p", priority=9))
    assert status is not None
    assert status.code == Code.ERROR
    assert status.message == 'preemption: running "FailsOnceStripped" filter plugin: no pods'


class RefusesAtFirst:
    """Refuses everything outside a dry run: stands for a refusal that no deletion explains."""

    name = "RefusesAtFirst"

    def __init__(self) -> None:
        self.calls = 0

    def filter(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> FilterResult:
        self.calls += 1
        return FilterResult.from_mask(np.full(len(rows), self.calls > 2), unschedulable("not yet"))


def test_nodes_that_fit_without_a_victim_are_errors_named_together() -> None:
    pods = [pod("a1", on="a"), pod("b1", on="b")]
    cluster = SmallCluster([node("a"), node("b")], pods, plugins=[RefusesAtFirst()])
    _, status, _ = cluster.preempt(pod("p", priority=9))
    assert status is not None
    assert status.code == Code.ERROR
    assert status.message == (
        'preemption: [expected at least one victim pod on node "a", '
        'expected at least one victim pod on node "b"]'
    )


def test_a_node_whose_ports_were_freed_by_a_pod_that_shared_them_is_taken_apart_anew() -> None:
    """The pods are the same as before, the set of ports is not: it forgets a port with the first pod that leaves."""
    cluster = SmallCluster([node("a")], [a_pod("kept", 9, "1", 80, on="a"), a_pod("low", 0, "1", on="a")])
    node_info = cluster.snapshot.node_infos.infos[0].clone()
    kept, low = node_info.pods.values()
    stripped = strip(node_info, 5)
    assert (stripped.is_of(node_info, 5), stripped.victims) == (True, [low])
    shares = PodInfo(a_pod("shares", 9, "0", 80, on="a"), node_info.axis)
    node_info.add_pod(shares)
    node_info.remove_pod(shares.uid)
    assert list(node_info.pods.values()) == [kept, low]
    assert not stripped.is_of(node_info, 5)
    assert not strip(node_info, 5).node_info.used_ports()
