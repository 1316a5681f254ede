"""What a stateful set does next: a decision over its pods.

Source: pkg/controller/statefulset/stateful_set_control.go, updateStatefulSet, v1.34.1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scheduler_core.api.pod import RUNNING
from scheduler_core.api.workloads import ON_DELETE, PARALLEL
from scheduler_core.simulator.controllers.pod_util import is_available, is_finished, is_ready
from scheduler_core.simulator.controllers.stateful_set.identity import first_ordinal, ordinal_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.workloads import StatefulSet


@dataclass(frozen=True)
class Plan:
    """Numbers of pods to make, pods to delete, and the pod that has to be ready first."""

    create: tuple[int, ...] = ()
    delete: tuple[Pod, ...] = ()
    waits_for: str = ""


@dataclass(frozen=True)
class Members:
    """The pods of a set: those within its numbers, and those that are too many, the highest number first."""

    replicas: Mapping[int, Pod]
    condemned: Sequence[Pod]
    first: int
    count: int

    @property
    def ordinals(self) -> range:
        """The numbers that there are to be."""
        return range(self.first, self.first + self.count)


def members(stateful_set: StatefulSet, pods: Sequence[Pod]) -> Members:
    """Sorts a set's pods by whether their number is one of those that there are to be."""
    first, count = first_ordinal(stateful_set), stateful_set.spec.replicas or 0
    numbered = {number: pod for pod in pods if (number := ordinal_of(stateful_set, pod)) is not None}
    wanted = range(first, first + count)
    return Members(
        replicas={number: pod for number, pod in numbered.items() if number in wanted},
        condemned=[numbered[number] for number in sorted(numbered, reverse=True) if number not in wanted],
        first=first,
        count=count,
    )


def plan(
    stateful_set: StatefulSet, found: Members, revisions: Mapping[str, str], update: str, wall_us: int
) -> Plan:
    """Returns the next step.

    In order, a set makes, deletes or waits for one pod at a time; in parallel it makes and deletes all at once.

    Args:
        stateful_set: the set
        found: its pods
        revisions: pod name → its revision
        update: the revision that the pods are to have
        wall_us: now, microseconds since 1970
    """
    ordered = stateful_set.spec.pod_management_policy != PARALLEL
    min_ready = stateful_set.spec.min_ready_seconds
    create: list[int] = []
    delete: list[Pod] = []
    for number in found.ordinals:
        pod = found.replicas.get(number)
        if pod is None:
            create.append(number)
        elif is_finished(pod):
            if pod.metadata.deletion_timestamp is None:
                delete.append(pod)
            elif ordered:
                return Plan(waits_for=pod.metadata.name)
        elif ordered and not (_is_healthy(pod) and is_available(pod, min_ready, wall_us)):
            return Plan(waits_for=pod.metadata.name)
        if ordered and (create or delete):
            return Plan(tuple(create), tuple(delete))
    unhealthy = _first_unhealthy(found)
    for pod in found.condemned:
        if pod.metadata.deletion_timestamp is not None:
            if ordered:
                return Plan(waits_for=pod.metadata.name)
            continue
        healthy = _is_healthy(pod) and is_available(pod, min_ready, wall_us)
        if ordered and not healthy and pod is not unhealthy:
            return Plan(waits_for=unhealthy.metadata.name if unhealthy else pod.metadata.name)
        delete.append(pod)
        if ordered:
            return Plan(delete=tuple(delete))
    outdated = _outdated(stateful_set, found, revisions, update, wall_us)
    return Plan(tuple(create), (*delete, *outdated.delete), outdated.waits_for)


def _outdated(
    stateful_set: StatefulSet, found: Members, revisions: Mapping[str, str], update: str, wall_us: int
) -> Plan:
    """The next pod of an old revision, from the highest number down to the partition, one at a time."""
    strategy = stateful_set.spec.update_strategy
    if strategy.type == ON_DELETE:
        return Plan()
    partition = strategy.rolling_update.partition if strategy.rolling_update is not None else 0
    for number in reversed(found.ordinals[partition or 0 :]):
        pod = found.replicas.get(number)
        if pod is None:
            return Plan(waits_for=f"{stateful_set.metadata.name}-{number}")
        if revisions[pod.metadata.name] != update and pod.metadata.deletion_timestamp is None:
            return Plan(delete=(pod,))
        if not _is_healthy(pod) or not is_available(pod, stateful_set.spec.min_ready_seconds, wall_us):
            return Plan(waits_for=pod.metadata.name)
    return Plan()


def _first_unhealthy(found: Members) -> Pod | None:
    for number in found.ordinals:
        pod = found.replicas.get(number)
        if pod is not None and not _is_healthy(pod):
            return pod
    return next((pod for pod in reversed(found.condemned) if not _is_healthy(pod)), None)


def _is_healthy(pod: Pod) -> bool:
    return pod.status.phase == RUNNING and is_ready(pod) and pod.metadata.deletion_timestamp is None
