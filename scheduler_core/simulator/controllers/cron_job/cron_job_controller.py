"""Cron jobs: at each due time a job, unless one before it is in the way.

What was due before the run began was the real cluster's matter and is not made up for.

Source: pkg/controller/cronjob/{cronjob_controllerv2,utils}.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.batch import FORBID, REPLACE, CronJob, Job
from scheduler_core.api.meta import ObjectMeta, ObjectReference, Time
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase, key_of, owner_key
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref
from scheduler_core.simulator.controllers.cron_job.schedule import Schedule, ScheduleError, parse_schedule
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.job.outcome import COMPLETE, is_over
from scheduler_core.simulator.controllers.pod_util import has_condition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

SCHEDULED_AT: Final = "batch.kubernetes.io/cronjob-scheduled-timestamp"
DELTA_US: Final = 100_000
"""How much after the due time a job is made, so that it is certainly due."""
TOO_MANY: Final = 100
UTC_NAMES: Final = frozenset(
    {None, "", "UTC", "Etc/UTC", "Etc/Universal", "Etc/Zulu", "Universal", "Zulu", "GMT", "Etc/GMT"}
)


class CronJobController(ControllerBase):
    """Makes jobs, follows them, and deletes old ones."""

    name = "cronjob-controller"
    kind = "CronJob"
    kinds = frozenset({"CronJob", "Job"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._events = EventRecorder(cluster, self.name)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the cron job of the change looked at."""
        if kind == self.kind:
            super().on_event(kind, old, new)
            return
        for key in (owner_key(old, self.kind), owner_key(new, self.kind)):
            if key is not None:
                self._queue.enqueue(key)

    def sync(self, key: str) -> None:
        """Brings the list of running jobs up to date, deletes old jobs, and makes the one that is due."""
        cron_job: CronJob | None = self._find(key)
        if cron_job is None:
            return
        jobs: list[Job] = list(self._api.owned_by(cron_job.metadata.uid, "Job"))
        self._clean_up(cron_job, jobs)
        cron_job = self._followed(cron_job, jobs)
        if cron_job.metadata.deletion_timestamp is not None or cron_job.spec.suspend:
            return
        schedule = self._schedule(cron_job)
        if schedule is None:
            return
        due = self._due(cron_job, schedule)
        if due is not None:
            self._run(cron_job, due)
        upcoming = schedule.next_after(self._wall_us())
        if upcoming is not None:
            self._queue.enqueue_after(key, upcoming - self._wall_us() + DELTA_US)

    # When.

    def _schedule(self, cron_job: CronJob) -> Schedule | None:
        text, zone = cron_job.spec.schedule, cron_job.spec.time_zone
        if zone not in UTC_NAMES:
            message = f"invalid timeZone: {zone}: only UTC is known here"
            self._events.warn(cron_job, "UnknownTimeZone", message)
            return None
        try:
            schedule = parse_schedule(text)
        except ScheduleError as error:
            self._events.warn(cron_job, "UnparseableSchedule", f"unparseable schedule: {text} : {error}")
            return None
        if schedule.next_after(self._wall_us()) is None:
            message = (
                f"invalid schedule: {text} : time difference between two schedules is less than 1 second; "
                "no day in the next 5 years is meant by it"
            )
            self._events.warn(cron_job, "InvalidSchedule", message)
            return None
        return schedule

    def _due(self, cron_job: CronJob, schedule: Schedule) -> int | None:
        """The last time that is due and not yet done."""
        wall_us = self._wall_us()
        made = cron_job.metadata.creation_timestamp or 0
        last = cron_job.status.last_schedule_time or 0
        begin = wall_us - self._cluster.clock.now_us
        earliest = max(begin, *(moment for moment in (made, last) if moment <= wall_us))
        deadline = cron_job.spec.starting_deadline_seconds
        if deadline is not None:
            earliest = max(earliest, wall_us - deadline * MICROSECONDS)
        return self._last_due(cron_job, schedule, earliest, wall_us)

    def _last_due(self, cron_job: CronJob, schedule: Schedule, earliest: int, wall_us: int) -> int | None:
        """Source: pkg/controller/cronjob/utils.go, mostRecentScheduleTime, v1.34.1."""
        first = schedule.next_after(earliest)
        if first is None or first > wall_us:
            return None
        second = schedule.next_after(first)
        if second is None or second > wall_us:
            return first
        period = max(second - first, MICROSECONDS)
        num_missed = (wall_us - first) // period + 1
        if num_missed > TOO_MANY:
            message = (
                f"too many missed start times: {num_missed}. Set or decrease .spec.startingDeadlineSeconds "
                "or check clock skew"
            )
            self._events.warn(cron_job, "TooManyMissedTimes", message)
        due = schedule.next_after(first + (num_missed - 2) * period) or first
        while (following := schedule.next_after(due)) is not None and following <= wall_us:
            due = following
        return due if due <= wall_us else first

    # Jobs.

    def _run(self, cron_job: CronJob, due: int) -> None:
        deadline = cron_job.spec.starting_deadline_seconds
        last = cron_job.status.last_schedule_time
        if last is not None and due <= last <= self._wall_us():
            return
        if deadline is not None and due + deadline * MICROSECONDS < self._wall_us():
            self._events.warn(cron_job, "MissSchedule", f"Missed scheduled time to start a job: {Time(due)}")
            return
        active = cron_job.status.active
        if active and cron_job.spec.concurrency_policy == FORBID:
            message = (
                f"Not starting job because prior execution is running and concurrency policy is {FORBID}"
            )
            self._events.tell(cron_job, "JobAlreadyActive", message)
            return
        if active and cron_job.spec.concurrency_policy == REPLACE:
            for reference in active:
                self._delete(reference.namespace, reference.name)
            active = ()
        job = _job(cron_job, due)
        if self._api.get("Job", job.metadata.namespace, job.metadata.name) is not None:
            return
        made = self._api.create(job, by=self.name)
        self._events.tell(cron_job, "SuccessfulCreate", f"Created job {job.metadata.name}")
        current = self._find(key_of(cron_job))
        if current is not None:
            status = replace(current.status, active=(*active, _reference(made)), last_schedule_time=Time(due))
            self._api.update_status(replace(current, status=status), by=self.name)

    def _followed(self, cron_job: CronJob, jobs: Sequence[Job]) -> CronJob:
        """The cron job with the jobs that still run."""
        status = cron_job.status
        by_uid = {job.metadata.uid: job for job in jobs}
        active = tuple(own for own in status.active if own.uid in by_uid and not is_over(by_uid[own.uid]))
        known = {own.uid for own in status.active}
        ended = [
            job.status.completion_time for job in jobs if job.metadata.uid in known and _is_complete(job)
        ]
        latest = max((at for at in ended if at is not None), default=None)
        if latest is not None and latest > (status.last_successful_time or 0):
            status = replace(status, last_successful_time=latest)
        status = replace(status, active=active)
        if status == cron_job.status:
            return cron_job
        written: CronJob = self._api.update_status(replace(cron_job, status=status), by=self.name)
        return written

    def _clean_up(self, cron_job: CronJob, jobs: Sequence[Job]) -> None:
        spec = cron_job.spec
        finished = [job for job in jobs if is_over(job) and job.metadata.deletion_timestamp is None]
        succeeded = [job for job in finished if _is_complete(job)]
        failed = [job for job in finished if not _is_complete(job)]
        for group, limit in (
            (succeeded, spec.successful_jobs_history_limit),
            (failed, spec.failed_jobs_history_limit),
        ):
            if limit is not None and len(group) > limit:
                oldest_first = sorted(group, key=lambda job: (job.status.start_time or 0, job.metadata.name))
                for job in oldest_first[: len(group) - limit]:
                    self._delete(job.metadata.namespace, job.metadata.name)

    def _delete(self, namespace: str, name: str) -> None:
        if self._api.get("Job", namespace, name) is not None:
            self._api.delete("Job", namespace, name, by=self.name, propagation="Background")


def _job(cron_job: CronJob, due: int) -> Job:
    """The job for a due time; its name ends with the minutes since 1970."""
    template = cron_job.spec.job_template
    annotations = {**template.metadata.annotations, SCHEDULED_AT: str(Time(due))}
    return Job(
        metadata=ObjectMeta(
            namespace=cron_job.metadata.namespace,
            name=f"{cron_job.metadata.name}-{due // (60 * MICROSECONDS)}",
            labels=template.metadata.labels,
            annotations=annotations,
            owner_references=(controller_ref(cron_job),),
        ),
        spec=template.spec,
    )


def _reference(job: Job) -> ObjectReference:
    metadata = job.metadata
    return ObjectReference(
        api_version="batch/v1",
        kind="Job",
        namespace=metadata.namespace,
        name=metadata.name,
        uid=metadata.uid,
        resource_version=metadata.resource_version,
    )


def _is_complete(job: Job) -> bool:
    return has_condition(job.status.conditions, COMPLETE)
