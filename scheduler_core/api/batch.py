"""Workloads that run to their end: jobs, and what makes jobs by the clock.

Source: api/batch/v1/types.go, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.meta import Condition, Int32, Int64, KubeStruct, ObjectMeta, ObjectReference, Time
from scheduler_core.api.pod import PodTemplateSpec
from scheduler_core.api.selectors import LabelSelector

INDEXED = "Indexed"
NON_INDEXED = "NonIndexed"
TERMINATING_OR_FAILED = "TerminatingOrFailed"
ALLOW = "Allow"
FORBID = "Forbid"
REPLACE = "Replace"


class ExitCodesRequirement(KubeStruct, frozen=True, kw_only=True):
    """Which exit codes of which container a rule is about."""

    container_name: str | None = None
    operator: str = ""
    values: tuple[Int32, ...] = ()


class PodConditionPattern(KubeStruct, frozen=True, kw_only=True):
    """Which condition of a pod a rule is about."""

    type: str = ""
    status: str = ""


class PodFailurePolicyRule(KubeStruct, frozen=True, kw_only=True):
    """What a failure of a kind means for the job."""

    action: str = ""
    on_exit_codes: ExitCodesRequirement | None = None
    on_pod_conditions: tuple[PodConditionPattern, ...] = ()


class PodFailurePolicy(KubeStruct, frozen=True, kw_only=True):
    """Rules about failed pods; the first that matches counts."""

    rules: tuple[PodFailurePolicyRule, ...] = ()


class SuccessPolicyRule(KubeStruct, frozen=True, kw_only=True):
    """Which indexes, or how many of them, are enough."""

    succeeded_indexes: str | None = None
    succeeded_count: Int32 | None = None


class SuccessPolicy(KubeStruct, frozen=True, kw_only=True):
    """When an indexed job counts as done before all indexes are."""

    rules: tuple[SuccessPolicyRule, ...] = ()


class JobSpec(KubeStruct, frozen=True, kw_only=True):
    """How many pods are to finish, and how many at a time."""

    parallelism: Int32 | None = None
    completions: Int32 | None = None
    suspend: bool | None = None
    completion_mode: str | None = None
    backoff_limit: Int32 | None = None
    backoff_limit_per_index: Int32 | None = None
    max_failed_indexes: Int32 | None = None
    active_deadline_seconds: Int64 | None = None
    ttl_seconds_after_finished: Int32 | None = None
    pod_failure_policy: PodFailurePolicy | None = None
    success_policy: SuccessPolicy | None = None
    pod_replacement_policy: str | None = None
    manual_selector: bool | None = None
    managed_by: str | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class JobStatus(KubeStruct, frozen=True, kw_only=True):
    """How many pods of a job run or have ended."""

    conditions: tuple[Condition, ...] = ()
    start_time: Time | None = None
    completion_time: Time | None = None
    active: Int32 = 0
    ready: Int32 | None = None
    terminating: Int32 | None = None
    succeeded: Int32 = 0
    failed: Int32 = 0
    completed_indexes: str = ""
    failed_indexes: str | None = None


class Job(KubeStruct, frozen=True, kw_only=True):
    """Runs pods to their end."""

    api_version: str = "batch/v1"
    kind: str = "Job"
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()
    status: JobStatus = JobStatus()


class JobTemplateSpec(KubeStruct, frozen=True, kw_only=True):
    """The jobs a cron job makes."""

    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class CronJobSpec(KubeStruct, frozen=True, kw_only=True):
    """When to make which job."""

    schedule: str = ""
    time_zone: str | None = None
    starting_deadline_seconds: Int64 | None = None
    concurrency_policy: str = ""
    suspend: bool | None = None
    job_template: JobTemplateSpec = JobTemplateSpec()
    successful_jobs_history_limit: Int32 | None = None
    failed_jobs_history_limit: Int32 | None = None


class CronJobStatus(KubeStruct, frozen=True, kw_only=True):
    """Which jobs run, and when the last one was due."""

    active: tuple[ObjectReference, ...] = ()
    last_schedule_time: Time | None = None
    last_successful_time: Time | None = None


class CronJob(KubeStruct, frozen=True, kw_only=True):
    """Makes jobs by the clock."""

    api_version: str = "batch/v1"
    kind: str = "CronJob"
    metadata: ObjectMeta = ObjectMeta()
    spec: CronJobSpec = CronJobSpec()
    status: CronJobStatus = CronJobStatus()
