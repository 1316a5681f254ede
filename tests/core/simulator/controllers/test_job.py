"""Jobs: how many pods at a time, what a failure means, when they are over and what is said then."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.batch import Job
from scheduler_core.simulator.controllers.job.indexes import first_pending, format_indexes, parse_indexes
from tests.core.simulator.controllers.cluster import Cluster, condition, template, workload
from tests.make import make_node

NODES = tuple(make_node(f"n{number}", cpu="8") for number in (1, 2))


def job(
    *, run: str = "10s", exit_code: str = "0", restart: str = "Never", pod: Any = None, **spec: Any
) -> Job:
    """A job whose pods run for a time and end with a code."""
    annotations = {"scheduler-playground/run-time": run, "scheduler-playground/exit-code": exit_code}
    made = workload(
        "Job",
        "load",
        group="batch/v1",
        template=template({"app": "load"}, annotations=annotations, restartPolicy=restart, **(pod or {})),
        **spec,
    )
    assert isinstance(made, Job)
    return made


def status(cluster: Cluster) -> tuple[int, int, int]:
    found = cluster.get("Job", "load").status
    return found.active, found.succeeded, found.failed


def true_conditions(cluster: Cluster) -> list[tuple[str, str, str]]:
    return [
        (own.type, own.reason, own.message)
        for own in cluster.get("Job", "load").status.conditions
        if own.status == "True"
    ]


def test_as_many_at_a_time_until_enough_have_ended() -> None:
    cluster = Cluster(*NODES, job(parallelism=2, completions=5)).until(5)
    assert status(cluster) == (2, 0, 0)
    assert status(cluster.until(15)) == (2, 2, 0)
    cluster.until(40)
    assert status(cluster) == (0, 5, 0)
    assert true_conditions(cluster) == [
        ("SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods"),
        ("Complete", "CompletionsReached", "Reached expected number of succeeded pods"),
    ]
    found = cluster.get("Job", "load").status
    assert found.completion_time - found.start_time == 33_000_000
    pods = cluster.pods()
    assert [pod.metadata.finalizers for pod in pods] == [()] * 5
    assert all(pod.metadata.name.startswith("load-") for pod in pods)
    assert pods[0].metadata.labels["batch.kubernetes.io/job-name"] == "load"


def test_without_an_end_the_pods_run_on() -> None:
    cluster = Cluster(*NODES, job(run="never", parallelism=2, completions=5)).until(500)
    assert status(cluster) == (2, 0, 0)


def test_failed_pods_are_made_again_after_a_growing_while_until_the_limit() -> None:
    cluster = Cluster(*NODES, job(exit_code="1", backoffLimit=2)).until(5)
    cluster.until(120)
    created = [event["t_us"] // 1_000_000 for event in cluster.events("PodCreated")]
    assert created == [0, 21, 52]
    assert status(cluster) == (0, 0, 3)
    assert true_conditions(cluster) == [
        ("FailureTarget", "BackoffLimitExceeded", "Job has reached the specified backoff limit"),
        ("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit"),
    ]


def test_restarts_in_a_pod_count_too() -> None:
    cluster = Cluster(*NODES, job(exit_code="1", restart="OnFailure", backoffLimit=2)).until(200)
    assert len(cluster.events("PodCreated")) == 1
    assert true_conditions(cluster)[-1][:2] == ("Failed", "BackoffLimitExceeded")


def test_a_pod_may_end_well_at_its_second_run() -> None:
    cluster = Cluster(*NODES, job(exit_code="1,0", restart="OnFailure")).until(100)
    assert status(cluster) == (0, 1, 0)
    assert cluster.pods()[0].status.container_statuses[0].restart_count == 1


def test_a_deadline_ends_the_job_and_its_pods() -> None:
    cluster = Cluster(*NODES, job(run="never", parallelism=2, activeDeadlineSeconds=30)).until(29)
    assert status(cluster) == (2, 0, 0)
    cluster.until(31)
    assert true_conditions(cluster) == [
        ("FailureTarget", "DeadlineExceeded", "Job was active longer than specified deadline")
    ]
    cluster.until(70)
    assert true_conditions(cluster)[-1][:2] == ("Failed", "DeadlineExceeded")
    assert cluster.pods() == []


def test_a_suspended_job_has_no_pods_and_loses_none() -> None:
    cluster = Cluster(*NODES, job(run="never", parallelism=2, completions=2, suspend=True)).until(10)
    assert cluster.pods() == []
    assert condition(cluster.get("Job", "load"), "Suspended") == ("True", "JobSuspended", "Job suspended")
    assert cluster.get("Job", "load").status.start_time is None
    cluster.patch("Job", "load", {"spec": {"suspend": False}})
    cluster.until(15)
    assert status(cluster) == (2, 0, 0)
    assert condition(cluster.get("Job", "load"), "Suspended") == ("False", "JobResumed", "Job resumed")
    cluster.patch("Job", "load", {"spec": {"suspend": True}})
    cluster.until(60)
    assert status(cluster) == (0, 0, 0)
    assert cluster.pods() == []


def test_fewer_at_a_time_is_no_failure() -> None:
    cluster = Cluster(*NODES, job(run="never", parallelism=4, completions=8)).until(5)
    cluster.patch("Job", "load", {"spec": {"parallelism": 1}})
    cluster.until(60)
    assert status(cluster) == (1, 0, 0)


def test_indexes_are_given_out_and_told() -> None:
    cluster = Cluster(*NODES, job(parallelism=3, completions=4, completionMode="Indexed")).until(5)
    pods = cluster.pods()
    assert [pod.metadata.name[:7] for pod in pods] == ["load-0-", "load-1-", "load-2-"]
    index = "batch.kubernetes.io/job-completion-index"
    assert [pod.metadata.annotations[index] for pod in pods] == ["0", "1", "2"]
    assert [pod.metadata.labels[index] for pod in pods] == ["0", "1", "2"]
    cluster.until(15)
    assert cluster.get("Job", "load").status.completed_indexes == "0-2"
    cluster.until(40)
    assert cluster.get("Job", "load").status.completed_indexes == "0-3"


def test_a_limit_per_index_lets_the_others_go_on() -> None:
    made = job(exit_code="1", parallelism=2, completions=2, completionMode="Indexed", backoffLimitPerIndex=1)
    cluster = Cluster(*NODES, made).until(200)
    found = cluster.get("Job", "load").status
    assert (found.failed, found.failed_indexes) == (4, "0,1")
    assert true_conditions(cluster)[-1] == ("Failed", "FailedIndexes", "Job has failed indexes")


def test_a_rule_may_fail_the_job_at_once() -> None:
    rules = [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}]
    cluster = Cluster(*NODES, job(exit_code="42", podFailurePolicy={"rules": rules})).until(60)
    pod = cluster.pods()[0].key
    assert true_conditions(cluster)[-1] == (
        "Failed",
        "PodFailurePolicy",
        f"Container main for pod {pod} failed with exit code 42 matching FailJob rule at index 0",
    )
    assert status(cluster) == (0, 0, 1)


def test_a_rule_may_ignore_a_failure() -> None:
    rules = [{"action": "Ignore", "onExitCodes": {"operator": "NotIn", "values": [42]}}]
    made = job(exit_code="1", backoffLimit=0, podFailurePolicy={"rules": rules})
    cluster = Cluster(*NODES, made).until(30)
    assert status(cluster)[2] == 0
    assert len(cluster.events("PodCreated")) >= 2


def test_some_indexes_may_be_enough() -> None:
    policy = {"rules": [{"succeededIndexes": "0", "succeededCount": 1}]}
    made = job(parallelism=1, completions=3, completionMode="Indexed", successPolicy=policy)
    cluster = Cluster(*NODES, made).until(60)
    assert true_conditions(cluster)[-1] == ("Complete", "SuccessPolicy", "Matched rules at index 0")
    assert cluster.get("Job", "load").status.succeeded == 1


def test_a_finished_job_goes_after_its_time_to_live() -> None:
    cluster = Cluster(*NODES, job(ttlSecondsAfterFinished=60)).until(70)
    assert cluster.get("Job", "load") is not None
    assert cluster.until(80).get("Job", "load") is None


def test_a_pod_that_is_deleted_counts_as_failed() -> None:
    cluster = Cluster(*NODES, job(run="never", backoffLimit=6)).until(5)
    cluster.delete("Pod", cluster.pods()[0].metadata.name)
    cluster.until(6)
    assert status(cluster)[2] == 1
    assert len(cluster.until(60).pods()) == 1


def test_pods_without_room_wait() -> None:
    cluster = Cluster(make_node("n1", cpu="1"), job(run="never", parallelism=2, completions=5)).until(5)
    assert sorted(pod.spec.node_name for pod in cluster.pods()) == ["", "n1"]
    assert status(cluster) == (2, 0, 0)


def test_a_job_of_a_dump_goes_on_where_it_was() -> None:
    before = Cluster(*NODES, job(parallelism=2, completions=5)).until(15)
    dump = [found for kind in ("Node", "Job", "Pod") for found in before.api.list(kind)]
    running = [pod.metadata.name for pod in before.pods() if pod.status.phase == "Running"]
    after = Cluster(*dump).until(3)
    assert status(after) == (2, 2, 0)
    assert [pod.metadata.name for pod in after.pods() if pod.status.phase == "Running"] == running
    assert after.events("PodCreated") == []
    assert status(after.until(40)) == (0, 5, 0)


@pytest.mark.parametrize(
    ("indexes", "text"),
    [(set(), ""), ({1}, "1"), ({0, 1}, "0,1"), ({0, 1, 2, 5, 7, 8}, "0-2,5,7,8"), ({3, 4, 5, 6}, "3-6")],
)
def test_indexes_as_text(indexes: set[int], text: str) -> None:
    assert format_indexes(indexes) == text
    assert parse_indexes(text, 100) == indexes


def test_indexes_beyond_the_number_do_not_count() -> None:
    assert parse_indexes("0-9,12", 4) == {0, 1, 2, 3}
    assert first_pending(6, 2, {0, 2}) == [1, 3]
