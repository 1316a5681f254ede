from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.config.plugin_args import DefaultPreemptionArgs
from scheduler_core.extender.errors import ExtenderError
from scheduler_core.framework.status import Code
from scheduler_core.framework.types import CLEAR_NOMINATION, NominatingInfo, NominatingMode
from scheduler_core.framework.waiting_pods import WaitingPod
from scheduler_core.preemption.evaluator import DECISION_KEY, PreemptionDecision
from scheduler_core.preemption.pick_node import Criterion
from tests.core.preemption.small_cluster import SmallCluster, budget, node, pod

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.extender.wire import Victims
    from scheduler_core.snapshot.node_infos import NodeInfos
    from scheduler_core.snapshot.pod_info import PodInfo

TAINT = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
ONE_CANDIDATE = DefaultPreemptionArgs(min_candidate_nodes_percentage=0, min_candidate_nodes_absolute=1)


def message(cluster: SmallCluster, item: Any) -> str:
    result, status, _ = cluster.preempt(item)
    assert result is None or result.nominating_info == CLEAR_NOMINATION
    assert status is not None
    assert not cluster.deleted
    return status.message


def test_the_cheapest_node_is_nominated_and_its_victims_are_deleted() -> None:
    cluster = SmallCluster(
        [node("a"), node("b"), node("c")],
        [
            pod("a1", priority=3, cpu="4", on="a"),
            pod("b1", priority=1, cpu="2", on="b"),
            pod("b2", priority=2, cpu="2", on="b"),
            pod("c1", priority=9, cpu="4", on="c"),
        ],
    )
    result, status, state = cluster.preempt(pod("p", priority=5, cpu="4"))
    assert status is None
    assert result is not None
    assert result.nominating_info == NominatingInfo(NominatingMode.OVERRIDE, "b")
    assert result.victims == ("default/b2", "default/b1")
    assert cluster.deleted == ["default/b2", "default/b1"]
    assert state.read(DECISION_KEY) == PreemptionDecision(
        "b", ("default/b2", "default/b1"), 0, 2, Criterion.HIGHEST_PRIORITY
    )
    assert state.clone().read(DECISION_KEY).num_candidates == 2


def test_nodes_refused_for_good_are_not_candidates() -> None:
    cluster = SmallCluster([node("a", taints=[TAINT])], [pod("low", cpu="4", on="a")])
    assert message(cluster, pod("p", priority=5)) == (
        "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )


def test_the_message_counts_what_each_node_would_say() -> None:
    cluster = SmallCluster(
        [node("a", taints=[TAINT]), node("b"), node("c"), node("d")],
        [
            pod("b1", priority=9, cpu="4", on="b"),
            pod("c1", priority=9, cpu="3", on="c"),
            pod("c2", priority=1, cpu="1", on="c"),
            pod("d1", priority=7, cpu="4", on="d"),
        ],
    )
    assert message(cluster, pod("p", priority=5, cpu="2")) == (
        "preemption: 0/4 nodes are available: 1 Insufficient cpu, "
        "1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod."
    )


def test_candidates_without_budget_violations_are_enough_only_once_there_is_one() -> None:
    cluster = SmallCluster(
        [node(name) for name in "abcd"],
        [
            pod(f"{name}1", priority=priority, cpu="4", on=name, labels={"app": app})
            for name, priority, app in (("a", 1, "db"), ("b", 1, "db"), ("c", 8, "web"), ("d", 1, "web"))
        ],
        budgets=[budget("db", {"matchLabels": {"app": "db"}})],
    )
    result, _, state = cluster.preempt(pod("p", priority=9), ONE_CANDIDATE)
    assert result is not None
    assert result.nominating_info.node_name == "c"
    assert state.read(DECISION_KEY).num_candidates == 2


def test_the_dry_run_stops_as_soon_as_there_are_enough_candidates() -> None:
    pods = [pod(f"{name}1", priority=p, cpu="4", on=name) for name, p in zip("abc", (3, 2, 1), strict=True)]
    cluster = SmallCluster([node(name) for name in "abc"], pods)
    result, _, _ = cluster.preempt(pod("p", priority=9), ONE_CANDIDATE)
    assert result is not None
    assert result.nominating_info.node_name == "a"


def test_the_dry_run_starts_at_the_offset_and_goes_round() -> None:
    pods = [pod(f"{name}1", priority=p, cpu="4", on=name) for name, p in zip("abc", (1, 9, 3), strict=True)]
    cluster = SmallCluster([node(name) for name in "abc"], pods, offset=1)
    result, _, _ = cluster.preempt(pod("p", priority=9), ONE_CANDIDATE)
    assert result is not None
    assert result.nominating_info.node_name == "c"


def test_a_victim_that_is_terminating_already_is_neither_deleted_again_nor_told_as_preempted() -> None:
    going = pod("going", cpu="2", on="a", metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})
    cluster = SmallCluster([node("a")], [going, pod("low", cpu="2", on="a")])
    result, _, state = cluster.preempt(pod("p", priority=5, cpu="4"))
    assert result is not None
    assert result.nominating_info == NominatingInfo(NominatingMode.OVERRIDE, "a")
    assert result.victims == ("default/low",)
    assert state.read(DECISION_KEY).victims == ("default/low",)
    assert cluster.deleted == ["default/low"]


def test_where_all_victims_are_terminating_the_node_is_nominated_and_nobody_is_preempted() -> None:
    going = pod("going", cpu="4", on="a", metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})
    cluster = SmallCluster([node("a")], [going])
    result, status, _ = cluster.preempt(pod("p", priority=5, cpu="4"))
    assert status is None
    assert result is not None
    assert (result.nominating_info.node_name, result.victims, cluster.deleted) == ("a", (), [])


def test_a_victim_that_waits_in_permit_is_rejected() -> None:
    cluster = SmallCluster([node("a")], [pod("waiting", cpu="4", on="a")])
    waiting = WaitingPod(cluster.bound["default/waiting"], "a", {"Gang": 1})
    cluster.waiting_pods.add(waiting)
    cluster.preempt(pod("p", priority=5))
    assert not cluster.deleted
    assert waiting.status is not None
    assert (waiting.status.plugin, waiting.status.message) == ("DefaultPreemption", "preempted")


def test_lower_nominations_to_the_node_are_cleared() -> None:
    cluster = SmallCluster([node("a")], [pod("low", cpu="4", on="a")])
    for name, priority in (("less", 4), ("same", 5), ("more", 6)):
        nominated = pod(name, priority=priority, cpu="0", nominatedNodeName="a")
        cluster.nominator.add(cluster.pod_info(nominated), None)
    elsewhere = pod("elsewhere", priority=1, cpu="0", nominatedNodeName="b")
    cluster.nominator.add(cluster.pod_info(elsewhere), None)
    unwritten = cluster.pod_info(pod("unwritten", priority=1, cpu="0"))
    cluster.nominator.add(unwritten, NominatingInfo(NominatingMode.OVERRIDE, "a"))
    cluster.preempt(pod("p", priority=5))
    assert cluster.cleared == ["default/less"]


def test_room_promised_to_a_pod_of_equal_priority_is_not_taken() -> None:
    cluster = SmallCluster(
        [node("a"), node("b")], [pod("a1", cpu="4", on="a"), pod("b1", priority=3, cpu="4", on="b")]
    )
    promised = pod("promised", priority=5, cpu="3", nominatedNodeName="a")
    cluster.nominator.add(cluster.pod_info(promised), None)
    result, _, state = cluster.preempt(pod("p", priority=5, cpu="2"))
    assert result is not None
    assert result.nominating_info.node_name == "b"
    assert state.read(DECISION_KEY).criterion == Criterion.ONLY_CANDIDATE


class Extender:
    """Answers with a function of the candidates."""

    supports_preemption = True

    def __init__(self, answer: Any, *, ignorable: bool = False, interested: bool = True) -> None:
        self.is_ignorable = ignorable
        self.asked: list[list[str]] = []
        self._answer = answer
        self._interested = interested

    def is_interested(self, pod: PodInfo) -> bool:
        return self._interested

    def process_preemption(
        self, pod: PodInfo, victims: Mapping[str, Victims], nodes: NodeInfos
    ) -> dict[str, Victims]:
        self.asked.append(sorted(victims))
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer(dict(victims))


def drop(name: str) -> Any:
    return lambda victims: {key: value for key, value in victims.items() if key != name}


def empty(name: str) -> Any:
    return lambda victims: {**victims, name: victims[name]._replace(pods=())}


def cluster_with(*extenders: Extender) -> SmallCluster:
    pods = [pod(f"{name}1", priority=p, cpu="4", on=name) for name, p in zip("ab", (1, 2), strict=True)]
    return SmallCluster([node(name) for name in "ab"], pods, extenders=extenders)


def test_extenders_narrow_the_candidates_one_after_the_other() -> None:
    first, second = Extender(drop("a")), Extender(lambda victims: victims)
    cluster = cluster_with(first, Extender(drop("b"), interested=False), second)
    result, _, _ = cluster.preempt(pod("p", priority=9))
    assert result is not None
    assert result.nominating_info.node_name == "b"
    assert (first.asked, second.asked) == ([["a", "b"]], [["b"]])


def test_extenders_that_leave_nothing_end_the_preemption() -> None:
    last = Extender(lambda victims: victims)
    cluster = cluster_with(Extender(drop("a")), Extender(drop("b")), last)
    result, status, _ = cluster.preempt(pod("p", priority=9))
    assert result is None
    assert status is not None
    assert (status.code, status.message) == (
        Code.UNSCHEDULABLE,
        "preemption: no candidate node for preemption",
    )
    assert last.asked == []


def test_an_extender_that_fails_is_an_error_unless_it_may_be_ignored() -> None:
    broken = ExtenderError("failed with 500")
    result, status, _ = cluster_with(Extender(broken)).preempt(pod("p", priority=9))
    assert (result, status and status.code) == (None, Code.ERROR)
    assert status is not None
    assert status.message == "preemption: failed with 500"
    result, status, _ = cluster_with(Extender(broken, ignorable=True)).preempt(pod("p", priority=9))
    assert status is None


def test_a_node_for_which_an_extender_names_no_victim_is_an_error_or_left_out() -> None:
    _, status, _ = cluster_with(Extender(empty("a"))).preempt(pod("p", priority=9))
    assert status is not None
    assert (status.code, status.message) == (
        Code.ERROR,
        'preemption: expected at least one victim pod on node "a"',
    )
    result, status, _ = cluster_with(Extender(empty("a"), ignorable=True)).preempt(pod("p", priority=9))
    assert result is not None
    assert result.nominating_info.node_name == "b"
