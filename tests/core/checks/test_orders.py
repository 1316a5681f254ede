"""Other orders: how many hold, always only where all were tried, the smallest counterexample, the snapshot's age."""

from __future__ import annotations

import itertools

import pytest

from scheduler_core.checks import exit_code, read_check, run
from scheduler_core.checks.orders import moved, num_arrivals, repaired, shuffled
from scheduler_core.checks.ties import next_script
from scheduler_core.checks.trial import Order
from tests.core.checks.asking import asked, node, pod, verdict

# big fits only if it comes before both small ones: a case that depends on the order of arrival alone.
SMALL = [pod("small-0", "1"), pod("small-1", "1")]
BIG = pod("big", "2")


def test_the_order_of_the_files_may_hold_where_others_do_not() -> None:
    found = verdict(
        [BIG, *SMALL, pod("other", "1m")],
        [node("node-a")],
        {"scheduled": {"workloads": ["Pod/big"]}},
        orders=30,
    )
    assert found.outcome == "fail"
    (result,) = found.results
    assert result.orders is not None
    assert 0 < result.orders.held < result.orders.tried
    assert result.findings[0].plugin == "NodeResourcesFit"
    assert found.robustness is not None
    example = found.robustness.counterexample
    assert example is not None
    assert example.moved == ("Pod/default/big",), "one object out of place is enough"
    assert example.failing == ("scheduled[0]",)
    again = read_check(asked([BIG, *SMALL, pod("other", "1m")], [node("node-a")]))
    keys = [item.key for item in again.change.apply]
    assert sorted(example.order) == sorted(keys)


def test_always_is_said_only_where_all_orders_and_ties_were_tried() -> None:
    found = verdict([pod("a", "1m"), pod("b", "2m")], [node("node-a")], orders=10)
    assert found.robustness is not None
    assert (found.robustness.tried, found.robustness.always) == (2, True)
    assert found.summary.endswith("always: in each of the 2 ways in which pods can arrive and ties can fall")


def test_ties_count_as_ways() -> None:
    found = verdict([pod("a")], [node("node-a"), node("node-b"), node("node-c")], orders=10)
    assert found.robustness is not None
    assert (found.robustness.tried, found.robustness.always) == (3, True)


def test_a_skew_that_only_some_ties_give_is_found() -> None:
    zones = [node("node-a", labels={"zone": "a"}), node("node-b", labels={"zone": "b"})]
    full = [pod("full", "1", on="node-b", labels={"app": "other"})]
    pods = [pod("a", "1m", nodeSelector={"zone": "b"}), pod("b", "1m")]
    found = verdict(pods, [*zones, *full], {"maxSkew": {"topologyKey": "zone", "maxSkew": 0}}, orders=12)
    assert found.outcome == "pass", "the emptier node wins in every order"


def test_more_ways_than_orders_are_sampled_and_never_called_always() -> None:
    pods = [pod(f"p-{number}", f"{number + 1}m") for number in range(5)]
    found = verdict(pods, [node("node-a")], orders=8)
    assert found.robustness is not None
    assert (found.robustness.tried, found.robustness.held, found.robustness.always) == (8, 8, False)
    assert found.summary == "the expectation holds; 8 of 8 orders went well"


def test_pods_that_are_alike_arrive_in_one_way_only() -> None:
    assert num_arrivals(read_check(asked([pod("a"), pod("b"), BIG]))) == 6
    alike = [pod("a"), pod("b"), BIG]
    for each in alike:
        each["metadata"].pop("uid")
    assert num_arrivals(read_check(asked(alike))) == 3


def test_the_same_seed_gives_the_same_verdict() -> None:
    check = asked([BIG, *SMALL], [node("node-a"), node("node-b")], orders=6)
    assert run(read_check(check)) == run(read_check(check))


def test_shuffling_is_a_permutation_and_follows_the_seed() -> None:
    assert sorted(shuffled(9, 4)) == list(range(9))
    assert shuffled(9, 4) == shuffled(9, 4) != shuffled(9, 5)
    assert {shuffled(3, seed) for seed in range(200)} == set(itertools.permutations(range(3)))


def test_scripts_go_through_every_way_ties_can_fall_once() -> None:
    widths = [2, 3]
    seen, script = [], ()
    while script is not None:
        taken = [*script, *[0] * (len(widths) - len(script))]
        seen.append(tuple(taken))
        script = next_script(taken, widths)
    assert seen == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


@pytest.mark.parametrize(
    ("arrivals", "out"),
    [((0, 1, 2), ()), ((1, 2, 0), (0,)), ((2, 1, 0), (1, 0)), ((0, 3, 1, 2), (3,)), ((), ())],
)
def test_what_stands_elsewhere_is_as_little_as_possible(
    arrivals: tuple[int, ...], out: tuple[int, ...]
) -> None:
    assert moved(arrivals) == out


def test_a_counterexample_is_brought_as_near_to_the_files_as_it_goes() -> None:
    """It fails whenever 3 comes before 1."""
    near = repaired(
        Order((4, 3, 2, 1, 0), 7),
        lambda order: order.arrivals is not None and order.arrivals.index(3) < order.arrivals.index(1),
    )
    assert near.arrivals is not None
    assert len(moved(near.arrivals)) == 1
    assert near.arrivals.index(3) < near.arrivals.index(1)


@pytest.mark.parametrize(
    ("captured", "checked", "outcome", "code"),
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T00:59:59Z", "pass", 0),
        ("2026-01-01T00:00:00Z", "2026-01-01T01:00:01Z", "too-old", 3),
        ("", "2026-01-01T01:00:01Z", "too-old", 3),
        ("2026-01-01T00:00:00Z", "", "too-old", 3),
    ],
)
def test_a_snapshot_that_is_too_old_or_of_unknown_age_is_not_judged(
    captured: str, checked: str, outcome: str, code: int
) -> None:
    found = verdict([pod("a")], [node("n")], max_snapshot_age="1h", captured_at=captured, checked_at=checked)
    assert (found.outcome, exit_code(found)) == (outcome, code)
    if not captured:
        assert "the age of the snapshot is unknown: it does not say when it was captured" in found.summary


def test_without_a_bound_the_age_does_not_matter() -> None:
    assert verdict([pod("a")], [node("n")]).outcome == "pass"


def test_only_what_is_worse_than_without_the_change_counts() -> None:
    room = {"headroom": {"resources": {"cpu": "9"}}}
    cluster = [node("node-a")]
    assert verdict([pod("web")], cluster, room).outcome == "fail"
    worse = verdict([pod("web")], cluster, room, baseline=True)
    assert worse.outcome == "fail", "the change takes more of what is short already"
    skew = {"maxSkew": {"topologyKey": "zone", "selector": {"matchLabels": {"app": "old"}}}}
    zones = [node("node-a", labels={"zone": "a"}), node("node-b", labels={"zone": "b"})]
    old = [pod(f"old-{number}", "1m", on="node-a", labels={"app": "old"}) for number in range(3)]
    kept = verdict([pod("web")], [*zones, *old], skew, baseline=True)
    assert (kept.outcome, kept.results[0].status) == ("pass", "not-worse")
    assert kept.results[0].message.endswith("without the change it is no better")


def test_a_cancelled_check_says_so_and_fails() -> None:
    from scheduler_core.checks import stoppable

    found = run(stoppable(read_check(asked([pod("a")], [node("n")])), lambda: True))
    assert (found.outcome, exit_code(found)) == ("cancelled", 1)


def test_deletions_free_what_the_manifests_need() -> None:
    cluster = [node("node-a"), pod("old", "2", on="node-a")]
    assert verdict([pod("new", "2")], cluster).outcome == "fail"
    assert verdict([pod("new", "2")], cluster, deletions=("Pod/old",)).outcome == "pass"
