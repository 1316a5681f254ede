"""What a deployment tells of its rollout: counts, availability, progress and its deadline.

Source: pkg/controller/deployment/{progress,sync}.go; pkg/controller/deployment/util/deployment_util.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from scheduler_core.api.meta import Condition, Time
from scheduler_core.api.workloads import DeploymentStatus
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.deployment.replica_sets import (
    fenceposts,
    num_available,
    num_replicas,
)
from scheduler_core.simulator.controllers.pod_util import FALSE, TRUE, UNKNOWN, condition_of, within_run
from scheduler_core.simulator.controllers.replica_set import REPLICA_FAILURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.workloads import Deployment, ReplicaSet

AVAILABLE: Final = "Available"
PROGRESSING: Final = "Progressing"
NEW_AVAILABLE: Final = "NewReplicaSetAvailable"
TIMED_OUT: Final = "ProgressDeadlineExceeded"
PAUSED: Final = "DeploymentPaused"
RESUMED: Final = "DeploymentResumed"
NO_DEADLINE: Final = 2**31 - 1
"""This many seconds mean that there is no deadline."""


def has_deadline(deployment: Deployment) -> bool:
    """Returns whether a rollout may time out."""
    return deployment.spec.progress_deadline_seconds not in (None, NO_DEADLINE)


def condition(type_: str, status: str, reason: str, message: str, now: Time) -> Condition:
    """Returns a condition that has just come to be so."""
    return Condition(
        type=type_,
        status=status,
        reason=reason,
        message=message,
        last_update_time=now,
        last_transition_time=now,
    )


def with_condition(conditions: tuple[Condition, ...], new: Condition) -> tuple[Condition, ...]:
    """Returns the conditions with one set at the end; it stays as it is where status and reason do."""
    before = condition_of(conditions, new.type)
    if before is not None and (before.status, before.reason) == (new.status, new.reason):
        return conditions
    if before is not None and before.status == new.status:
        new = replace(new, last_transition_time=before.last_transition_time)
    return (*without_condition(conditions, new.type), new)


def without_condition(conditions: tuple[Condition, ...], type_: str) -> tuple[Condition, ...]:
    """Returns the conditions of other types."""
    return tuple(own for own in conditions if own.type != type_)


def counted_status(
    deployment: Deployment, new: ReplicaSet | None, replica_sets: Sequence[ReplicaSet], now: Time
) -> DeploymentStatus:
    """Returns how many pods there are, and whether there are enough."""
    available, asked = num_available(replica_sets), num_replicas(replica_sets)
    if available >= (deployment.spec.replicas or 0) - fenceposts(deployment)[1]:
        enough = condition(
            AVAILABLE, TRUE, "MinimumReplicasAvailable", "Deployment has minimum availability.", now
        )
    else:
        message = "Deployment does not have minimum availability."
        enough = condition(AVAILABLE, FALSE, "MinimumReplicasUnavailable", message, now)
    return DeploymentStatus(
        observed_generation=deployment.metadata.generation,
        replicas=sum(own.status.replicas for own in replica_sets),
        updated_replicas=new.status.replicas if new is not None else 0,
        ready_replicas=sum(own.status.ready_replicas for own in replica_sets),
        available_replicas=available,
        unavailable_replicas=max(asked - available, 0),
        conditions=with_condition(deployment.status.conditions, enough),
        collision_count=deployment.status.collision_count,
    )


def is_complete(deployment: Deployment, status: DeploymentStatus) -> bool:
    """Returns whether all pods are of the new template and available, and no old one is left."""
    replicas = deployment.spec.replicas or 0
    return (
        status.updated_replicas == status.replicas == status.available_replicas == replicas
        and status.observed_generation >= deployment.metadata.generation
    )


def rollout_status(
    deployment: Deployment,
    new: ReplicaSet | None,
    replica_sets: Sequence[ReplicaSet],
    now: Time,
    *,
    is_late: bool,
) -> DeploymentStatus:
    """Returns the counts, and what they say of the progress of a rollout; ``is_late``: whether its time is over."""
    status = counted_status(deployment, new, replica_sets, now)
    conditions = status.conditions
    current = condition_of(deployment.status.conditions, PROGRESSING)
    was_complete = (
        status.replicas == status.updated_replicas and current is not None and current.reason == NEW_AVAILABLE
    )
    if not has_deadline(deployment):
        conditions = without_condition(conditions, PROGRESSING)
    elif not was_complete:
        conditions = _with_progress(deployment, new, status, current, now, is_late=is_late)
    failures = [
        found
        for own in replica_sets
        if (found := condition_of(own.status.conditions, REPLICA_FAILURE)) is not None
    ]
    conditions = without_condition(conditions, REPLICA_FAILURE)
    if failures:
        first = failures[0]
        conditions = (
            *conditions,
            condition(
                REPLICA_FAILURE, first.status, first.reason, first.message, first.last_transition_time or now
            ),
        )
    return replace(status, conditions=conditions)


def _with_progress(
    deployment: Deployment,
    new: ReplicaSet | None,
    status: DeploymentStatus,
    current: Condition | None,
    now: Time,
    *,
    is_late: bool,
) -> tuple[Condition, ...]:
    subject = f'Deployment "{deployment.metadata.name}"'
    if new is not None:
        subject = f'ReplicaSet "{new.metadata.name}"'
    if is_complete(deployment, status):
        told = condition(PROGRESSING, TRUE, NEW_AVAILABLE, f"{subject} has successfully progressed.", now)
        return with_condition(status.conditions, told)
    if _has_progressed(deployment.status, status):
        told = condition(PROGRESSING, TRUE, "ReplicaSetUpdated", f"{subject} is progressing.", now)
        if current is not None and current.status == TRUE:
            told = replace(told, last_transition_time=current.last_transition_time)
        return (*without_condition(status.conditions, PROGRESSING), told)
    if is_late:
        told = condition(PROGRESSING, FALSE, TIMED_OUT, f"{subject} has timed out progressing.", now)
        return with_condition(status.conditions, told)
    return status.conditions


def _has_progressed(before: DeploymentStatus, after: DeploymentStatus) -> bool:
    return (
        after.updated_replicas > before.updated_replicas
        or after.replicas - after.updated_replicas < before.replicas - before.updated_replicas
        or after.ready_replicas > before.ready_replicas
        or after.available_replicas > before.available_replicas
    )


def is_timed_out(deployment: Deployment, begin_us: int, wall_us: int) -> bool:
    """Returns whether nothing has moved for as long as the deadline allows."""
    current = condition_of(deployment.status.conditions, PROGRESSING)
    if current is None or current.reason == NEW_AVAILABLE:
        return False
    return current.reason == TIMED_OUT or _deadline(deployment, current, begin_us, wall_us) < wall_us


def next_check_us(
    deployment: Deployment, status: DeploymentStatus, begin_us: int, wall_us: int
) -> int | None:
    """Returns in how many µs a stuck rollout is to be looked at again; None if there is nothing to wait for.

    Source: pkg/controller/deployment/progress.go, requeueStuckDeployment, v1.34.1
    """
    current = condition_of(status.conditions, PROGRESSING)
    if not has_deadline(deployment) or current is None or current.reason in (TIMED_OUT, PAUSED):
        return None
    if is_complete(deployment, status):
        return None
    return max(_deadline(deployment, current, begin_us, wall_us) - wall_us, 0) + MICROSECONDS


def _deadline(deployment: Deployment, current: Condition, begin_us: int, wall_us: int) -> int:
    seconds = deployment.spec.progress_deadline_seconds or 0
    return within_run(current.last_update_time, begin_us, wall_us) + seconds * MICROSECONDS


def pause_condition(deployment: Deployment, now: Time) -> Condition | None:
    """Returns what is to be told of a rollout that was stopped by hand, or goes on again."""
    current = condition_of(deployment.status.conditions, PROGRESSING)
    if not has_deadline(deployment) or (current is not None and current.reason == TIMED_OUT):
        return None
    is_told = current is not None and current.reason == PAUSED
    if deployment.spec.paused and not is_told:
        return condition(PROGRESSING, UNKNOWN, PAUSED, "Deployment is paused", now)
    if not deployment.spec.paused and is_told:
        return condition(PROGRESSING, UNKNOWN, RESUMED, "Deployment is resumed", now)
    return None
