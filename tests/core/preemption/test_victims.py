from __future__ import annotations

from scheduler_core.framework.status import Code, Status
from scheduler_core.preemption.victims import (
    NO_VICTIMS,
    Victims,
    select_victims_on_node,
    split_by_pdb_violation,
)
from tests.core.preemption.small_cluster import SmallCluster, budget, node, pod


def names(victims: Victims | Status) -> list[str]:
    assert isinstance(victims, Victims)
    return [pod_info.pod.metadata.name for pod_info in victims.pods]


def select(cluster: SmallCluster, preemptor: object) -> Victims | Status:
    pod_info = cluster.pod_info(preemptor)
    state = cluster.pre_filter(pod_info)
    pdbs = tuple(cluster.lister.list("PodDisruptionBudget"))
    return select_victims_on_node(cluster, state, pod_info, cluster.row("a"), pdbs)


def test_a_node_without_pods_of_lower_priority_has_no_victims() -> None:
    cluster = SmallCluster([node("a")], [pod("same", priority=5, cpu="4", on="a")])
    assert select(cluster, pod("p", priority=5)) is NO_VICTIMS
    assert NO_VICTIMS.code == Code.UNSCHEDULABLE_AND_UNRESOLVABLE


def test_a_node_that_is_too_small_even_when_empty_says_why() -> None:
    cluster = SmallCluster([node("a")], [pod("low", on="a"), pod("high", priority=9, cpu="2", on="a")])
    status = select(cluster, pod("p", priority=5, cpu="3"))
    assert isinstance(status, Status)
    assert (status.code, status.reasons) == (Code.UNSCHEDULABLE, ("Insufficient cpu",))


def test_the_most_important_pods_are_put_back_first() -> None:
    cluster = SmallCluster(
        [node("a")],
        [
            pod("low", priority=1, cpu="1", on="a"),
            pod("mid", priority=2, cpu="1", on="a"),
            pod("high", priority=3, cpu="2", on="a"),
        ],
    )
    assert names(select(cluster, pod("p", priority=9, cpu="1"))) == ["low"]
    assert names(select(cluster, pod("p", priority=9, cpu="2"))) == ["mid", "low"]
    assert names(select(cluster, pod("p", priority=9, cpu="3"))) == ["high", "low"]


def test_of_equal_priorities_the_longer_run_matters_more() -> None:
    cluster = SmallCluster(
        [node("a", "2")],
        [
            pod("young", cpu="1", on="a", started="2026-01-01T00:00:09Z"),
            pod("old", cpu="1", on="a", started="2026-01-01T00:00:01Z"),
        ],
    )
    assert names(select(cluster, pod("p", priority=1))) == ["young"]


def test_a_pod_that_has_not_started_matters_less_than_one_that_has() -> None:
    cluster = SmallCluster(
        [node("a", "2")],
        [pod("fresh", cpu="1", on="a", started=None), pod("old", cpu="1", on="a")],
    )
    assert names(select(cluster, pod("p", priority=1))) == ["fresh"]


def test_pods_whose_budget_is_spent_are_put_back_before_more_important_ones() -> None:
    cluster = SmallCluster(
        [node("a")],
        [
            pod("guarded", priority=1, cpu="2", on="a", labels={"app": "db"}),
            pod("free", priority=2, cpu="2", on="a"),
        ],
        budgets=[budget("db", {"matchLabels": {"app": "db"}})],
    )
    victims = select(cluster, pod("p", priority=9, cpu="2"))
    assert (names(victims), victims.num_pdb_violations) == (["free"], 0)


def test_victims_of_both_kinds_come_in_order_of_importance() -> None:
    cluster = SmallCluster(
        [node("a")],
        [
            pod("guarded", priority=1, cpu="2", on="a", labels={"app": "db"}),
            pod("free", priority=2, cpu="2", on="a"),
        ],
        budgets=[budget("db", {"matchLabels": {"app": "db"}})],
    )
    victims = select(cluster, pod("p", priority=9, cpu="4"))
    assert (names(victims), victims.num_pdb_violations) == (["free", "guarded"], 1)


def test_a_budget_is_spent_by_the_most_important_pods() -> None:
    cluster = SmallCluster([node("a")])
    pods = [cluster.pod_info(pod(name, labels={"app": "db"})) for name in ("x", "y", "z")]
    pdbs = [budget("db", {"matchLabels": {"app": "db"}}, allowed=2)]
    violating, others = split_by_pdb_violation(pods, pdbs)
    assert (violating, others) == ([pods[2]], pods[:2])


def test_a_disrupted_pod_neither_breaks_nor_spends_a_budget() -> None:
    cluster = SmallCluster([node("a")])
    pods = [cluster.pod_info(pod(name, labels={"app": "db"})) for name in ("x", "y", "z")]
    pdbs = [budget("db", {"matchLabels": {"app": "db"}}, allowed=1, disrupted=["x"])]
    assert split_by_pdb_violation(pods, pdbs) == ([pods[2]], pods[:2])


def test_every_budget_of_a_pod_counts() -> None:
    cluster = SmallCluster([node("a")])
    pods = [cluster.pod_info(pod(name, labels={"app": "db", "tier": "x"})) for name in ("x", "y")]
    pdbs = [
        budget("app", {"matchLabels": {"app": "db"}}, allowed=9),
        budget("tier", {"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, allowed=1),
    ]
    assert split_by_pdb_violation(pods, pdbs) == ([pods[1]], [pods[0]])


def test_absent_empty_and_wrong_selectors_protect_nobody() -> None:
    cluster = SmallCluster([node("a")])
    pods = [cluster.pod_info(pod("x", labels={"app": "db"}))]
    for selector in (None, {}, {"matchExpressions": [{"key": "app", "operator": "In"}]}):
        assert split_by_pdb_violation(pods, [budget("any", selector)]) == ([], pods)


def test_a_budget_protects_its_own_namespace_and_no_pod_without_labels() -> None:
    cluster = SmallCluster([node("a")])
    bare = pod("bare", metadata={"labels": {}})
    elsewhere = pod("x", metadata={"namespace": "other", "labels": {"app": "db"}})
    pods = [cluster.pod_info(bare), cluster.pod_info(elsewhere)]
    selector = {"matchExpressions": [{"key": "no-such-label", "operator": "DoesNotExist"}]}
    assert split_by_pdb_violation(pods, [budget("any", selector)]) == ([], pods)


def test_the_row_is_as_before_after_a_dry_run() -> None:
    cluster = SmallCluster([node("a")], [pod("low", cpu="4", on="a")])
    nodes = cluster.snapshot.node_infos
    row = cluster.row("a")
    before = (nodes.info(row), nodes.requested[row].tolist(), int(nodes.num_pods[row]))
    assert names(select(cluster, pod("p", priority=1))) == ["low"]
    assert before == (nodes.info(row), nodes.requested[row].tolist(), int(nodes.num_pods[row]))
    assert list(nodes.info(row).pods) == ["uid-low"]
