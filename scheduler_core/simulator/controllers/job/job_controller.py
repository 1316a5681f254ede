"""Jobs: as many pods at a time as wanted, again those that fail, until enough have ended well.

Source: pkg/controller/job/{job_controller,backoff_utils}.go, v1.34.1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.batch import INDEXED
from scheduler_core.api.meta import Condition
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.controller_ref_manager import ControllerRefManager
from scheduler_core.simulator.controllers.deletion_order import deletion_order
from scheduler_core.simulator.controllers.job import outcome as outcomes
from scheduler_core.simulator.controllers.job.indexes import (
    INDEX,
    INDEX_FAILURES,
    first_pending,
    format_indexes,
    index_of,
)
from scheduler_core.simulator.controllers.job.tally import TRACKED, Tally, tally
from scheduler_core.simulator.controllers.pod_control import delete_pods, pod_from_template, slow_start
from scheduler_core.simulator.controllers.pod_util import FALSE, TRUE, now, with_condition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.batch import Job, JobStatus
    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue
    from scheduler_core.simulator.controllers.job.outcome import Outcome

FIRST_BACKOFF_US: Final = 10 * MICROSECONDS
LONGEST_BACKOFF_US: Final = 600 * MICROSECONDS
MAX_PODS_PER_SYNC: Final = 500
OWN_MANAGER: Final = "kubernetes.io/job-controller"


@dataclass
class _Backoff:
    """Failures since the last pod that ended well, and when the last one was."""

    failures: int = 0
    last_us: int = 0

    def left_us(self, now_us: int) -> int:
        """How long no new pod is made yet."""
        if not self.failures:
            return 0
        wait = min(FIRST_BACKOFF_US << min(self.failures - 1, 10), LONGEST_BACKOFF_US)
        return max(self.last_us + wait - now_us, 0)


class JobController(ControllerBase):
    """Runs jobs."""

    name = "job-controller"
    kind = "Job"
    kinds = frozenset({"Job", "Pod"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._refs = ControllerRefManager(self._api, self.kind, "Pod", lambda job: job.spec.selector)
        self._backoffs: dict[str, _Backoff] = {}
        self._index_backoffs: dict[str, dict[int, _Backoff]] = {}

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the job of the change looked at."""
        if kind == self.kind:
            self._refs.on_owner(old, new)
            super().on_event(kind, old, new)
            if new is None and old is not None:
                self._queue.enqueue(key_of(old))
        else:
            for key in self._refs.on_owned(old, new):
                self._queue.enqueue(key)

    def sync(self, key: str) -> None:
        """Counts what has ended, makes what is missing, and ends the job when it is over."""
        job: Job | None = self._find(key)
        if job is None:
            self._let_go(key)
            return
        if job.spec.managed_by not in (None, "", OWN_MANAGER):
            return
        pods: list[Pod] = self._refs.claim(job, by=self.name)
        self._queue.busy(key, len(pods))
        if outcomes.is_over(job):
            self._untrack(pods)
            return
        counts = tally(job, pods)
        self._note_failures(job, counts)
        status = self._counted(job, counts)
        left_us = self._left_us(job)
        end = outcomes.outcome(job, counts, pods, is_late=left_us is not None and left_us <= 0)
        if end is not None:
            delete_pods(self._api, counts.active, by=self.name)
            status = self._ended(status, end, num_left=len(counts.active) + counts.num_terminating)
        self._write(job, status)
        self._untrack(counts.counted)
        if left_us is not None and end is None:
            self._queue.enqueue_after(key, left_us)
        if end is None and job.metadata.deletion_timestamp is None:
            self._manage(key, job, counts)

    # What is counted and told.

    def _counted(self, job: Job, counts: Tally) -> JobStatus:
        spec, wall_us = job.spec, self._wall_us()
        status = replace(
            job.status,
            active=len(counts.active),
            ready=counts.num_ready,
            terminating=counts.num_terminating,
            succeeded=job.status.succeeded + counts.new_succeeded,
            failed=job.status.failed + counts.new_failed,
        )
        if spec.completion_mode == INDEXED:
            status = replace(status, completed_indexes=format_indexes(counts.completed))
            if spec.backoff_limit_per_index is not None:
                status = replace(status, failed_indexes=format_indexes(counts.failed))
        if spec.suspend:
            return self._suspended(status, TRUE, "JobSuspended", "Job suspended")
        if any(own.type == outcomes.SUSPENDED and own.status == TRUE for own in status.conditions):
            status = self._suspended(status, FALSE, "JobResumed", "Job resumed")
            return replace(status, start_time=now(wall_us))
        return status if status.start_time is not None else replace(status, start_time=now(wall_us))

    def _suspended(self, status: JobStatus, value: str, reason: str, message: str) -> JobStatus:
        told = self._condition(outcomes.SUSPENDED, reason, message, value)
        start = None if value == TRUE else status.start_time
        return replace(status, start_time=start, conditions=with_condition(status.conditions, told))

    def _ended(self, status: JobStatus, end: Outcome, *, num_left: int) -> JobStatus:
        """Says how the job ends; that it has ended only once its pods have."""
        conditions = with_condition(status.conditions, self._condition(*end))
        if num_left:
            return replace(status, conditions=conditions)
        if end.type == outcomes.FAILURE_TARGET:
            told = self._condition(outcomes.FAILED_CONDITION, end.reason, end.message)
            return replace(status, conditions=with_condition(conditions, told))
        told = self._condition(outcomes.COMPLETE, end.reason, end.message)
        return replace(
            status,
            conditions=with_condition(conditions, told),
            completion_time=now(self._wall_us()),
        )

    def _condition(self, type_: str, reason: str, message: str, status: str = TRUE) -> Condition:
        at = now(self._wall_us())
        return Condition(
            type=type_,
            status=status,
            reason=reason,
            message=message,
            last_probe_time=at,
            last_transition_time=at,
        )

    def _write(self, job: Job, status: JobStatus) -> None:
        current = self._find(key_of(job))
        if current is not None:
            self._api.update_status(replace(current, status=status), by=self.name)

    def _note_failures(self, job: Job, counts: Tally) -> None:
        uid, now_us = job.metadata.uid, self._cluster.clock.now_us
        backoff = self._backoffs.setdefault(uid, _Backoff())
        if counts.new_succeeded:
            backoff.failures = 0
        if counts.new_failed:
            backoff.failures += counts.new_failed
            backoff.last_us = now_us
        for index, failures in counts.index_failures.items():
            self._index_backoffs.setdefault(uid, {})[index] = _Backoff(failures, now_us)

    # Pods.

    def _manage(self, key: str, job: Job, counts: Tally) -> None:
        active = counts.active
        if job.spec.suspend:
            self._delete_uncounted(active)
            return
        wanted = _num_wanted(job, counts)
        surplus = len(active) - wanted
        if surplus > 0:
            ranked = deletion_order(active, (), self._wall_us())
            self._delete_uncounted(ranked[:surplus])
            return
        missing = -surplus
        if job.spec.pod_replacement_policy == "Failed":
            missing -= counts.num_terminating
        if missing <= 0:
            return
        left_us = self._backoffs[job.metadata.uid].left_us(self._cluster.clock.now_us)
        if left_us and job.spec.backoff_limit_per_index is None:
            self._queue.enqueue_after(key, left_us)
        else:
            self._create(key, job, counts, min(missing, MAX_PODS_PER_SYNC))

    def _left_us(self, job: Job) -> int | None:
        """How long the job may still be active; None for one that is not, or may be for ever."""
        seconds = job.spec.active_deadline_seconds
        if seconds is None or job.status.start_time is None or job.spec.suspend:
            return None
        return self._in_run(job.status.start_time) + seconds * MICROSECONDS - self._wall_us()

    def _create(self, key: str, job: Job, counts: Tally, count: int) -> None:
        if job.spec.completion_mode != INDEXED:
            pod = _tracked(pod_from_template(job.spec.template, job))
            slow_start(count, lambda: self._api.create(pod, by=self.name))
            return
        busy = {index_of(pod) for pod in counts.active}
        taken = counts.completed | counts.failed | {index for index in busy if index is not None}
        failures = self._index_backoffs.get(job.metadata.uid, {})
        if job.spec.backoff_limit_per_index is not None:
            now_us = self._cluster.clock.now_us
            waits = {index: left for index, own in failures.items() if (left := own.left_us(now_us))}
            if waits:
                self._queue.enqueue_after(key, min(waits.values()))
            taken |= waits.keys()
        indexes = first_pending(job.spec.completions or 0, count, taken)
        remaining = iter(indexes)

        def create() -> None:
            index = next(remaining)
            known = failures[index].failures if index in failures else 0
            self._api.create(_indexed_pod(job, index, known), by=self.name)

        slow_start(len(indexes), create)

    def _delete_uncounted(self, pods: Sequence[Pod]) -> None:
        """Deletes pods that are no failure of the job's: they lose the finalizer first."""
        self._untrack(pods)
        delete_pods(self._api, pods, by=self.name)

    def _untrack(self, pods: Iterable[Pod]) -> None:
        for pod in pods:
            current = self._find(pod.key, "Pod")
            if current is None or TRACKED not in current.metadata.finalizers:
                continue
            left = tuple(own for own in current.metadata.finalizers if own != TRACKED)
            metadata = replace(current.metadata, finalizers=left)
            self._api.update(replace(current, metadata=metadata), by=self.name)

    def _let_go(self, key: str) -> None:
        """The job is gone: its pods need not wait to be counted."""
        namespace, _, name = key.partition("/")
        self._untrack(
            pod
            for pod in tuple(self._api.list("Pod", namespace))
            if TRACKED in pod.metadata.finalizers
            and (owner := pod.metadata.controller()) is not None
            and (owner.kind, owner.name) == (self.kind, name)
        )


def _num_wanted(job: Job, counts: Tally) -> int:
    """How many pods are to run now."""
    parallelism = job.spec.parallelism if job.spec.parallelism is not None else 1
    succeeded = job.status.succeeded + counts.new_succeeded
    if job.spec.completions is None:
        return len(counts.active) if succeeded > 0 else parallelism
    left = job.spec.completions - succeeded - len(counts.failed)
    return max(min(left, parallelism), 0)


def _tracked(pod: Pod) -> Pod:
    metadata = replace(pod.metadata, finalizers=(*pod.metadata.finalizers, TRACKED))
    return replace(pod, metadata=metadata)


def _indexed_pod(job: Job, index: int, failures: int) -> Pod:
    pod = _tracked(pod_from_template(job.spec.template, job, generate_name=f"{job.metadata.name}-{index}-"))
    notes = {INDEX: str(index)}
    if job.spec.backoff_limit_per_index is not None:
        notes[INDEX_FAILURES] = str(failures)
    metadata = replace(
        pod.metadata,
        annotations={**pod.metadata.annotations, **notes},
        labels={**pod.metadata.labels, INDEX: str(index)},
    )
    return replace(pod, metadata=metadata)
