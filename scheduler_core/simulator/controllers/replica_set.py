"""Replica sets keep a number of pods alike.

Source: pkg/controller/replicaset/{replica_set,replica_set_utils}.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.meta import Condition
from scheduler_core.api.workloads import ReplicaSetStatus
from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.controller_ref_manager import ControllerRefManager
from scheduler_core.simulator.controllers.deletion_order import deletion_order
from scheduler_core.simulator.controllers.pod_control import delete_pods, pod_from_template, slow_start
from scheduler_core.simulator.controllers.pod_util import (
    TRUE,
    available_at,
    condition_of,
    is_active,
    now,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.selectors import LabelSelector
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

BURST_REPLICAS: Final = 500
"""How many pods are made or deleted in one go."""
REPLICA_FAILURE: Final = "ReplicaFailure"


class ReplicaSetController(ControllerBase):
    """Makes pods that are missing, deletes those too many."""

    name: str = "replicaset-controller"
    kind: str = "ReplicaSet"
    kinds: frozenset[str] = frozenset({"ReplicaSet", "Pod"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._refs = ControllerRefManager(self._api, self.kind, "Pod", self._selector)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the replica set of the change looked at."""
        if kind == self.kind:
            self._refs.on_owner(old, new)
            super().on_event(kind, old, new)
        else:
            for key in self._refs.on_owned(old, new):
                self._queue.enqueue(key)

    def sync(self, key: str) -> None:
        """Brings the number of pods to that which is wanted, and tells how many there are."""
        replica_set = self._find(key)
        if replica_set is None:
            return
        pods = [pod for pod in self._refs.claim(replica_set, by=self.name) if is_active(pod)]
        self._queue.busy(key, len(pods))
        refusal: ApiError | None = None
        if replica_set.metadata.deletion_timestamp is None:
            try:
                self._manage_replicas(replica_set, pods)
            except ApiError as error:
                refusal = error
        self._update_status(replica_set, pods, refusal)
        if refusal is not None:
            raise refusal

    def _manage_replicas(self, replica_set: Any, pods: Sequence[Pod]) -> None:
        difference = len(pods) - (replica_set.spec.replicas or 0)
        if difference < 0:
            pod = pod_from_template(self._template(replica_set), replica_set)
            count = min(-difference, BURST_REPLICAS)
            slow_start(count, lambda: self._api.create(pod, by=self.name))
        elif difference > 0:
            related = self._related_pods(replica_set)
            ranked = deletion_order(pods, related, self._wall_us())
            delete_pods(self._api, ranked[: min(difference, BURST_REPLICAS)], by=self.name)

    def _related_pods(self, replica_set: Any) -> Iterable[Pod]:
        """The pods of all replica sets that have the same controller, as of a rollout's old and new one."""
        owner = replica_set.metadata.controller()
        siblings = [replica_set] if owner is None else self._api.owned_by(owner.uid, self.kind)
        for sibling in tuple(siblings):
            yield from self._api.owned_by(sibling.metadata.uid, "Pod")

    def _update_status(self, replica_set: Any, pods: Sequence[Pod], refusal: ApiError | None) -> None:
        current = self._find(key_of(replica_set))
        if current is None:
            return
        wall_us = self._wall_us()
        min_ready = replica_set.spec.min_ready_seconds
        status = replica_set_status(
            current.status, pods, self._template(replica_set).metadata.labels, min_ready, wall_us
        )
        status = replace(
            status,
            observed_generation=replica_set.metadata.generation,
            conditions=_conditions(status.conditions, len(pods), replica_set.spec.replicas, refusal, wall_us),
        )
        self._api.update_status(replace(current, status=status), by=self.name)
        if status.ready_replicas != status.available_replicas:
            found = (available_at(pod, min_ready, wall_us) for pod in pods)
            moments = [at for at in found if at is not None and at > wall_us]
            if moments:
                self._queue.enqueue_after(key_of(replica_set), min(moments) - wall_us)

    def _selector(self, replica_set: Any) -> LabelSelector | None:
        selector: LabelSelector | None = replica_set.spec.selector
        return selector

    def _template(self, replica_set: Any) -> Any:
        return replica_set.spec.template


def replica_set_status(
    before: ReplicaSetStatus,
    pods: Sequence[Pod],
    template_labels: dict[str, str],
    min_ready_seconds: int,
    wall_us: int,
) -> ReplicaSetStatus:
    """Returns how many pods there are, of which kind."""
    num_labeled = num_ready = num_available = 0
    wanted = template_labels.items()
    for pod in pods:
        num_labeled += wanted <= pod.metadata.labels.items()
        since = available_at(pod, min_ready_seconds, wall_us)
        if since is not None:
            num_ready += 1
            num_available += min_ready_seconds == 0 or since <= wall_us
    return replace(
        before,
        replicas=len(pods),
        fully_labeled_replicas=num_labeled,
        ready_replicas=num_ready,
        available_replicas=num_available,
    )


def _conditions(
    before: tuple[Condition, ...], num_pods: int, replicas: int | None, refusal: ApiError | None, wall_us: int
) -> tuple[Condition, ...]:
    """Sets ReplicaFailure where pods could not be made or deleted, and takes it away when all went well."""
    failure = condition_of(before, REPLICA_FAILURE)
    if refusal is None:
        return tuple(own for own in before if own is not failure)
    if failure is not None:
        return before
    reason = "FailedCreate" if num_pods < (replicas or 0) else "FailedDelete"
    return (
        *before,
        Condition(
            type=REPLICA_FAILURE,
            status=TRUE,
            reason=reason,
            message=refusal.message,
            last_transition_time=now(wall_us),
        ),
    )
