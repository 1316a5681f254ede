"""Cron jobs: cron's language, and which jobs are made when."""

from __future__ import annotations

import pytest

from scheduler_core.api.batch import CronJob
from scheduler_core.api.meta import Time, parse_time
from scheduler_core.simulator.controllers.cron_job.schedule import ScheduleError, parse_schedule
from tests.core.simulator.controllers.cluster import Cluster, names, template, workload
from tests.make import make_node

NODE = make_node("n1", cpu="8")
MINUTE = 60


def cron_job(schedule: str, *, run: str = "10s", **spec: object) -> CronJob:
    """A cron job whose pods run for a time; the run begins on 2026-01-01T00:00:00Z."""
    pod = template(annotations={"scheduler-playground/run-time": run}, restartPolicy="Never")
    job = {"spec": {"template": pod}}
    made = workload(
        "CronJob", "tick", group="batch/v1", schedule=schedule, jobTemplate=job, template={}, **spec
    )
    assert isinstance(made, CronJob)
    return made


def job_minutes(cluster: Cluster) -> list[int]:
    """When each job that is there was due, in minutes from the beginning."""
    first = parse_time("2026-01-01T00:00:00Z") // 60_000_000
    return [int(name.removeprefix("tick-")) - first for name in names(cluster.api.list("Job"))]


def warnings(cluster: Cluster) -> list[tuple[str, str]]:
    return [
        (event["reason"], event["message"])
        for event in cluster.events("EventRecorded")
        if event.get("warning")
    ]


@pytest.mark.parametrize(
    ("text", "after", "due"),
    [
        ("0 3 * * *", "2026-01-01T00:00:00Z", "2026-01-01T03:00:00Z"),
        ("0 3 * * *", "2026-01-01T03:00:00Z", "2026-01-02T03:00:00Z"),
        ("*/15 * * * *", "2026-01-01T00:14:59Z", "2026-01-01T00:15:00Z"),
        ("5-59/20 8-10 * * *", "2026-01-01T08:25:00Z", "2026-01-01T08:45:00Z"),
        ("10/25 * * * *", "2026-01-01T00:11:00Z", "2026-01-01T00:35:00Z"),
        ("0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"),
        ("0 12 * * mon-fri", "2026-01-02T13:00:00Z", "2026-01-05T12:00:00Z"),
        ("0 12 1 JAN,jul ?", "2026-01-01T12:00:00Z", "2026-07-01T12:00:00Z"),
        ("0 0 13 * 5", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
        ("0 0 13 * *", "2026-01-01T00:00:00Z", "2026-01-13T00:00:00Z"),
        ("0 0 */2 * 1", "2026-01-01T00:00:00Z", "2026-01-05T00:00:00Z"),
        ("59 23 31 12 *", "2026-12-31T23:59:00Z", "2027-12-31T23:59:00Z"),
        ("@hourly", "2026-01-01T00:00:01Z", "2026-01-01T01:00:00Z"),
        ("@weekly", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00Z"),
        ("@yearly", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
        ("@every 90s", "2026-01-01T00:00:00Z", "2026-01-01T00:01:30Z"),
    ],
)
def test_when_a_schedule_is_due_next(text: str, after: str, due: str) -> None:
    found = parse_schedule(text).next_after(parse_time(after))
    assert found is not None
    assert str(Time(found)) == due


@pytest.mark.parametrize("text", ["0 0 31 2 *", "0 0 30 feb ?", "0 0 31 4,6,9,11 *"])
def test_a_day_that_never_comes_is_searched_for_five_years_and_no_longer(text: str) -> None:
    assert parse_schedule(text).next_after(parse_time("2026-01-01T00:00:00Z")) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty spec string"),
        ("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
        ("0 0 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("60 * * * *", "end of range (60) above maximum (59): 60"),
        ("* * * * 7", "end of range (7) above maximum (6): 7"),
        ("5-2 * * * *", "beginning of range (5) beyond end of range (2): 5-2"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
        ("x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'),
        ("@sometimes", "unrecognized descriptor: @sometimes"),
        ("@every soon", 'failed to parse duration @every soon: time: invalid duration "soon"'),
    ],
)
def test_what_is_no_schedule_is_refused_in_cron_s_words(text: str, message: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        parse_schedule(text)
    assert str(caught.value) == message


def test_a_job_is_made_at_each_due_time() -> None:
    cluster = Cluster(NODE, cron_job("*/5 * * * *")).until(4 * MINUTE)
    assert job_minutes(cluster) == []
    cluster.until(11 * MINUTE)
    assert job_minutes(cluster) == [5, 10]
    (job, _) = cluster.api.list("Job")
    assert (
        job.metadata.annotations["batch.kubernetes.io/cronjob-scheduled-timestamp"] == "2026-01-01T00:05:00Z"
    )
    assert job.metadata.owner_references[0].name == "tick"
    made = [event["t_us"] for event in cluster.events("ObjectChanged") if event["object"].startswith("Job/")]
    assert made[0] == 300_101_000
    status = cluster.get("CronJob", "tick").status
    assert str(status.last_schedule_time) == "2026-01-01T00:10:00Z"
    assert str(status.last_successful_time) == "2026-01-01T00:10:11Z"


def test_three_that_succeeded_are_kept() -> None:
    cluster = Cluster(NODE, cron_job("* * * * *")).until(7 * MINUTE)
    assert job_minutes(cluster) == [4, 5, 6]
    assert len(cluster.pods()) == 3


def test_jobs_may_overlap_unless_that_is_forbidden() -> None:
    cluster = Cluster(NODE, cron_job("* * * * *", run="150s")).until(4.5 * MINUTE)
    assert job_minutes(cluster) == [1, 2, 3, 4]
    forbidden = Cluster(NODE, cron_job("* * * * *", run="150s", concurrencyPolicy="Forbid"))
    forbidden.until(3.5 * MINUTE)
    assert job_minutes(forbidden) == [1]
    told = [event["message"] for event in forbidden.events("EventRecorded")]
    assert "Not starting job because prior execution is running and concurrency policy is Forbid" in told
    forbidden.until(3.6 * MINUTE)
    assert job_minutes(forbidden) == [1, 3]


def test_a_job_may_take_the_place_of_the_one_before() -> None:
    cluster = Cluster(NODE, cron_job("* * * * *", run="150s", concurrencyPolicy="Replace"))
    cluster.until(3.9 * MINUTE)
    assert job_minutes(cluster) == [3]


def test_what_was_missed_for_too_long_is_not_made_up_for() -> None:
    made = cron_job("*/10 * * * *", suspend=True, startingDeadlineSeconds=60)
    cluster = Cluster(NODE, made).until(15 * MINUTE)
    cluster.patch("CronJob", "tick", {"spec": {"suspend": False}})
    cluster.until(16 * MINUTE)
    assert job_minutes(cluster) == []
    cluster.until(21 * MINUTE)
    assert job_minutes(cluster) == [20]


def test_what_was_missed_without_a_deadline_is_made_up_for_once() -> None:
    cluster = Cluster(NODE, cron_job("*/10 * * * *", suspend=True)).until(35 * MINUTE)
    cluster.patch("CronJob", "tick", {"spec": {"suspend": False}})
    cluster.until(36 * MINUTE)
    assert job_minutes(cluster) == [30]


def test_one_that_is_never_due_says_so_and_the_run_ends() -> None:
    cluster = Cluster(NODE, cron_job("0 0 31 2 *"))
    result = cluster.simulator.run()
    assert result.num_cycles == 0
    assert cluster.simulator.clock.now_us < 1_000_000
    assert warnings(cluster) == [
        (
            "InvalidSchedule",
            (
                "invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second; "
                "no day in the next 5 years is meant by it"
            ),
        )
    ]


def test_other_faults_are_told_too() -> None:
    assert warnings(Cluster(NODE, cron_job("now")).until(1)) == [
        ("UnparseableSchedule", "unparseable schedule: now : expected exactly 5 fields, found 1: [now]")
    ]
    assert warnings(Cluster(NODE, cron_job("@daily", timeZone="Europe/Berlin")).until(1)) == [
        ("UnknownTimeZone", "invalid timeZone: Europe/Berlin: only UTC is known here")
    ]


def test_the_past_of_a_dump_is_not_made_up_for() -> None:
    before = Cluster(NODE, cron_job("* * * * *")).until(3.5 * MINUTE)
    dump = [found for kind in ("Node", "CronJob", "Job") for found in before.api.list(kind)]
    after = Cluster(*dump).until(0.5 * MINUTE)
    assert after.events("ObjectChanged", "PodCreated") == []
