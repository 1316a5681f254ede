"""What the API server fills in in workloads."""

from __future__ import annotations

from typing import Any

from scheduler_core.api.batch import CronJob, Job
from scheduler_core.api.workloads import DaemonSet, Deployment, ReplicationController, StatefulSet
from tests.make import make

UID = "8b657ad7-e3bb-7bfc-b447-6168bccb93d8"
"""What a uid made of the job's name becomes, since it is no label's value itself."""


def of(kind: str, spec: dict[str, Any], group: str = "apps/v1") -> Any:
    return make({"apiVersion": group, "kind": kind, "metadata": {"name": "web"}, "spec": spec})


def test_a_deployment_rolls_by_quarters() -> None:
    made = of("Deployment", {"template": {"spec": {"containers": [{"name": "a"}]}}})
    assert isinstance(made, Deployment)
    spec = made.spec
    assert (spec.replicas, spec.revision_history_limit, spec.progress_deadline_seconds) == (1, 10, 600)
    assert spec.strategy.type == "RollingUpdate"
    assert spec.strategy.rolling_update is not None
    rolling = spec.strategy.rolling_update
    assert (rolling.max_unavailable, rolling.max_surge) == ("25%", "25%")
    assert spec.template.spec.restart_policy == "Always"
    assert spec.template.spec.termination_grace_period_seconds == 30


def test_recreate_has_no_numbers() -> None:
    spec = of("Deployment", {"strategy": {"type": "Recreate"}}).spec
    assert (spec.strategy.type, spec.strategy.rolling_update) == ("Recreate", None)


def test_what_is_said_stays() -> None:
    spec = of("Deployment", {"replicas": 0, "strategy": {"rollingUpdate": {"maxUnavailable": 0}}}).spec
    assert spec.replicas == 0
    assert (spec.strategy.rolling_update.max_unavailable, spec.strategy.rolling_update.max_surge) == (
        0,
        "25%",
    )


def test_a_stateful_set_is_in_order_and_keeps_its_claims() -> None:
    made = of("StatefulSet", {})
    assert isinstance(made, StatefulSet)
    spec, policy = made.spec, made.spec.persistent_volume_claim_retention_policy
    assert policy is not None
    assert (spec.pod_management_policy, spec.update_strategy.type) == ("OrderedReady", "RollingUpdate")
    assert (policy.when_deleted, policy.when_scaled) == ("Retain", "Retain")
    assert spec.update_strategy.rolling_update is not None
    assert spec.update_strategy.rolling_update.partition == 0


def test_a_daemon_set_rolls_one_node_at_a_time() -> None:
    made = of("DaemonSet", {})
    assert isinstance(made, DaemonSet)
    rolling = made.spec.update_strategy.rolling_update
    assert rolling is not None
    assert (rolling.max_unavailable, rolling.max_surge) == (1, 0)


def test_a_replication_controller_selects_by_its_template() -> None:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "a"}]}}
    made = of("ReplicationController", {"template": template}, "v1")
    assert isinstance(made, ReplicationController)
    assert (made.spec.selector, made.spec.replicas) == ({"app": "web"}, 1)


def test_a_job_selects_the_pods_with_its_uid() -> None:
    made = of("Job", {"template": {"metadata": {"labels": {"app": "load"}}}}, "batch/v1")
    assert isinstance(made, Job)
    spec = made.spec
    assert (spec.parallelism, spec.completions, spec.backoff_limit) == (1, 1, 6)
    assert (spec.completion_mode, spec.pod_replacement_policy) == ("NonIndexed", "TerminatingOrFailed")
    assert spec.selector is not None
    assert spec.selector.match_labels == {"batch.kubernetes.io/controller-uid": UID}
    assert spec.template.metadata.labels == {
        "app": "load",
        "controller-uid": UID,
        "job-name": "web",
        "batch.kubernetes.io/controller-uid": UID,
        "batch.kubernetes.io/job-name": "web",
    }


def test_a_work_queue_has_no_number_of_completions() -> None:
    spec = of("Job", {"parallelism": 3}, "batch/v1").spec
    assert (spec.parallelism, spec.completions) == (3, None)


def test_a_limit_per_index_lifts_that_of_the_job() -> None:
    assert of("Job", {"backoffLimitPerIndex": 1}, "batch/v1").spec.backoff_limit == 2147483647


def test_a_failure_policy_replaces_only_pods_that_have_failed() -> None:
    spec = of("Job", {"podFailurePolicy": {"rules": []}}, "batch/v1").spec
    assert spec.pod_replacement_policy == "Failed"


def test_a_cron_job_lets_its_jobs_overlap_and_keeps_some() -> None:
    made = of("CronJob", {"schedule": "0 3 * * *"}, "batch/v1")
    assert isinstance(made, CronJob)
    spec = made.spec
    assert (spec.concurrency_policy, spec.suspend) == ("Allow", False)
    assert (spec.successful_jobs_history_limit, spec.failed_jobs_history_limit) == (3, 1)
    assert spec.job_template.spec.backoff_limit == 6
