"""What a pod's status says: whether it counts, is ready, is available; and how a condition is set.

Source: pkg/api/v1/pod/util.go, IsPodAvailable, UpdatePodCondition; pkg/controller/controller_utils.go, IsPodActive,
v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from scheduler_core.api.meta import Condition, Time
from scheduler_core.api.pod import FAILED, SUCCEEDED
from scheduler_core.clock import MICROSECONDS

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod

READY: Final = "Ready"
CONTAINERS_READY: Final = "ContainersReady"
INITIALIZED: Final = "Initialized"
DISRUPTION_TARGET: Final = "DisruptionTarget"
TRUE: Final = "True"
FALSE: Final = "False"
UNKNOWN: Final = "Unknown"


def is_finished(pod: Pod) -> bool:
    """Returns whether the pod has run to its end."""
    return pod.status.phase in (SUCCEEDED, FAILED)


def is_terminating(pod: Pod) -> bool:
    """Returns whether the pod was deleted and has not yet ended."""
    return pod.metadata.deletion_timestamp is not None and not is_finished(pod)


def is_active(pod: Pod) -> bool:
    """Returns whether the pod counts for its workload."""
    return pod.metadata.deletion_timestamp is None and pod.status.phase not in (SUCCEEDED, FAILED)


def condition_of(conditions: tuple[Condition, ...], type_: str) -> Condition | None:
    """Returns the condition of a type."""
    for own in conditions:
        if own.type == type_:
            return own
    return None


def has_condition(conditions: tuple[Condition, ...], type_: str) -> bool:
    """Returns whether a condition is true."""
    found = condition_of(conditions, type_)
    return found is not None and found.status == TRUE


def with_condition(conditions: tuple[Condition, ...], condition: Condition) -> tuple[Condition, ...]:
    """Returns the conditions with one set; its time of transition stays where its status does."""
    before = condition_of(conditions, condition.type)
    if before is None:
        return (*conditions, condition)
    if before.status == condition.status:
        condition = replace(condition, last_transition_time=before.last_transition_time)
    return tuple(condition if own.type == condition.type else own for own in conditions)


def is_ready(pod: Pod) -> bool:
    """Returns whether the pod takes part in the work."""
    return has_condition(pod.status.conditions, READY)


def available_at(pod: Pod, min_ready_seconds: int, wall_us: int) -> int | None:
    """Returns from when on a ready pod is available, microseconds since 1970; None for one that is not ready.

    A time after ``wall_us`` is that of a dump whose clock is ahead of the run's: the pod has been ready long since.
    """
    ready = condition_of(pod.status.conditions, READY)
    if ready is None or ready.status != TRUE:
        return None
    since = ready.last_transition_time or 0
    return (since if since <= wall_us else 0) + min_ready_seconds * MICROSECONDS


def within_run(moment: int | None, begin_us: int, wall_us: int) -> int:
    """Returns a moment of the run; one before or after it is of the cluster's own past, and counts as the beginning.

    What waits for a time to pass, in what came with a dump, begins to wait with the run: nothing ends unasked.
    """
    return moment if moment is not None and begin_us <= moment <= wall_us else begin_us


def is_available(pod: Pod, min_ready_seconds: int, wall_us: int) -> bool:
    """Returns whether the pod has been ready for long enough."""
    since = available_at(pod, min_ready_seconds, wall_us)
    return since is not None and (min_ready_seconds == 0 or since <= wall_us)


def created_at(pod: Pod) -> int:
    """Returns when the pod was made, microseconds since 1970."""
    return pod.metadata.creation_timestamp or 0


def now(wall_us: int) -> Time:
    """Returns a moment as objects hold it: whole seconds.

    Source: apimachinery/pkg/apis/meta/v1/time.go, MarshalJSON, v1.34.1
    """
    return Time(wall_us // MICROSECONDS * MICROSECONDS)
