"""Deployments: from a template to replica sets, old ones down and the new one up.

Source: pkg/controller/deployment/{deployment_controller,sync,recreate}.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.controllers.base import ControllerBase, key_of, owner_key
from scheduler_core.simulator.controllers.controller_ref_manager import ControllerRefManager
from scheduler_core.simulator.controllers.deployment import progress
from scheduler_core.simulator.controllers.deployment.replica_sets import (
    REVISION,
    active,
    find_new,
    is_rolling,
    others,
    replicas_annotations,
    revision_of,
    without_hash,
)
from scheduler_core.simulator.controllers.deployment.revisions import (
    annotated,
    new_replica_set,
    next_revision,
)
from scheduler_core.simulator.controllers.deployment.rolling import new_size, old_sizes
from scheduler_core.simulator.controllers.deployment.scaling import is_scaling, scaled_sizes
from scheduler_core.simulator.controllers.pod_util import TRUE, condition_of, is_finished, now

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.api.workloads import Deployment, DeploymentStatus, ReplicaSet
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue


class DeploymentController(ControllerBase):
    """Rolls out a deployment's template."""

    name: str = "deployment-controller"
    kind: str = "Deployment"
    kinds: frozenset[str] = frozenset({"Deployment", "ReplicaSet", "Pod"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._refs = ControllerRefManager(
            self._api, self.kind, "ReplicaSet", lambda deployment: deployment.spec.selector
        )

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the deployment of the change looked at; of pods only the last old one matters, to Recreate."""
        if kind == self.kind:
            self._refs.on_owner(old, new)
            super().on_event(kind, old, new)
        elif kind == "ReplicaSet":
            for key in self._refs.on_owned(old, new):
                self._queue.enqueue(key)
        elif old is not None and (new is None or is_finished(new)):
            replica_set_key = owner_key(old, "ReplicaSet")
            replica_set = self._find(replica_set_key, "ReplicaSet") if replica_set_key else None
            owner = owner_key(replica_set, self.kind)
            deployment = self._find(owner) if owner else None
            if owner and deployment is not None and not is_rolling(deployment):
                self._queue.enqueue(owner)

    def sync(self, key: str) -> None:
        """Does the next step of a rollout, and tells how far it is."""
        deployment: Deployment | None = self._find(key)
        if deployment is None:
            return
        if deployment.spec.selector is None or deployment.spec.selector.is_empty():
            return
        replica_sets: list[ReplicaSet] = self._refs.claim(deployment, by=self.name)
        if deployment.metadata.deletion_timestamp is not None:
            self._write_status(deployment, replica_sets, is_rollout=False)
            return
        deployment = self._told_of_pause(deployment)
        if deployment.spec.paused or is_scaling(deployment, replica_sets):
            new, replica_sets = self._with_new(deployment, replica_sets, create=False)
            old = others(replica_sets, new)
            self._resize(deployment, replica_sets, scaled_sizes(deployment, new, old))
            if deployment.spec.paused:
                self._clean_up(deployment, old)
            self._write_status(deployment, replica_sets, is_rollout=False)
        elif is_rolling(deployment):
            self._roll(deployment, replica_sets)
        else:
            self._recreate(deployment, replica_sets)

    # The ways to roll out.

    def _roll(self, deployment: Deployment, replica_sets: list[ReplicaSet]) -> None:
        new, replica_sets = self._with_new(deployment, replica_sets, create=True)
        if new is not None:
            old = others(replica_sets, new)
            size = new_size(deployment, new.spec.replicas or 0, _asked(replica_sets))
            grown = self._resize(deployment, replica_sets, {new.metadata.name: size})
            if not grown and not self._resize(deployment, replica_sets, old_sizes(deployment, new, old)):
                self._clean_up_if_complete(deployment, old)
        self._write_status(deployment, replica_sets, is_rollout=True)

    def _recreate(self, deployment: Deployment, replica_sets: list[ReplicaSet]) -> None:
        new, replica_sets = self._with_new(deployment, replica_sets, create=False)
        old = others(replica_sets, new)
        gone = self._resize(deployment, replica_sets, {own.metadata.name: 0 for own in active(old)})
        if not gone and not self._has_pods(old):
            new, replica_sets = self._with_new(deployment, replica_sets, create=True)
            if new is not None:
                size = deployment.spec.replicas or 0
                self._resize(deployment, replica_sets, {new.metadata.name: size})
                self._clean_up_if_complete(deployment, old)
        self._write_status(deployment, replica_sets, is_rollout=True)

    def _has_pods(self, replica_sets: Sequence[ReplicaSet]) -> bool:
        """Whether any pod of the old template has not yet ended; one that is terminating has not."""
        return any(
            not is_finished(pod)
            for own in replica_sets
            for pod in self._api.owned_by(own.metadata.uid, "Pod")
        )

    # Replica sets.

    def _with_new(
        self, deployment: Deployment, replica_sets: list[ReplicaSet], *, create: bool
    ) -> tuple[ReplicaSet | None, list[ReplicaSet]]:
        """Finds the replica set of the template, or makes it; it has the highest number."""
        new = find_new(deployment, replica_sets)
        old = others(replica_sets, new)
        if new is not None:
            wanted = annotated(new, deployment, next_revision(old))
            min_ready = deployment.spec.min_ready_seconds
            if wanted.spec.min_ready_seconds != min_ready:
                wanted = replace(wanted, spec=replace(wanted.spec, min_ready_seconds=min_ready))
            new = self._api.update(wanted, by=self.name) if wanted != new else new
            self._note_revision(
                deployment, new, "FoundNewReplicaSet", f'Found new replica set "{new.metadata.name}"'
            )
        elif create:
            new = self._create(deployment, old)
        return new, [*old, *([new] if new is not None else [])]

    def _create(self, deployment: Deployment, old: Sequence[ReplicaSet]) -> ReplicaSet | None:
        made = new_replica_set(deployment, old)
        metadata = made.metadata
        try:
            new: ReplicaSet = self._api.create(made, by=self.name)
        except ApiError as error:
            if error.reason == "AlreadyExists":
                return self._settle_collision(deployment, made)
            if progress.has_deadline(deployment):
                message = f'Failed to create new replica set "{metadata.name}": {error.message}'
                self._tell(deployment, progress.PROGRESSING, "False", "FailedCreate", message)
            raise
        self._note_revision(
            deployment, new, "NewReplicaSetCreated", f'Created new replica set "{metadata.name}"', again=True
        )
        return new

    def _settle_collision(self, deployment: Deployment, made: ReplicaSet) -> ReplicaSet | None:
        """The name is taken: by our own of the same template, or by another; then the next try has another hash."""
        found = self._api.get("ReplicaSet", made.metadata.namespace, made.metadata.name)
        owner = found.metadata.controller() if found is not None else None
        ours = owner is not None and owner.uid == deployment.metadata.uid
        if (
            found is not None
            and ours
            and without_hash(found.spec.template) == without_hash(made.spec.template)
        ):
            return found  # type: ignore[no-any-return]
        count = (deployment.status.collision_count or 0) + 1
        status = replace(deployment.status, collision_count=count)
        self._api.update_status(replace(self._current(deployment), status=status), by=self.name)
        self._queue.enqueue(key_of(deployment))
        return None

    def _resize(
        self, deployment: Deployment, replica_sets: list[ReplicaSet], sizes: Mapping[str, int]
    ) -> bool:
        """Writes sizes; whether any of them is another than before."""
        notes = replicas_annotations(deployment)
        changed = False
        for place, own in enumerate(replica_sets):
            size = sizes.get(own.metadata.name)
            if size is None:
                continue
            is_noted = all(own.metadata.annotations.get(name) == value for name, value in notes.items())
            if size == own.spec.replicas and is_noted:
                continue
            annotations = {**own.metadata.annotations, **notes}
            wanted = replace(
                own,
                metadata=replace(own.metadata, annotations=annotations),
                spec=replace(own.spec, replicas=size),
            )
            changed = changed or size != own.spec.replicas
            replica_sets[place] = self._api.update(wanted, by=self.name)
        return changed

    def _clean_up_if_complete(self, deployment: Deployment, old: Sequence[ReplicaSet]) -> None:
        if progress.is_complete(deployment, deployment.status):
            self._clean_up(deployment, old)

    def _clean_up(self, deployment: Deployment, old: Sequence[ReplicaSet]) -> None:
        """Deletes the oldest replica sets without pods that are more than the history may hold."""
        limit = deployment.spec.revision_history_limit
        alive = [own for own in old if own.metadata.deletion_timestamp is None]
        if limit is None or len(alive) <= limit:
            return
        for own in sorted(alive, key=revision_of)[: len(alive) - limit]:
            is_settled = own.metadata.generation <= own.status.observed_generation
            if own.status.replicas == 0 and not own.spec.replicas and is_settled:
                self._api.delete("ReplicaSet", own.metadata.namespace, own.metadata.name, by=self.name)

    # What is told.

    def _told_of_pause(self, deployment: Deployment) -> Deployment:
        told = progress.pause_condition(deployment, now(self._wall_us()))
        if told is None:
            return deployment
        return self._tell(deployment, told.type, told.status, told.reason, told.message)

    def _tell(self, deployment: Deployment, type_: str, status: str, reason: str, message: str) -> Deployment:
        told = progress.condition(type_, status, reason, message, now(self._wall_us()))
        current = self._current(deployment)
        conditions = progress.with_condition(current.status.conditions, told)
        changed = replace(current, status=replace(current.status, conditions=conditions))
        written: Deployment = self._api.update_status(changed, by=self.name)
        return written

    def _note_revision(
        self, deployment: Deployment, new: ReplicaSet, reason: str, message: str, *, again: bool = False
    ) -> None:
        """Gives the deployment its replica set's number, and says so at the beginning of a rollout."""
        number = new.metadata.annotations.get(REVISION, "")
        current = self._current(deployment)
        if number and current.metadata.annotations.get(REVISION) != number:
            annotations = {**current.metadata.annotations, REVISION: number}
            wanted = replace(current, metadata=replace(current.metadata, annotations=annotations))
            current = self._api.update(wanted, by=self.name)
        known = condition_of(current.status.conditions, progress.PROGRESSING)
        if progress.has_deadline(current) and (again or known is None):
            self._tell(current, progress.PROGRESSING, TRUE, reason, message)

    def _write_status(
        self, deployment: Deployment, replica_sets: Sequence[ReplicaSet], *, is_rollout: bool
    ) -> None:
        current = self._current(deployment)
        new = find_new(current, replica_sets)
        begin_us, wall_us = self._cluster.clock.epoch_us, self._wall_us()
        status: DeploymentStatus
        if is_rollout:
            late = progress.is_timed_out(current, begin_us, wall_us)
            status = progress.rollout_status(current, new, replica_sets, now(wall_us), is_late=late)
        else:
            status = progress.counted_status(current, new, replica_sets, now(wall_us))
        self._api.update_status(replace(current, status=status), by=self.name)
        delay_us = progress.next_check_us(current, status, begin_us, wall_us)
        if delay_us is None:
            self._queue.forget_later(key_of(deployment))  # it has nothing to wait for any more
        elif is_rollout and status == current.status:
            self._queue.enqueue_after(key_of(deployment), delay_us)

    def _current(self, deployment: Deployment) -> Deployment:
        """The deployment as it is stored by now."""
        found: Deployment = self._api.require(
            self.kind, deployment.metadata.namespace, deployment.metadata.name
        )
        return found


def _asked(replica_sets: Sequence[ReplicaSet]) -> int:
    return sum(own.spec.replicas or 0 for own in replica_sets)
