"""Disruption budgets: how many pods there should be, how many are healthy, how many may go just now.

A budget that comes with a status is believed until its pods change; one without is worked out at once.

Source: pkg/controller/disruption/disruption.go, trySync, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.meta import Condition
from scheduler_core.api.policy import PodDisruptionBudgetStatus
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.api_server.errors import resource_of
from scheduler_core.simulator.api_server.eviction import guards
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.int_or_percent import NotACountError, scaled
from scheduler_core.simulator.controllers.pod_util import FALSE, TRUE, is_ready, now, with_condition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.api.meta import OwnerReference, Time
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.policy import PodDisruptionBudget
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

DELETION_TIMEOUT_US: Final = 120 * MICROSECONDS
"""For how long a pod whose eviction was allowed counts as gone, though nobody deletes it."""
ALLOWED: Final = "DisruptionAllowed"
_SCALABLE: Final = frozenset({"ReplicationController", "ReplicaSet", "Deployment", "StatefulSet"})
_UNKNOWN: Final = PodDisruptionBudgetStatus()


class ExpectationError(ValueError):
    """How many pods there should be cannot be told; the message says why."""


class DisruptionController(ControllerBase):
    """Keeps the status of budgets."""

    name = "disruption-controller"
    kind = "PodDisruptionBudget"
    kinds = frozenset({"PodDisruptionBudget", "Pod"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._events = EventRecorder(cluster, self.name)
        self._believed: set[str] = set()

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the budgets of a pod that changed looked at, and budgets of which nothing is known."""
        if kind == self.kind:
            if old is None and new is not None and new.status != _UNKNOWN:
                self._believed.add(key_of(new))
            elif new is not None and (old is None or old.spec != new.spec):
                self._believed.discard(key_of(new))
                self._queue.enqueue(key_of(new))
        elif old is None:
            if new is not None:
                self._queue.enqueue(f"{new.metadata.namespace}/")
        elif new is None or _matters(old, new):
            for budget in self._api.list(self.kind, old.metadata.namespace):
                if guards(budget, old) or (new is not None and guards(budget, new)):
                    self._believed.discard(key_of(budget))
                    self._queue.enqueue(key_of(budget))

    def sync(self, key: str) -> None:
        """Works a budget out; a key without a name means those of the namespace that do not just stand as told."""
        namespace, _, name = key.partition("/")
        if not name:
            for budget in tuple(self._api.list(self.kind, namespace)):
                if key_of(budget) not in self._believed:
                    self._work_out(budget)
            return
        budget = self._api.get(self.kind, namespace, name)
        if budget is not None:
            self._work_out(budget)

    def _work_out(self, budget: PodDisruptionBudget) -> None:
        namespace = budget.metadata.namespace
        pods = [pod for pod in self._api.list("Pod", namespace) if guards(budget, pod)]
        self._queue.busy(key_of(budget), len(pods))
        disrupted = self._still_disrupted(budget, pods)
        try:
            expected, desired = expectation(budget, pods, self._scales(namespace, pods))
        except (ExpectationError, NotACountError) as error:
            message = f"Failed to calculate the number of expected pods: {error}"
            self._events.warn(budget, "CalculateExpectedPodCountFailed", message)
            self._write(budget, replace(budget.status, disruptions_allowed=0), "SyncFailed", str(error))
            return
        healthy = sum(
            is_ready(pod) and pod.metadata.deletion_timestamp is None and pod.metadata.name not in disrupted
            for pod in pods
        )
        status = replace(
            budget.status,
            expected_pods=expected,
            desired_healthy=desired,
            current_healthy=healthy,
            disruptions_allowed=max(healthy - desired, 0) if expected > 0 else 0,
            disrupted_pods=disrupted,
        )
        self._write(budget, status, "SufficientPods" if status.disruptions_allowed else "InsufficientPods")
        if disrupted:
            oldest = min(disrupted.values())
            left_us = oldest + DELETION_TIMEOUT_US - self._wall_us()
            self._queue.enqueue_after(key_of(budget), max(left_us, 0))

    def _still_disrupted(self, budget: PodDisruptionBudget, pods: Sequence[Pod]) -> dict[str, Time]:
        """Pods whose eviction was allowed and that are not yet seen to go."""
        known = budget.status.disrupted_pods
        alive = {pod.metadata.name for pod in pods if pod.metadata.deletion_timestamp is None}
        wall_us = self._wall_us()
        return {
            name: at for name, at in known.items() if name in alive and at + DELETION_TIMEOUT_US > wall_us
        }

    def _scales(self, namespace: str, pods: Sequence[Pod]) -> dict[str, int]:
        """Uid of each controller of the pods → how many pods it is to have.

        An owner that the dump does not list is taken to have as many as there are.
        """
        scales: dict[str, int] = {}
        unlisted: dict[str, int] = {}
        for pod in pods:
            owner = pod.metadata.controller()
            if owner is None or owner.uid in scales:
                continue
            found = self._controller(namespace, owner)
            if found is None:
                unlisted[owner.uid] = unlisted.get(owner.uid, 0) + 1
            else:
                scales[owner.uid] = 0
                scales[found.metadata.uid] = found.spec.replicas or 0
        return scales | unlisted

    def _controller(self, namespace: str, owner: OwnerReference) -> Any | None:
        """What scales a pod's controller: a replica set's deployment, else the controller itself."""
        if owner.kind not in _SCALABLE:
            raise ExpectationError(f"{resource_of(owner.kind)} does not implement the scale subresource")
        found = self._api.get(owner.kind, namespace, owner.name)
        if found is None or found.metadata.uid != owner.uid:
            return None
        above = found.metadata.controller()
        if owner.kind == "ReplicaSet" and above is not None and above.kind == "Deployment":
            return self._api.get("Deployment", namespace, above.name) or found
        return found

    def _write(
        self, budget: PodDisruptionBudget, status: PodDisruptionBudgetStatus, reason: str, message: str = ""
    ) -> None:
        generation = budget.metadata.generation
        told = Condition(
            type=ALLOWED,
            status=TRUE if status.disruptions_allowed else FALSE,
            reason=reason,
            message=message,
            observed_generation=generation,
            last_transition_time=now(self._wall_us()),
        )
        status = replace(
            status,
            observed_generation=generation,
            conditions=with_condition(status.conditions, told),
        )
        self._api.update_status(replace(budget, status=status), by=self.name)


def expectation(
    budget: PodDisruptionBudget, pods: Sequence[Pod], scales: Mapping[str, int]
) -> tuple[int, int]:
    """Returns how many pods there should be and how many of them healthy; shares are rounded up.

    Args:
        budget: the budget
        pods: those it selects
        scales: how many pods each of their controllers is to have

    Raises:
        NotACountError: a share is no percentage.
    """
    spec = budget.spec
    if spec.max_unavailable is not None:
        expected = sum(scales.values())
        return expected, max(expected - scaled(spec.max_unavailable, expected, round_up=True), 0)
    if isinstance(spec.min_available, str):
        expected = sum(scales.values())
        return expected, scaled(spec.min_available, expected, round_up=True)
    return len(pods), spec.min_available or 0


def _matters(old: Pod, new: Pod) -> bool:
    return (
        is_ready(old) != is_ready(new)
        or old.metadata.labels != new.metadata.labels
        or old.metadata.deletion_timestamp != new.metadata.deletion_timestamp
        or old.metadata.owner_references != new.metadata.owner_references
    )
