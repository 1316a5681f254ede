"""What the pods of a job have come to: running, ended well, failed, and which of these is not yet counted.

Source: pkg/controller/job/job_controller.go, getNewFinishedPods, trackJobStatusAndRemoveFinalizers, v1.34.1
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from scheduler_core.api.batch import INDEXED, TERMINATING_OR_FAILED
from scheduler_core.api.pod import FAILED, SUCCEEDED
from scheduler_core.simulator.controllers.job.failure_policy import (
    FAIL_INDEX,
    FAIL_JOB,
    IGNORE,
    Ruling,
    judge,
)
from scheduler_core.simulator.controllers.job.indexes import failures_of, index_of, parse_indexes
from scheduler_core.simulator.controllers.pod_util import is_active, is_ready, is_terminating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.batch import Job
    from scheduler_core.api.pod import Pod

TRACKED: Final = "batch.kubernetes.io/job-tracking"
"""The finalizer of pods that their job has not counted yet."""


@dataclass
class Tally:
    """A job's pods, sorted."""

    active: list[Pod] = field(default_factory=list)
    num_ready: int = 0
    num_terminating: int = 0
    counted: list[Pod] = field(default_factory=list)
    """Pods that are now told in the status, and lose their finalizer then."""
    new_succeeded: int = 0
    new_failed: int = 0
    completed: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)
    index_failures: dict[int, int] = field(default_factory=dict)
    fail_job: str = ""
    """Why the job is to fail at once, by its rules."""


def tally(job: Job, pods: Sequence[Pod]) -> Tally:
    """Returns what has come of the pods of a job."""
    completions = job.spec.completions or 0
    is_indexed = job.spec.completion_mode == INDEXED
    result = Tally()
    if is_indexed:
        result.completed = parse_indexes(job.status.completed_indexes, completions)
        result.failed = parse_indexes(job.status.failed_indexes or "", completions)
    for pod in pods:
        if is_active(pod):
            result.active.append(pod)
            result.num_ready += is_ready(pod)
        elif is_terminating(pod):
            result.num_terminating += 1
        if TRACKED in pod.metadata.finalizers:
            _count(job, pod, result, is_indexed=is_indexed)
    return result


def _count(job: Job, pod: Pod, result: Tally, *, is_indexed: bool) -> None:
    index = index_of(pod) if is_indexed else None
    has_index = not is_indexed or (index is not None and index < (job.spec.completions or 0))
    if pod.status.phase == SUCCEEDED:
        result.counted.append(pod)
        if has_index and (index is None or index not in result.completed):
            result.new_succeeded += 1
            if index is not None:
                result.completed.add(index)
    elif is_failed(job, pod):
        result.counted.append(pod)
        if has_index:
            _count_failure(job, pod, result, index)


def _count_failure(job: Job, pod: Pod, result: Tally, index: int | None) -> None:
    ruling: Ruling = judge(job.spec.pod_failure_policy, pod)
    if ruling.action == FAIL_JOB:
        result.fail_job = result.fail_job or ruling.message
    failures = failures_of(pod)
    if ruling.action == IGNORE:
        if index is not None:
            result.index_failures[index] = failures
        return
    result.new_failed += 1
    if index is not None:
        result.index_failures[index] = failures + 1
        limit = job.spec.backoff_limit_per_index
        if limit is not None and (failures + 1 > limit or ruling.action == FAIL_INDEX):
            result.failed.add(index)


def is_failed(job: Job, pod: Pod) -> bool:
    """Returns whether a pod counts as failed: one that is being deleted does too, unless the job says otherwise."""
    if pod.status.phase == FAILED:
        return True
    if job.spec.pod_replacement_policy not in (None, "", TERMINATING_OR_FAILED):
        return False
    return pod.metadata.deletion_timestamp is not None and pod.status.phase != SUCCEEDED
