"""When a job is over, and what is said of it.

Source: pkg/controller/job/job_controller.go, syncJob, pastBackoffLimitOnFailure; pkg/controller/job/success_policy.go,
v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.api.batch import INDEXED
from scheduler_core.api.pod import PENDING, RUNNING
from scheduler_core.simulator.controllers.job.indexes import parse_indexes
from scheduler_core.simulator.controllers.pod_util import has_condition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.batch import Job
    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.controllers.job.tally import Tally

COMPLETE: Final = "Complete"
FAILED_CONDITION: Final = "Failed"
SUSPENDED: Final = "Suspended"
FAILURE_TARGET: Final = "FailureTarget"
SUCCESS_CRITERIA_MET: Final = "SuccessCriteriaMet"


class Outcome(NamedTuple):
    """The condition that a job is on its way to, and why."""

    type: str
    reason: str
    message: str


def is_over(job: Job) -> bool:
    """Returns whether the job has ended, well or not."""
    return has_condition(job.status.conditions, COMPLETE) or has_condition(
        job.status.conditions, FAILED_CONDITION
    )


def outcome(job: Job, counts: Tally, pods: Sequence[Pod], *, is_late: bool) -> Outcome | None:
    """Returns how the job is to end, or None while it goes on; ``is_late``: whether its deadline is over."""
    for interim in (FAILURE_TARGET, SUCCESS_CRITERIA_MET):
        known = next(
            (own for own in job.status.conditions if own.type == interim and own.status == "True"), None
        )
        if known is not None:
            return Outcome(interim, known.reason, known.message)
    return _failure(job, counts, pods, is_late=is_late) or _success(job, counts)


def _failure(job: Job, counts: Tally, pods: Sequence[Pod], *, is_late: bool) -> Outcome | None:
    spec = job.spec
    if counts.fail_job:
        return Outcome(FAILURE_TARGET, "PodFailurePolicy", counts.fail_job)
    limit = spec.backoff_limit if spec.backoff_limit is not None else 6
    exceeded = counts.new_failed > 0 and job.status.failed + counts.new_failed > limit
    if exceeded or _restarted_too_often(job, pods, limit):
        return Outcome(FAILURE_TARGET, "BackoffLimitExceeded", "Job has reached the specified backoff limit")
    if is_late:
        return Outcome(FAILURE_TARGET, "DeadlineExceeded", "Job was active longer than specified deadline")
    if spec.completion_mode == INDEXED and spec.backoff_limit_per_index is not None:
        return _failed_indexes(job, counts)
    return None


def _failed_indexes(job: Job, counts: Tally) -> Outcome | None:
    most = job.spec.max_failed_indexes
    if most is not None and len(counts.failed) > most:
        message = "Job has exceeded the specified maximal number of failed indexes"
        return Outcome(FAILURE_TARGET, "MaxFailedIndexesExceeded", message)
    if counts.failed and len(counts.failed) + len(counts.completed) >= (job.spec.completions or 0):
        return Outcome(FAILURE_TARGET, "FailedIndexes", "Job has failed indexes")
    return None


def _success(job: Job, counts: Tally) -> Outcome | None:
    succeeded = job.status.succeeded + counts.new_succeeded
    completions = job.spec.completions
    rule = _matched_rule(job, counts)
    if rule is not None:
        return Outcome(SUCCESS_CRITERIA_MET, "SuccessPolicy", f"Matched rules at index {rule}")
    if completions is None:
        is_done = succeeded > 0 and not counts.active
    else:
        is_done = succeeded >= completions
    if not is_done:
        return None
    return Outcome(SUCCESS_CRITERIA_MET, "CompletionsReached", "Reached expected number of succeeded pods")


def _matched_rule(job: Job, counts: Tally) -> int | None:
    policy = job.spec.success_policy
    for number, rule in enumerate(policy.rules if policy is not None else ()):
        wanted = counts.completed
        if rule.succeeded_indexes is not None:
            listed = parse_indexes(rule.succeeded_indexes, job.spec.completions or 0)
            wanted = counts.completed & listed
            if rule.succeeded_count is None and len(wanted) == len(listed):
                return number
        if rule.succeeded_count is not None and len(wanted) >= rule.succeeded_count:
            return number
    return None


def _restarted_too_often(job: Job, pods: Sequence[Pod], limit: int) -> bool:
    """Containers that restart in their pods count too, where the pods may restart them."""
    if job.spec.template.spec.restart_policy != "OnFailure":
        return False
    restarts = sum(
        own.restart_count
        for pod in pods
        if pod.status.phase in (PENDING, RUNNING)
        for own in (*pod.status.init_container_statuses, *pod.status.container_statuses)
    )
    return restarts > 0 if limit == 0 else restarts >= limit
