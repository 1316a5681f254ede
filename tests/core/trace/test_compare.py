from __future__ import annotations

from typing import Any

from scheduler_core.trace import CycleDetail, PodStart, compare_runs, explain_tipping, score_rows
from scheduler_core.trace.compare import PlacementChange, Refused, ScoreRow, VictimChange, WaitChange, Waits
from tests.core.simulator.scenario.scenes import OPTIONS, Scene
from tests.make import make_node, make_pod

NODES = [make_node("n1", cpu="4"), make_node("n2", cpu="4"), make_node("n3", cpu="4")]
PODS = [make_pod(name, requests={"cpu": "3"}) for name in ("a", "b", "c")]


def lines(*edits: dict[str, Any], objects: list[Any] | None = None) -> list[bytes]:
    return Scene(objects or [*NODES, *PODS], *edits, options=OPTIONS).sink.lines


def test_a_run_is_the_same_as_itself() -> None:
    found = compare_runs(lines(), lines())
    assert found.same
    assert (found.first_difference, found.first_diverging_cycle, found.placements) == (None, None, ())
    assert found.sentences == ("The two runs are the same, event by event.",)


def test_where_pods_went_who_waits_and_what_tipped_it() -> None:
    found = compare_runs(lines(), lines({"kind": "cordon", "nodes": ["n2"]}))
    assert found.placements == (
        PlacementChange("default/b", "n2", "n3", "moved"),
        PlacementChange("default/c", "n3", "", "newly pending", found.placements[1].why),
    )
    assert found.placements[1].why.startswith("0/3 nodes are available: 1 node(s) were unschedulable")
    assert (found.text, found.num_cycles_before, found.num_cycles_after) == ("1 newly pending, 1 moved", 3, 3)
    assert found.kinds == {"newly pending": 1, "rescued": 0, "moved": 1, "new": 0, "gone": 0}
    difference = found.first_difference
    assert difference is not None
    assert (difference.seq, difference.t_us, difference.after) == (5, 0, "EditApplied: Cordon n2")
    cycle = found.first_diverging_cycle
    assert cycle is not None
    assert (cycle.cycle_before, cycle.cycle_after, cycle.pod) == (2, 2, "default/b")
    assert (cycle.node_before, cycle.node_after) == ("n2", "n3")
    assert (cycle.feasible_before, cycle.feasible_after) == (2, 1)
    assert cycle.refused == (Refused("NodeUnschedulable", 0, 1), Refused("NodeResourcesFit", 1, 1))
    assert cycle.tipped_by == ("1 node fitted, before 2.", "NodeUnschedulable refused 1 node more.")
    assert found.sentences == (
        "The runs part at event 5, at 0 s: EditApplied: Cordon n2; before CycleStarted: default/a.",
        "They decide alike before cycle 2: 1 node fitted, before 2. NodeUnschedulable refused 1 node more.",
        "1 pod is on another node.",
        "1 pod is without a node that had one.",
        "Pods waited 0.004 s on average, before 0.005 s.",
    )


def test_waits_are_compared_from_the_first_queue_to_the_node() -> None:
    objects = [make_node("n1", cpu="4"), *PODS[:2]]
    late = lines({"kind": "addNodes", "at": "30s", "like": "n1"}, objects=objects)
    early = lines({"kind": "addNodes", "at": "10s", "like": "n1"}, objects=objects)
    found = compare_runs(late, early)
    assert found.waits == (WaitChange("default/b", 30_004_000, 10_004_000),)
    assert found.waits_before == Waits(2, 15_004_000, 4_000, 30_004_000, 30_004_000, (0, 1, 0, 0, 0, 1, 0, 0))
    assert found.sentences[-1] == "Pods waited 5.004 s on average, before 15.004 s."
    assert found.placements == ()


def test_victims_of_one_run_alone_are_named() -> None:
    low = make_pod("low", node="n1", priority=1, requests={"cpu": "4"})
    high = make_pod("high", priority=9, requests={"cpu": "4"})
    objects = [make_node("n1", cpu="4"), low, high]
    spared = lines({"kind": "addNodes", "like": "n1"}, objects=objects)
    found = compare_runs(lines(objects=objects), spared)
    assert found.victims == (VictimChange("default/low", True, False),)
    assert "1 pod fewer was preempted." in found.sentences
    cycle = found.first_diverging_cycle
    assert cycle is not None
    assert cycle.tipped_by[0].startswith("default/high was placed on n2 now; else: 0/1 nodes are available")


def test_another_pod_from_the_queue_is_said() -> None:
    more = [*NODES, *PODS[:1], make_pod("b", priority=9, requests={"cpu": "3"})]
    cycle = compare_runs(lines(objects=[*NODES, *PODS[:2]]), lines(objects=more)).first_diverging_cycle
    assert cycle is not None
    assert cycle.tipped_by == ("The queue gave default/b; before it gave default/a.",)


def test_a_level_score_is_settled_by_the_draw() -> None:
    def drawn(seed: int) -> list[bytes]:
        return Scene([*NODES, PODS[0]], tie_break="random", seed=seed).sink.lines

    runs = [drawn(seed) for seed in range(8)]
    other = next(run for run in runs[1:] if run != runs[0])
    cycle = compare_runs(runs[0], other).first_diverging_cycle
    assert cycle is not None
    (text,) = cycle.tipped_by
    assert text == f"3 nodes were level; the draw fell on {cycle.node_after}, before on {cycle.node_before}."


def test_details_say_which_plugin_moved_the_scale() -> None:
    def detail(node: str, spread: list[int]) -> CycleDetail:
        weighted = {"NodeResourcesFit": [50, 60], "PodTopologySpread": spread}
        return CycleDetail(
            cycle=1, t_us=0, pod="default/a", attempt=1, node=node, nodes=["n1", "n2"], scored=[0, 1], weighted=weighted
        )  # fmt: skip

    assert explain_tipping(detail("n1", [200, 0]), detail("n2", [0, 200])) == (
        "PodTopologySpread put n2 200 ahead of n1; before 200 behind it.",
    )
    assert score_rows(detail("n1", [200, 0]), detail("n2", [0, 200])) == (
        ScoreRow("PodTopologySpread", 200, 0, 0, 200),
        ScoreRow("NodeResourcesFit", 50, 60, 50, 60),
    )
    assert explain_tipping(detail("n1", [0, 0]), detail("n1", [0, 0])) == ()


def test_pods_that_came_with_their_nodes_are_told_of_where_the_start_is_known() -> None:
    objects = [*NODES, make_pod("low", node="n1", requests={"cpu": "3"}), *PODS[:1]]
    start = {"default/low": PodStart("n1"), "default/a": PodStart("")}
    deleted = lines({"kind": "delete", "object": "Pod/default/low"}, objects=objects)
    assert compare_runs(lines(objects=objects), deleted).text == "1 moved"
    found = compare_runs(lines(objects=objects), deleted, pods_before=start, pods_after=start)
    assert found.placements == (
        PlacementChange("default/a", "n2", "n1", "moved"),
        PlacementChange("default/low", "n1", None, "gone"),
    )
    assert found.text == "1 moved, 1 gone"
    other = compare_runs(lines(), lines(), pods_before={}, pods_after={"default/low": PodStart("n1")})
    assert other.placements == (PlacementChange("default/low", None, "n1", "new"),)


def test_a_pod_that_its_workload_has_in_place_of_another_has_moved() -> None:
    def started(name: str, node: str) -> dict[str, PodStart]:
        return {f"default/{name}": PodStart(node, "ReplicaSet/web"), "default/same": PodStart("n1", "Job/x")}

    moved = compare_runs([], [], pods_before=started("web-1", "n1"), pods_after=started("web-2", "n2"))
    assert moved.placements == (
        PlacementChange("default/web-1", "n1", "n2", "moved", instead="default/web-2"),
    )
    same = compare_runs([], [], pods_before=started("web-1", "n1"), pods_after=started("web-2", "n1"))
    assert same.placements == ()


def test_a_run_that_has_come_less_far_is_compared_as_far_as_it_is() -> None:
    late = lines({"kind": "cordon", "at": "20s", "nodes": ["n2"]})
    assert not compare_runs(lines(), late).same
    found = compare_runs(lines(), late, until_us=20_000_000)
    assert (found.until_us, found.num_cycles_before, found.num_cycles_after) == (20_000_000, 3, 3)
    assert found.same
    assert compare_runs(lines(), late, until_us=0).num_cycles_before == 0


def test_empty_traces_compare() -> None:
    assert compare_runs([], []).same
    assert compare_runs([], lines()).first_diverging_cycle is not None
