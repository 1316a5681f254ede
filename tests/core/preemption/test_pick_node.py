from __future__ import annotations

import pytest

from scheduler_core.extender.wire import Victims
from scheduler_core.preemption.pick_node import Choice, Criterion, pick_one_node
from tests.core.preemption.small_cluster import SmallCluster, node, pod

CLUSTER = SmallCluster([node("a")])


def victims(*priorities: int, violations: int = 0, started: str | None = "2026-01-01T00:00:00Z") -> Victims:
    pods = [pod(f"v{i}", priority=p, on="a", started=started) for i, p in enumerate(priorities)]
    return Victims(tuple(map(CLUSTER.pod_info, pods)), violations)


def test_the_only_candidate_is_taken() -> None:
    assert pick_one_node({"b": victims(7, violations=3)}) == Choice("b", Criterion.ONLY_CANDIDATE)


def test_fewest_budget_violations_come_before_everything() -> None:
    candidates = {"a": victims(1, violations=2), "b": victims(9, 9, 9, violations=1)}
    assert pick_one_node(candidates) == Choice("b", Criterion.PDB_VIOLATIONS)


def test_then_the_lowest_highest_priority() -> None:
    candidates = {"a": victims(5), "b": victims(4, 4, 4)}
    assert pick_one_node(candidates) == Choice("b", Criterion.HIGHEST_PRIORITY)


def test_then_the_lowest_sum_of_priorities() -> None:
    candidates = {"a": victims(5, 4), "b": victims(5, 3)}
    assert pick_one_node(candidates) == Choice("b", Criterion.SUM_OF_PRIORITIES)


def test_fewer_pods_of_a_negative_priority_cost_less_than_more_of_them() -> None:
    candidates = {"a": victims(-3, -3, -3), "b": victims(-3)}
    assert pick_one_node(candidates) == Choice("b", Criterion.SUM_OF_PRIORITIES)


def test_the_number_of_victims_decides_where_the_sums_are_equal() -> None:
    low = -(2**31)
    candidates = {"a": victims(5, low), "b": victims(5)}
    assert pick_one_node(candidates) == Choice("b", Criterion.NUM_VICTIMS)


def test_then_the_latest_start_of_the_most_important_victims() -> None:
    candidates = {
        "a": victims(5, started="2026-01-01T00:00:01Z"),
        "b": victims(5, started="2026-01-01T00:00:02Z"),
    }
    assert pick_one_node(candidates) == Choice("b", Criterion.START_TIME)


def test_a_victim_that_has_not_started_is_the_latest() -> None:
    candidates = {"a": victims(5, started="2036-01-01T00:00:00Z"), "b": victims(5, started=None)}
    assert pick_one_node(candidates) == Choice("b", Criterion.START_TIME)


def test_the_earliest_start_counts_and_only_among_the_highest_priority() -> None:
    early, late = "2026-01-01T00:00:01Z", "2026-01-01T00:00:09Z"

    def two(first: str, second: str, priority_of_second: int) -> Victims:
        pods = [
            pod("x", priority=5, on="a", started=first),
            pod("y", priority=priority_of_second, on="a", started=second),
        ]
        return Victims(tuple(map(CLUSTER.pod_info, pods)), 0)

    assert pick_one_node({"a": two(late, early, 5), "b": two(late, late, 5)}).node_name == "b"
    assert pick_one_node({"b": two(late, early, 4), "a": two(early, late, 4)}).node_name == "b"


def test_the_last_tie_goes_to_the_lowest_name() -> None:
    candidates = {"c": victims(5), "a": victims(5), "b": victims(5)}
    assert pick_one_node(candidates) == Choice("a", Criterion.NODE_NAME)


def test_a_criterion_is_asked_only_of_those_that_the_ones_before_left() -> None:
    candidates = {"a": victims(5, 5), "b": victims(5, 6), "c": victims(5, 5), "d": victims(1, violations=1)}
    assert pick_one_node(candidates) == Choice("a", Criterion.NODE_NAME)


def test_without_candidates_there_is_no_choice() -> None:
    with pytest.raises(ValueError, match="min"):
        pick_one_node({})
