"""Which nodes could go."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.kinds import KubeObject
from scheduler_core.config import load_config
from scheduler_core.planning import removals
from tests.make import make, make_node, make_pod

CONFIG = load_config("")


def test_the_node_whose_pods_fit_elsewhere_could_go() -> None:
    cluster = [
        make_node("big", cpu="8"),
        make_node("small", cpu="2"),
        make_pod("a", requests={"cpu": "5"}, node="big"),
        make_pod("b", requests={"cpu": "2"}, node="small"),
    ]
    found = removals(cluster, CONFIG)
    by_name = {removal.node: removal for removal in found.nodes}
    assert by_name["small"].can_go
    assert by_name["small"].num_pods == 1
    assert not by_name["big"].can_go
    (stays,) = by_name["big"].newly_pending
    assert stays.pod == "default/a"
    assert stays.message.startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert found.together == ("small",)
    assert found.text == "small could go: nothing would be pending."


def test_nodes_that_are_equal_are_tried_once() -> None:
    labels = {"kubernetes.io/hostname": "n0"}
    cluster = [
        make_node(f"n{i}", cpu="2", labels={**labels, "kubernetes.io/hostname": f"n{i}"}) for i in range(3)
    ]
    runs: list[tuple[int, int]] = []
    found = removals(cluster, CONFIG, progress=lambda done, total: runs.append((done, total)))
    assert [(removal.node, removal.like) for removal in found.nodes] == [("n0", ("n1", "n2"))]
    assert found.together == ("n0", "n1", "n2")
    assert runs[-1] == (4, 4)


def test_a_pod_of_a_daemonset_goes_with_its_node() -> None:
    pod = make_pod("agent-1", requests={"cpu": "2"}, node="n1")
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "u", "controller": True}
    raw = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "agent-1", "ownerReferences": [owner]},
        "spec": {"nodeName": "n1", "containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]},
    }
    alone: list[KubeObject] = [make_node("n1", cpu="2"), make_node("n2", cpu="1")]
    assert "n1" in removals([*alone, make(raw)], CONFIG).together
    assert "n1" not in removals([*alone, pod], CONFIG).together


def test_an_eviction_is_no_solution() -> None:
    cluster = [
        make_node("n1", cpu="2"),
        make_node("n2", cpu="2"),
        make_pod("high", requests={"cpu": "2"}, node="n1", priority=1000),
        make_pod("low", requests={"cpu": "2"}, node="n2", priority=0),
    ]
    by_name = {removal.node: removal for removal in removals(cluster, CONFIG).nodes}
    assert by_name["n1"].evicted == ("default/low",)
    assert not by_name["n1"].can_go
    assert [pod.pod for pod in by_name["n2"].newly_pending] == ["default/low"]


def test_a_pod_that_is_pending_anyway_keeps_no_node() -> None:
    cluster = [make_node("n1", cpu="2"), make_node("n2", cpu="2"), make_pod("huge", requests={"cpu": "64"})]
    assert removals(cluster, CONFIG).together == ("n1", "n2")


def test_a_cluster_without_nodes_has_none_to_spare() -> None:
    assert removals([], CONFIG).text == "None of the 0 nodes could go without a pod pending or evicted."


@settings(deadline=None, max_examples=15)
@given(st.lists(st.tuples(st.integers(2, 8), st.integers(0, 4)), min_size=1, max_size=4))
def test_those_that_go_together_leave_nothing_pending_and_no_single_one_more_could(
    nodes: list[tuple[int, int]],
) -> None:
    cluster: list[KubeObject] = []
    for index, (cpu, used) in enumerate(nodes):
        cluster.append(make_node(f"n{index}", cpu=str(cpu)))
        cluster += [
            make_pod(f"p{index}-{k}", requests={"cpu": "1"}, node=f"n{index}") for k in range(min(cpu, used))
        ]
    found = removals(cluster, CONFIG)
    free = {f"n{index}": cpu for index, (cpu, _) in enumerate(nodes)}
    pods = sum(min(cpu, used) for cpu, used in nodes)
    assert sum(room for name, room in free.items() if name not in found.together) >= pods
    for removal in found.nodes:
        assert removal.can_go == (sum(free.values()) - free[removal.node] >= pods)
    largest = max(
        (
            len(gone)
            for size in range(len(nodes) + 1)
            for gone in combinations(free, size)
            if sum(free[name] for name in free if name not in gone) >= pods
        ),
        default=0,
    )
    assert len(found.together) <= largest


def test_the_limit_says_how_many_were_tried() -> None:
    cluster = [make_node(f"n{i}", cpu=str(2 + i)) for i in range(4)]
    cluster_with_pod: list[KubeObject] = [*cluster, make_pod("a", requests={"cpu": "1"}, node="n0")]
    found = removals(cluster_with_pod, CONFIG, limit=2)
    assert found.together == ("n1", "n2")
    assert found.text == (
        "2 of 4 nodes could go together: nothing would be pending. "
        "2 of 4 were tried, those with the least to move."
    )


def test_what_is_known_is_told_as_it_comes() -> None:
    told: list[tuple[int, int]] = []
    cluster = [make_node("n0", cpu="1"), make_node("n1", cpu="2"), make_pod("a", requests={"cpu": "1"})]
    removals(cluster, CONFIG, so_far=lambda found: told.append((len(found.nodes), len(found.together))))
    assert told == [(1, 0), (2, 0), (2, 1), (2, 1)]
