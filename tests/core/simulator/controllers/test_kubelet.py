"""The kubelet: when pods start, are ready, end and are gone; what its annotations mean."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.kinds import KubeObject
from scheduler_core.scheduler.tie_break import SplitMix64
from scheduler_core.simulator.controllers.kubelet.durations import (
    DurationError,
    draw_duration,
    parse_duration,
)
from scheduler_core.simulator.controllers.pod_util import is_ready
from tests.core.simulator.controllers.cluster import Cluster, condition, names
from tests.make import make, make_node, make_pod

NODE = make_node("n1", cpu="8")


def pod(name: str = "a", *, restart: str = "Always", node: str = "", **spec: Any) -> KubeObject:
    """A pod; arguments that are no field of its spec are its annotations."""
    notes = {f"scheduler-playground/{key.replace('_', '-')}": spec.pop(key) for key in NOTES if key in spec}
    return make(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "annotations": notes},
            "spec": {
                "containers": [{"name": "main", "image": "a"}],
                "restartPolicy": restart,
                "nodeName": node,
                **spec,
            },
        }
    )


NOTES = ("start_delay", "ready_delay", "run_time", "exit_code", "stop_time")


def phase(cluster: Cluster, name: str = "a") -> str:
    found = cluster.get("Pod", name)
    return "" if found is None else str(found.status.phase)


def test_a_bound_pod_starts_after_a_second_and_is_ready() -> None:
    cluster = Cluster(NODE, pod()).until(0.9)
    assert (phase(cluster), is_ready(cluster.get("Pod", "a"))) == ("Pending", False)
    cluster.until(1.1)
    found = cluster.get("Pod", "a")
    assert (found.status.phase, str(found.status.start_time)) == ("Running", "2026-01-01T00:00:01Z")
    assert {own.type: own.status for own in found.status.conditions} == {
        "PodScheduled": "True",
        "PodReadyToStartContainers": "True",
        "Initialized": "True",
        "ContainersReady": "True",
        "Ready": "True",
    }
    assert [(own.name, own.ready) for own in found.status.container_statuses] == [("main", True)]
    assert [event["t_us"] for event in cluster.events("PodStarted")] == [1_006_000]


def test_annotations_say_when() -> None:
    cluster = Cluster(NODE, pod(start_delay="5s", ready_delay="10s")).until(4.9)
    assert phase(cluster) == "Pending"
    cluster.until(5.1)
    assert phase(cluster) == "Running"
    assert condition(cluster.get("Pod", "a"), "Ready") == (
        "False",
        "ContainersNotReady",
        "containers with unready status: [main]",
    )
    assert is_ready(cluster.until(15.1).get("Pod", "a"))


def test_one_that_ends_well_has_succeeded_where_it_may_not_restart() -> None:
    cluster = Cluster(NODE, pod(run_time="10s", restart="Never")).until(12)
    assert phase(cluster) == "Succeeded"
    assert condition(cluster.get("Pod", "a"), "Ready")[:2] == ("False", "PodCompleted")
    assert [(event["t_us"], event["phase"]) for event in cluster.events("PodFinished")] == [
        (11_007_000, "Succeeded")
    ]


def test_one_that_fails_has_failed() -> None:
    assert phase(Cluster(NODE, pod(run_time="10s", exit_code="3", restart="Never")).until(12)) == "Failed"


def test_its_room_is_free_for_the_next() -> None:
    small = make_node("n1", cpu="1", pods="1")
    cluster = Cluster(small, pod("a", run_time="10s", restart="Never"), pod("b"))
    assert cluster.until(5).placed() == {"a": "n1", "b": ""}
    assert cluster.until(20).placed() == {"a": "n1", "b": "n1"}


def test_containers_restart_after_a_growing_while() -> None:
    cluster = Cluster(NODE, pod(run_time="10s")).until(200)
    starts = [event["t_us"] // 1_000_000 for event in cluster.events("PodStarted")]
    assert starts == [1, 21, 51, 101, 191]
    assert cluster.get("Pod", "a").status.container_statuses[0].restart_count == 4


def test_on_failure_only_failures_restart() -> None:
    cluster = Cluster(NODE, pod(run_time="10s", exit_code="1,0", restart="OnFailure")).until(60)
    assert phase(cluster) == "Succeeded"
    assert len(cluster.events("PodStarted")) == 2


def test_a_deadline_fails_the_pod() -> None:
    cluster = Cluster(NODE, pod(activeDeadlineSeconds=30)).until(31)
    status = cluster.get("Pod", "a").status
    assert (status.phase, status.reason, status.message) == (
        "Failed",
        "DeadlineExceeded",
        "Pod was active on the node longer than the specified deadline",
    )


def test_a_deleted_pod_has_its_grace_period() -> None:
    cluster = Cluster(NODE, pod(terminationGracePeriodSeconds=60)).until(5)
    cluster.delete("Pod", "a")
    assert str(cluster.get("Pod", "a").metadata.deletion_timestamp) == "2026-01-01T00:01:05Z"
    assert phase(cluster.until(64)) == "Running"
    assert phase(cluster.until(66)) == ""
    assert [event["type"] for event in cluster.events("PodTerminating", "PodFinished", "PodDeleted")] == [
        "PodTerminating",
        "PodFinished",
        "PodDeleted",
    ]


def test_one_that_stops_at_once_does_not_use_it_up() -> None:
    cluster = Cluster(NODE, pod(terminationGracePeriodSeconds=60, stop_time="2s")).until(5)
    cluster.delete("Pod", "a")
    assert phase(cluster.until(6.9)) == "Running"
    assert phase(cluster.until(7.1)) == ""


def test_a_shorter_grace_period_counts_from_then_on() -> None:
    cluster = Cluster(NODE, pod(terminationGracePeriodSeconds=600)).until(5)
    cluster.delete("Pod", "a")
    cluster.until(10)
    cluster.delete("Pod", "a", grace_seconds=5)
    assert phase(cluster.until(14)) == "Running"
    assert phase(cluster.until(16)) == ""


def test_a_pod_that_runs_in_the_dump_goes_on() -> None:
    cluster = Cluster(NODE, make_pod("a", node="n1")).until(500)
    assert (phase(cluster), is_ready(cluster.get("Pod", "a"))) == ("Running", True)
    assert cluster.events("PodStarted", "PodFinished") == []


def test_pods_that_ran_before_anybody_asked_are_ready_when_somebody_does() -> None:
    cluster = Cluster(NODE, make_pod("a"), wakes_kubelet=False).until(5)
    raw = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"}}
    cluster.add(make({**raw, "spec": {"minAvailable": 1, "selector": {}}}))
    cluster.until(6)
    assert is_ready(cluster.get("Pod", "a"))
    assert cluster.get("PodDisruptionBudget", "b").status.current_healthy == 1


def test_an_annotation_that_comes_later_is_heard() -> None:
    cluster = Cluster(NODE, make_pod("a", restartPolicy="Never"), wakes_kubelet=False).until(5)
    cluster.patch("Pod", "a", {"metadata": {"annotations": {"scheduler-playground/run-time": "10s"}}})
    assert phase(cluster.until(16)) == "Succeeded"


def test_unless_it_is_told_otherwise() -> None:
    cluster = Cluster(NODE, make_pod("a", node="n1", restartPolicy="Never")).until(100)
    notes = {"scheduler-playground/run-time": "50s"}
    cluster.patch("Pod", "a", {"metadata": {"annotations": notes}})
    assert phase(cluster.until(149)) == "Running"
    assert phase(cluster.until(151)) == "Succeeded"


def test_one_that_is_ending_in_the_dump_has_the_rest_of_its_time() -> None:
    raw = pod(node="n1", terminationGracePeriodSeconds=20)
    plain = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "a",
            "deletionTimestamp": "2026-01-01T00:00:20Z",
            "deletionGracePeriodSeconds": 20,
        },
        "spec": {"nodeName": "n1", "containers": [{"name": "main"}]},
        "status": {"phase": "Running"},
    }
    cluster = Cluster(NODE, make(plain)).until(19)
    assert names(cluster.pods()) == [raw.metadata.name]
    assert names(cluster.until(21).pods()) == []


@pytest.mark.parametrize(
    ("note", "message"),
    [
        (
            {"run_time": "soon"},
            (
                'annotation scheduler-playground/run-time: "soon" is no duration; expected such as 30s, 1m30s, '
                "uniform(10s, 1m), exponential(30s), normal(1m, 10s) or never"
            ),
        ),
        (
            {"exit_code": "many"},
            'annotation scheduler-playground/exit-code: "many" is no exit code; expected such as 1 or 1,1,0',
        ),
    ],
)
def test_an_annotation_that_says_nothing_is_told_and_the_pod_does_not_start(
    note: dict[str, str], message: str
) -> None:
    cluster = Cluster(NODE, pod(**note)).until(60)
    status = cluster.get("Pod", "a").status
    assert (status.phase, status.reason, status.message) == ("Pending", "CreateContainerConfigError", message)
    told = [(event["object"], event["message"]) for event in cluster.events("EventRecorded")]
    assert told == [("Pod/default/a", message)]


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("0", 0),
        ("300ms", 300_000),
        ("1.5h", 5_400_000_000),
        ("2h45m", 9_900_000_000),
        ("1m30.5s", 90_500_000),
    ],
)
def test_durations_as_go_writes_them(text: str, micros: int) -> None:
    assert parse_duration(text) == micros


@pytest.mark.parametrize(
    "text", ["", "5", "s", "1x", "5 s", "-3s", "1e9s", "uniform(1s)", "normal(1s)", "1000000h"]
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(DurationError):
        draw_duration(text, SplitMix64(0))


def test_distributions_have_the_mean_that_they_say() -> None:
    for text, mean in (
        ("uniform(10s, 30s)", 20e6),
        ("exponential(20s)", 20e6),
        ("normal(20s, 2s)", 20e6),
    ):
        random = SplitMix64(7)
        drawn = [draw_duration(text, random) or 0 for _ in range(4000)]
        assert abs(sum(drawn) / len(drawn) - mean) < 0.05 * mean
        assert min(drawn) >= 0
    assert draw_duration("never", SplitMix64(0)) is None
