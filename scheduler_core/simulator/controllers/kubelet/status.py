"""A pod's status as the kubelet writes it, from one state of its life to the next.

Source: pkg/kubelet/kubelet_pods.go, generateAPIPodStatus, getPhase; pkg/kubelet/status/generate.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from scheduler_core.api.containers import ContainerStatus
from scheduler_core.api.meta import Condition
from scheduler_core.api.pod import FAILED, RUNNING, SUCCEEDED
from scheduler_core.simulator.controllers.pod_util import (
    CONTAINERS_READY,
    FALSE,
    INITIALIZED,
    READY,
    TRUE,
    with_condition,
)

if TYPE_CHECKING:
    from scheduler_core.api.meta import Time
    from scheduler_core.api.pod import Pod, PodStatus

READY_TO_START: Final = "PodReadyToStartContainers"
CONTAINERS_NOT_READY: Final = "ContainersNotReady"
POD_COMPLETED: Final = "PodCompleted"


def started(pod: Pod, now: Time, *, ready: bool) -> PodStatus:
    """Returns the status of a pod whose containers now run; what restarts counts on."""
    status = replace(
        pod.status,
        phase=RUNNING,
        reason="",
        message="",
        start_time=pod.status.start_time or now,
        container_statuses=_containers(pod, ready=ready),
    )
    conditions = status.conditions
    for type_ in (READY_TO_START, INITIALIZED):
        conditions = with_condition(conditions, Condition(type=type_, status=TRUE, last_transition_time=now))
    return _with_readiness(replace(status, conditions=conditions), pod, now, ready=ready)


def ready(pod: Pod, now: Time) -> PodStatus:
    """Returns the status of a running pod that is now ready."""
    status = replace(pod.status, container_statuses=_containers(pod, ready=True))
    return _with_readiness(status, pod, now, ready=True)


def restarting(pod: Pod, now: Time) -> PodStatus:
    """Returns the status of a pod whose containers have ended and will be started again."""
    statuses = tuple(
        replace(own, restart_count=own.restart_count + 1) for own in _containers(pod, ready=False)
    )
    return _with_readiness(replace(pod.status, container_statuses=statuses), pod, now, ready=False)


def finished(pod: Pod, now: Time, *, succeeded: bool, reason: str = "", message: str = "") -> PodStatus:
    """Returns the status of a pod that has run to its end."""
    status = replace(
        pod.status,
        phase=SUCCEEDED if succeeded else FAILED,
        reason=reason,
        message=message,
        container_statuses=_containers(pod, ready=False),
    )
    conditions = status.conditions
    why = POD_COMPLETED if succeeded else CONTAINERS_NOT_READY
    for type_ in (READY, CONTAINERS_READY):
        told = Condition(type=type_, status=FALSE, reason=why, last_transition_time=now)
        conditions = with_condition(conditions, told)
    return replace(status, conditions=conditions)


def observed(pod: Pod, now: Time) -> PodStatus:
    """Returns the status of a bound pod of which nothing else was told: it runs, and is ready."""
    return started(pod, now, ready=True)


def _containers(pod: Pod, *, ready: bool) -> tuple[ContainerStatus, ...]:
    known = {own.name: own for own in pod.status.container_statuses}
    return tuple(
        replace(
            known.get(container.name, ContainerStatus(name=container.name, image=container.image)),
            ready=ready,
        )
        for container in pod.spec.containers
    )


def _with_readiness(status: PodStatus, pod: Pod, now: Time, *, ready: bool) -> PodStatus:
    names = " ".join(container.name for container in pod.spec.containers)
    conditions = status.conditions
    for type_ in (CONTAINERS_READY, READY):
        told = Condition(type=type_, status=TRUE, last_transition_time=now)
        if not ready:
            message = f"containers with unready status: [{names}]"
            told = replace(told, status=FALSE, reason=CONTAINERS_NOT_READY, message=message)
        conditions = with_condition(conditions, told)
    return replace(status, conditions=conditions)
