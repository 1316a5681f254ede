"""Defaults of workloads: how many pods, how they are updated, and the pods' own defaults in the template.

Source: pkg/apis/{apps,batch,core}/v1/defaults.go; pkg/registry/batch/job/strategy.go, generateSelector, v1.34.1
"""

from __future__ import annotations

import hashlib
from typing import Any

from msgspec.structs import replace

from scheduler_core.api.batch import (
    ALLOW,
    NON_INDEXED,
    TERMINATING_OR_FAILED,
    CronJob,
    Job,
    JobSpec,
)
from scheduler_core.api.defaulting.pods import default_pod_spec
from scheduler_core.api.name_syntax import label_value_problems
from scheduler_core.api.pod import PodTemplateSpec
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.workloads import (
    ORDERED_READY,
    RETAIN,
    ROLLING_UPDATE,
    ClaimRetentionPolicy,
    DaemonSet,
    Deployment,
    IntOrPercent,
    ReplicaSet,
    ReplicationController,
    RollingUpdate,
    StatefulSet,
    UpdateStrategy,
)

REVISION_HISTORY_LIMIT = 10
PROGRESS_DEADLINE_SECONDS = 600
BACKOFF_LIMIT = 6
QUARTER = "25%"

CONTROLLER_UID_LABEL = "batch.kubernetes.io/controller-uid"
JOB_NAME_LABEL = "batch.kubernetes.io/job-name"
LEGACY_CONTROLLER_UID_LABEL = "controller-uid"
LEGACY_JOB_NAME_LABEL = "job-name"


def default_replica_set(replica_set: ReplicaSet) -> ReplicaSet:
    """Returns the replica set as the API server would store it."""
    spec = replica_set.spec
    return replace(
        replica_set,
        spec=replace(spec, replicas=_or(spec.replicas, 1), template=default_template(spec.template)),
    )


def default_replication_controller(controller: ReplicationController) -> ReplicationController:
    """Returns the replication controller; without a selector it takes its template's labels."""
    spec = controller.spec
    template = spec.template
    if template is not None:
        selector = spec.selector or template.metadata.labels
        spec = replace(spec, selector=selector, template=default_template(template))
    return replace(controller, spec=replace(spec, replicas=_or(spec.replicas, 1)))


def default_deployment(deployment: Deployment) -> Deployment:
    """Returns the deployment: a rolling update by quarters unless it says otherwise."""
    spec = deployment.spec
    return replace(
        deployment,
        spec=replace(
            spec,
            replicas=_or(spec.replicas, 1),
            template=default_template(spec.template),
            strategy=_strategy(spec.strategy, max_unavailable=QUARTER, max_surge=QUARTER),
            revision_history_limit=_or(spec.revision_history_limit, REVISION_HISTORY_LIMIT),
            progress_deadline_seconds=_or(spec.progress_deadline_seconds, PROGRESS_DEADLINE_SECONDS),
        ),
    )


def default_stateful_set(stateful_set: StatefulSet) -> StatefulSet:
    """Returns the stateful set: in order, a rolling update of all, claims kept, unless it says otherwise."""
    spec = stateful_set.spec
    policy = spec.persistent_volume_claim_retention_policy or ClaimRetentionPolicy()
    strategy = spec.update_strategy
    kind = strategy.type or ROLLING_UPDATE
    rolling = strategy.rolling_update
    if kind == ROLLING_UPDATE:
        rolling = rolling or RollingUpdate()
        rolling = replace(rolling, partition=_or(rolling.partition, 0))
    return replace(
        stateful_set,
        spec=replace(
            spec,
            replicas=_or(spec.replicas, 1),
            template=default_template(spec.template),
            pod_management_policy=spec.pod_management_policy or ORDERED_READY,
            update_strategy=UpdateStrategy(type=kind, rolling_update=rolling),
            revision_history_limit=_or(spec.revision_history_limit, REVISION_HISTORY_LIMIT),
            persistent_volume_claim_retention_policy=ClaimRetentionPolicy(
                when_deleted=policy.when_deleted or RETAIN, when_scaled=policy.when_scaled or RETAIN
            ),
        ),
    )


def default_daemon_set(daemon_set: DaemonSet) -> DaemonSet:
    """Returns the daemon set: a rolling update, one node at a time, unless it says otherwise."""
    spec = daemon_set.spec
    return replace(
        daemon_set,
        spec=replace(
            spec,
            template=default_template(spec.template),
            update_strategy=_strategy(spec.update_strategy, max_unavailable=1, max_surge=0),
            revision_history_limit=_or(spec.revision_history_limit, REVISION_HISTORY_LIMIT),
        ),
    )


def default_job(job: Job) -> Job:
    """Returns the job; unless it brings a selector, it selects the pods that carry its uid."""
    spec = _job_spec(job.spec)
    if spec.selector is None and not spec.manual_selector:
        uid, name = _label_value(job.metadata.uid), job.metadata.name
        labels = {
            **spec.template.metadata.labels,
            LEGACY_CONTROLLER_UID_LABEL: uid,
            LEGACY_JOB_NAME_LABEL: name,
            CONTROLLER_UID_LABEL: uid,
            JOB_NAME_LABEL: name,
        }
        metadata = replace(spec.template.metadata, labels=labels)
        spec = replace(
            spec,
            selector=LabelSelector(match_labels={CONTROLLER_UID_LABEL: uid}),
            template=replace(spec.template, metadata=metadata),
        )
    return replace(job, spec=spec)


def default_cron_job(cron_job: CronJob) -> CronJob:
    """Returns the cron job: it lets its jobs overlap, and keeps three that succeeded and one that failed."""
    spec = cron_job.spec
    template = spec.job_template
    return replace(
        cron_job,
        spec=replace(
            spec,
            concurrency_policy=spec.concurrency_policy or ALLOW,
            suspend=bool(spec.suspend),
            successful_jobs_history_limit=_or(spec.successful_jobs_history_limit, 3),
            failed_jobs_history_limit=_or(spec.failed_jobs_history_limit, 1),
            job_template=replace(template, spec=_job_spec(template.spec)),
        ),
    )


def default_template(template: PodTemplateSpec) -> PodTemplateSpec:
    """Returns a template with the defaults of a pod's spec."""
    return replace(template, spec=default_pod_spec(template.spec))


def _job_spec(spec: JobSpec) -> JobSpec:
    completions = spec.completions
    if completions is None and spec.parallelism is None:
        completions = 1
    return replace(
        spec,
        completions=completions,
        parallelism=_or(spec.parallelism, 1),
        backoff_limit=_or(spec.backoff_limit, _default_backoff_limit(spec)),
        completion_mode=spec.completion_mode or NON_INDEXED,
        suspend=bool(spec.suspend),
        pod_replacement_policy=spec.pod_replacement_policy
        or (TERMINATING_OR_FAILED if spec.pod_failure_policy is None else "Failed"),
        template=default_template(spec.template),
    )


def _default_backoff_limit(spec: JobSpec) -> int:
    return BACKOFF_LIMIT if spec.backoff_limit_per_index is None else 2**31 - 1


def _strategy(
    strategy: UpdateStrategy, *, max_unavailable: IntOrPercent, max_surge: IntOrPercent
) -> UpdateStrategy:
    kind = strategy.type or ROLLING_UPDATE
    rolling = strategy.rolling_update
    if kind == ROLLING_UPDATE:
        rolling = rolling or RollingUpdate()
        rolling = replace(
            rolling,
            max_unavailable=_or(rolling.max_unavailable, max_unavailable),
            max_surge=_or(rolling.max_surge, max_surge),
        )
    return UpdateStrategy(type=kind, rolling_update=rolling)


def _label_value(uid: str) -> str:
    """A uid that was made from a name is no label's value: it is hashed into the form that uids usually have."""
    if not label_value_problems(uid):
        return uid
    digest = hashlib.sha256(uid.encode()).hexdigest()
    return "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]))


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value
