from __future__ import annotations

import itertools
import statistics
from typing import Any

from scheduler_core.api.decode import convert
from scheduler_core.scheduler.tie_break import SplitMix64
from scheduler_core.simulator.scenario.arrivals import arrival_times
from scheduler_core.simulator.scenario.edits import Arrivals
from tests.core.simulator.scenario.scenes import Scene
from tests.make import make_node

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "job", "labels": {"app": "job"}},
    "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]},
}


def arrivals(**fields: Any) -> dict[str, Any]:
    return {"kind": "arrivals", "pod": POD, **fields}


def test_a_fixed_rate_brings_a_pod_at_even_intervals_from_its_time_on() -> None:
    scene = Scene([make_node("n1", cpu="9")], arrivals(at="10s", rate=2, distribution="fixed", count=4))
    created = [(event["pod"], event["t_us"]) for event in scene.of_type("PodCreated")]
    assert created == [
        ("default/job-1", 10_000_000),
        ("default/job-2", 10_500_000),
        ("default/job-3", 11_000_000),
        ("default/job-4", 11_500_000),
    ]
    assert len(scene.result.placements) == 4


def test_a_process_ends_after_its_time() -> None:
    edit = arrivals(rate=10, distribution="fixed", lasting="1s", name="burst")
    assert len(Scene([make_node("n1")], edit).of_type("PodCreated")) == 10


def test_gaps_at_random_have_the_mean_and_spread_of_a_poisson_process() -> None:
    edit = convert(arrivals(rate=4, count=4000), Arrivals)
    times = list(arrival_times(edit, SplitMix64(3)))
    gaps = [after - before for before, after in itertools.pairwise(times)]
    assert 0.23e6 < statistics.mean(gaps) < 0.27e6
    assert 0.23e6 < statistics.stdev(gaps) < 0.27e6
    assert times == sorted(times)


def test_the_seed_gives_the_times_and_another_edit_does_not_move_them() -> None:
    alone = Scene([make_node("n1")], arrivals(rate=1, count=5), seed=9)
    beside = Scene([make_node("n1")], arrivals(rate=1, count=5), {"kind": "cordon", "nodes": ["n1"]}, seed=9)
    other = Scene([make_node("n1")], arrivals(rate=1, count=5), seed=10)
    times = [[event["t_us"] for event in it.of_type("PodCreated")] for it in (alone, beside, other)]
    assert times[0] == times[1] != times[2]


def test_what_a_quota_refuses_does_not_come_and_the_others_do() -> None:
    quota = {
        "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "default"},
        "spec": {"hard": {"pods": "2"}},
    }  # fmt: skip
    scene = Scene([make_node("n1", cpu="9"), quota], arrivals(rate=1, distribution="fixed", count=5))
    assert sorted(scene.result.placements) == ["default/job-1", "default/job-2"]
    message = 'pods "job-3" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2'
    assert scene.refusals == [("arrivals", message)]
    assert [event["object"] for event in scene.of_type("AdmissionRefused")] == [
        "Pod/default/job-3", "Pod/default/job-4", "Pod/default/job-5"
    ]  # fmt: skip


def test_a_run_that_fills_up_ends_and_says_so() -> None:
    scene = Scene([make_node("n1")], arrivals(rate=100, distribution="fixed", count=5000), max_pods=300)
    assert scene.result.stopped == "Ended with 301 pods: a run takes 300 at most."
    (stopped,) = scene.of_type("RunStopped")
    assert (stopped["reason"], stopped["text"]) == ("limit", scene.result.stopped)
    steps = Scene([make_node("n1")], arrivals(rate=100, distribution="fixed", count=5000), max_steps=200)
    assert steps.result.stopped == "Ended after 200 steps, the most that a run does."


def test_a_run_ends_at_its_horizon_and_says_so() -> None:
    edit = arrivals(rate=1, distribution="fixed", count=100)
    scene = Scene([make_node("n1", cpu="200")], edit, horizon_us=5_500_000)
    assert len(scene.result.placements) == 6
    assert scene.result.stopped == "Ended at the horizon of 5.5s: what was due later was not done."
