"""Which nodes could go."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.kinds import KubeObject
from scheduler_core.config import load_config
from scheduler_core.planning import removals
from scheduler_core.simulator import read_edits
from tests.make import make, make_node, make_owned, make_pod

CONFIG = load_config("")


def test_the_node_whose_pods_fit_elsewhere_could_go() -> None:
    cluster = [
        make_node("big", cpu="8"),
        make_node("small", cpu="2"),
        *make_owned("a", requests={"cpu": "5"}, node="big"),
        *make_owned("b", requests={"cpu": "2"}, node="small"),
    ]
    found = removals(cluster, CONFIG)
    by_name = {removal.node: removal for removal in found.nodes}
    assert by_name["small"].can_go
    assert by_name["small"].num_pods == 1
    assert not by_name["big"].can_go
    (stays,) = by_name["big"].newly_pending
    assert stays.pod.startswith("default/a-")
    assert stays.message.startswith(
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable."
    )
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


def daemon_set(node: str) -> list[KubeObject]:
    """A DaemonSet, and its pod on a node."""
    labels = {"app": "agent"}
    spec = {"containers": [{"name": "c", "image": "app:1", "resources": {"requests": {"cpu": "2"}}}]}
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "u", "controller": True}
    pod = {"name": "agent-1", "namespace": "default", "labels": labels, "ownerReferences": [owner]}
    daemon_set = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "default", "uid": "u"},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"nodeSelector": {"agent": "y"}, **spec}},
        },
    }
    raw = {"apiVersion": "v1", "kind": "Pod", "metadata": pod, "spec": {"nodeName": node, **spec}}
    return [make(daemon_set), make(raw)]


def test_a_pod_of_a_daemonset_goes_with_its_node() -> None:
    alone: list[KubeObject] = [make_node("n1", cpu="2", labels={"agent": "y"}), make_node("n2", cpu="1")]
    assert "n1" in removals([*alone, *daemon_set("n1")], CONFIG).together
    pod = make_owned("agent-1", requests={"cpu": "2"}, node="n1")
    assert "n1" not in removals([*alone, *pod], CONFIG).together


def test_an_eviction_is_no_solution() -> None:
    cluster = [
        make_node("n1", cpu="2"),
        make_node("n2", cpu="2"),
        make(
            {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": "high"},
                "value": 1000,
            }
        ),
        *make_owned("high", requests={"cpu": "2"}, node="n1", priority=1000, priorityClassName="high"),
        *make_owned("low", requests={"cpu": "2"}, node="n2", priority=0),
    ]
    by_name = {removal.node: removal for removal in removals(cluster, CONFIG).nodes}
    assert [removal.can_go for removal in by_name.values()] == [False, False]
    for removal in by_name.values():
        assert [pod.pod.rpartition("-")[0] for pod in removal.newly_pending] == ["default/low"]


def test_a_pod_that_nothing_would_make_again_holds_its_node() -> None:
    bare, orphan = make_pod("bare", node="n1"), make_owned("orphan", node="n2")[1]
    found = removals([make_node("n1"), make_node("n2"), make_node("n3", cpu="3"), bare, orphan], CONFIG)
    assert {removal.node: removal.held_by for removal in found.nodes} == {
        "n1": "nothing would make default/bare again, without a controller",
        "n2": "nothing would make default/orphan (ReplicaSet orphan) again: the controller is not there",
        "n3": "",
    }
    assert found.together == ("n3",)


def test_a_budget_that_allows_nothing_holds_the_node_of_its_pod() -> None:
    budget = make(
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "db", "namespace": "default"},
            "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "db"}}},
        }
    )
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    cluster = [
        make_node("n1"),
        make_node("n2"),
        budget,
        *make_owned("db", node="n1", labels={"app": "db"}, status=ready),
    ]
    found = removals(cluster, CONFIG)
    assert {removal.node: removal.held_by for removal in found.nodes} == {
        "n2": "",
        "n1": "the drain did not end: still there: default/db: "
        "The disruption budget db needs 1 healthy pods and has 1 currently",
    }
    assert found.together == ("n2",)


def test_what_is_lost_with_a_node_is_told() -> None:
    scratch = {"volumes": [{"name": "scratch", "emptyDir": {}}]}
    cluster = [make_node("n1"), make_node("n2"), *make_owned("web", node="n1", **scratch)]
    found = removals([*cluster, *make_owned("old", node="n2")], CONFIG)
    assert found.together == ("n1",)
    assert found.text == (
        "n1 could go: nothing would be pending. default/web keeps data in emptyDir volumes, which is lost then."
    )


def test_a_node_that_is_lost_is_none_that_could_go() -> None:
    cluster = [make_node("n1"), make_node("n2"), make_node("n3"), *make_owned("web", node="n1")]
    edits = read_edits([{"kind": "lose", "nodes": ["n2"]}])
    found = removals(cluster, CONFIG, edits=edits)
    assert [name for removal in found.nodes for name in (removal.node, *removal.like)] == ["n3", "n1"]


def test_a_pod_that_is_pending_anyway_keeps_no_node() -> None:
    cluster = [make_node("n1", cpu="2"), make_node("n2", cpu="2"), make_pod("huge", requests={"cpu": "64"})]
    assert removals(cluster, CONFIG).together == ("n1", "n2")


def test_a_cluster_without_nodes_has_none_to_spare() -> None:
    assert removals([], CONFIG).text == "None of the 0 nodes could go without a pod pending or gone."


@settings(deadline=None, max_examples=15)
@given(st.lists(st.tuples(st.integers(2, 8), st.integers(0, 4)), min_size=1, max_size=4))
def test_those_that_go_together_leave_nothing_pending_and_no_single_one_more_could(
    nodes: list[tuple[int, int]],
) -> None:
    cluster: list[KubeObject] = []
    for index, (cpu, used) in enumerate(nodes):
        cluster.append(make_node(f"n{index}", cpu=str(cpu)))
        for k in range(min(cpu, used)):
            cluster += make_owned(f"p{index}-{k}", requests={"cpu": "1"}, node=f"n{index}")
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
    cluster_with_pod: list[KubeObject] = [*cluster, *make_owned("a", requests={"cpu": "1"}, node="n0")]
    found = removals(cluster_with_pod, CONFIG, limit=2)
    assert found.together == ("n1", "n2")
    assert found.text == (
        "2 of 4 nodes could go together: nothing would be pending. "
        "2 of 4 were tried, those with the least to move."
    )


def test_what_is_known_is_told_as_it_comes() -> None:
    told: list[tuple[int, int]] = []
    cluster = [make_node("n0", cpu="1"), make_node("n1", cpu="2"), *make_owned("a", requests={"cpu": "1"})]
    removals(cluster, CONFIG, so_far=lambda found: told.append((len(found.nodes), len(found.together))))
    assert told == [(1, 0), (2, 0), (2, 1), (2, 1)]
