"""What makes pods: the selector, the counts and the pod template of workloads.

Source: pkg/apis/apps/validation/validation.go, pkg/apis/batch/validation/validation.go, v1.34.1
"""

from __future__ import annotations

from typing import Any

from scheduler_core.api.batch import CronJob, Job, JobSpec
from scheduler_core.api.decode import to_plain
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.pod import PodTemplateSpec
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.validation.labels import validate_label_selector
from scheduler_core.api.validation.metadata import validate_metadata
from scheduler_core.api.validation.name_rules import name_rule_of
from scheduler_core.api.validation.pod import validate_template
from scheduler_core.api.validation.rules import (
    NEGATIVE,
    Faults,
    forbidden,
    invalid,
    one_of,
    required,
)
from scheduler_core.api.workloads import (
    DaemonSet,
    DaemonSetSpec,
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
)

_SPEC: FieldPath = ("spec",)
_NO_MATCH = "`selector` does not match template `labels`"
_JOB_POLICIES = ("OnFailure", "Never")


def validate_workload(workload: Deployment | ReplicaSet | StatefulSet | DaemonSet, raw: Any) -> Faults:
    """Yields what the API server would refuse in a workload of the apps group."""
    spec, kind = workload.spec, workload.kind
    yield from validate_metadata(workload.metadata, namespaced=True, name_rule=name_rule_of(kind))
    if not isinstance(spec, DaemonSetSpec):
        yield from _non_negative(spec.replicas, (*_SPEC, "replicas"))
    if workload.api_version == "apps/v1":
        yield from _validate_selector(spec.selector, kind)
    template = (*_SPEC, "template")
    labels = spec.template.metadata.labels
    selector = spec.selector
    usable = selector is not None and not selector.problem()
    if selector is not None and usable and not selector.is_empty() and not selector.matches(labels):
        yield invalid((*template, "metadata", "labels"), labels, _NO_MATCH)
    yield from validate_template(spec.template, _below(raw, "spec", "template"), template)
    yield from _always_restarts(spec.template, template, kind)


def validate_replication_controller(controller: ReplicationController, raw: Any) -> Faults:
    """Yields what the API server would refuse in a replication controller."""
    yield from validate_metadata(controller.metadata, namespaced=True)
    spec, template = controller.spec, (*_SPEC, "template")
    yield from _non_negative(spec.replicas, (*_SPEC, "replicas"))
    if spec.template is None:
        yield required(template)
        return
    labels = spec.template.metadata.labels
    if not (spec.selector or labels):
        yield required((*_SPEC, "selector"))
    if any(labels.get(key) != value for key, value in spec.selector.items()):
        yield invalid((*template, "metadata", "labels"), labels, _NO_MATCH)
    yield from validate_template(spec.template, _below(raw, "spec", "template"), template)
    yield from _always_restarts(spec.template, template, "ReplicationController")


def validate_job(job: Job, raw: Any) -> Faults:
    """Yields what the API server would refuse in a job."""
    yield from validate_metadata(job.metadata, namespaced=True)
    yield from _validate_job_spec(job.spec, _below(raw, "spec"), _SPEC)


def validate_cron_job(cron_job: CronJob, raw: Any) -> Faults:
    """Yields what the API server would refuse in a cron job."""
    yield from validate_metadata(cron_job.metadata, namespaced=True)
    if len(cron_job.metadata.name) > 52:
        message = "must be no more than 52 characters"
        yield invalid(("metadata", "name"), cron_job.metadata.name, message)
    if not cron_job.spec.schedule:
        yield required((*_SPEC, "schedule"))
    path: FieldPath = ("spec", "jobTemplate", "spec")
    yield from _validate_job_spec(cron_job.spec.job_template.spec, _below(raw, *path), path)


def _validate_job_spec(spec: JobSpec, raw: Any, path: FieldPath) -> Faults:
    for field, count in (
        ("parallelism", spec.parallelism),
        ("completions", spec.completions),
        ("backoffLimit", spec.backoff_limit),
        ("activeDeadlineSeconds", spec.active_deadline_seconds),
    ):
        yield from _non_negative(count, (*path, field))
    template = (*path, "template")
    yield from validate_template(spec.template, _below(raw, "template"), template)
    policy = spec.template.spec.restart_policy
    if policy in ("", "Always"):
        valid = ", ".join(f'"{name}"' for name in _JOB_POLICIES)
        yield required((*template, "spec", "restartPolicy"), f"valid values: {valid}")


def _validate_selector(selector: LabelSelector | None, kind: str) -> Faults:
    path = (*_SPEC, "selector")
    if selector is None:
        yield required(path)
        return
    yield from validate_label_selector(selector, path)
    if selector.is_empty():
        yield invalid(path, to_plain(selector), f"empty selector is invalid for {kind.lower()}")


def _always_restarts(template: PodTemplateSpec, path: FieldPath, kind: str) -> Faults:
    policy = template.spec.restart_policy
    if policy in _JOB_POLICIES:
        yield from one_of((*path, "spec", "restartPolicy"), policy, ("Always",))
    if template.spec.active_deadline_seconds is not None:
        message = f"activeDeadlineSeconds in {kind} is not Supported"
        yield forbidden((*path, "spec", "activeDeadlineSeconds"), message)


def _non_negative(count: int | None, path: FieldPath) -> Faults:
    if count is not None and count < 0:
        yield invalid(path, count, NEGATIVE)


def _below(raw: Any, *path: str | int) -> Any:
    for name in path:
        raw = raw.get(name) if isinstance(raw, dict) else None
    return raw
