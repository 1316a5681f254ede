"""Stateful sets: pods by number, in order unless told otherwise, each with its claims.

Source: pkg/controller/statefulset/{stateful_set,stateful_set_control,stateful_pod_control}.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scheduler_core.api.pod import RUNNING
from scheduler_core.api.workloads import ROLLING_UPDATE, StatefulSetStatus
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.controller_ref_manager import ControllerRefManager
from scheduler_core.simulator.controllers.history import REVISION_LABEL, History, most_common_hash
from scheduler_core.simulator.controllers.pod_control import delete_pods
from scheduler_core.simulator.controllers.pod_util import available_at, is_available, is_ready
from scheduler_core.simulator.controllers.stateful_set.identity import (
    claim_owners,
    claims,
    numbered_pod,
    ordinal_of,
)
from scheduler_core.simulator.controllers.stateful_set.plan import Members, members, plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.workloads import ControllerRevision, StatefulSet
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue


class StatefulSetController(ControllerBase):
    """Keeps numbered pods and their claims."""

    name = "statefulset-controller"
    kind = "StatefulSet"
    kinds = frozenset({"StatefulSet", "Pod"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._refs = ControllerRefManager(self._api, self.kind, "Pod", lambda own: own.spec.selector)
        self._history = History(self._api, self.name)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the set of the change looked at."""
        if kind == self.kind:
            self._refs.on_owner(old, new)
            super().on_event(kind, old, new)
        else:
            for key in self._refs.on_owned(old, new):
                self._queue.enqueue(key)

    def sync(self, key: str) -> None:
        """Does the next step, and tells how many pods there are of which revision."""
        stateful_set: StatefulSet | None = self._find(key)
        if stateful_set is None:
            return
        owned: list[Pod] = self._refs.claim(stateful_set, by=self.name)
        pods = [pod for pod in owned if ordinal_of(stateful_set, pod) is not None]
        self._queue.busy(key, len(pods))
        known = stateful_set.status.update_revision or most_common_hash(pods)
        update = self._history.update_revision(stateful_set, known)
        current = self._current_revision(stateful_set, update)
        revisions = self._revisions(stateful_set, pods)
        if stateful_set.metadata.deletion_timestamp is None:
            found = members(stateful_set, pods)
            self._keep_claims(stateful_set, found)
            step = plan(stateful_set, found, revisions, update.metadata.name, self._wall_us())
            for ordinal in step.create:
                self._create(stateful_set, ordinal, current, update)
            delete_pods(self._api, step.delete, by=self.name)
            self._history.truncate(
                stateful_set, {current.metadata.name, update.metadata.name, *revisions.values()}
            )
        self._update_status(stateful_set, pods, revisions, current, update)

    def _revisions(self, stateful_set: StatefulSet, pods: Sequence[Pod]) -> Mapping[str, str]:
        """Pod name → its revision; a pod that says none came with the first one."""
        first = self._history.of(stateful_set)[0].metadata.name
        return {pod.metadata.name: pod.metadata.labels.get(REVISION_LABEL) or first for pod in pods}

    def _current_revision(self, stateful_set: StatefulSet, update: ControllerRevision) -> ControllerRevision:
        name = stateful_set.status.current_revision
        revisions = self._history.of(stateful_set)
        return next((own for own in revisions if own.metadata.name == name), update)

    def _create(
        self,
        stateful_set: StatefulSet,
        ordinal: int,
        current: ControllerRevision,
        update: ControllerRevision,
    ) -> None:
        """Makes a pod and its claims; numbers below the partition stay with the current revision."""
        for claim in claims(stateful_set, ordinal):
            metadata = claim.metadata
            if self._api.get(claim.kind, metadata.namespace, metadata.name) is None:
                self._api.create(claim, by=self.name)
        strategy = stateful_set.spec.update_strategy
        partition = strategy.rolling_update.partition if strategy.rolling_update is not None else 0
        first = members(stateful_set, ()).first
        is_held_back = strategy.type == ROLLING_UPDATE and ordinal < first + (partition or 0)
        revision = current if is_held_back else update
        template = self._history.template(revision)
        self._api.create(numbered_pod(stateful_set, template, revision.metadata.name, ordinal), by=self.name)

    def _keep_claims(self, stateful_set: StatefulSet, found: Members) -> None:
        """Has claims owned by who takes them along when it goes."""
        if not stateful_set.spec.volume_claim_templates:
            return
        pods = {**found.replicas}
        condemned = {ordinal_of(stateful_set, pod): pod for pod in found.condemned}
        for ordinal in [*pods, *(number for number in condemned if number is not None)]:
            for wanted in claims(stateful_set, ordinal):
                metadata = wanted.metadata
                claim = self._api.get(wanted.kind, metadata.namespace, metadata.name)
                if claim is None:
                    continue
                owners = claim_owners(stateful_set, claim, condemned.get(ordinal))
                if owners != claim.metadata.owner_references:
                    changed = replace(claim.metadata, owner_references=owners)
                    self._api.update(replace(claim, metadata=changed), by=self.name)

    def _update_status(
        self,
        stateful_set: StatefulSet,
        pods: Sequence[Pod],
        revisions: Mapping[str, str],
        current: ControllerRevision,
        update: ControllerRevision,
    ) -> None:
        stored = self._find(key_of(stateful_set))
        if stored is None:
            return
        wall_us, min_ready = self._wall_us(), stateful_set.spec.min_ready_seconds
        status = set_status(
            stored.status,
            pods,
            revisions,
            (current.metadata.name, update.metadata.name),
            min_ready,
            wall_us,
        )
        status = replace(status, observed_generation=stateful_set.metadata.generation)
        if stateful_set.spec.update_strategy.type == ROLLING_UPDATE:
            status = completed(status)
        self._api.update_status(replace(stored, status=status), by=self.name)
        found = (available_at(pod, min_ready, wall_us) for pod in pods)
        moments = [at for at in found if at is not None and at > wall_us]
        if moments:
            self._queue.enqueue_after(key_of(stateful_set), min(moments) - wall_us)


def set_status(
    before: StatefulSetStatus,
    pods: Sequence[Pod],
    revisions: Mapping[str, str],
    names: tuple[str, str],
    min_ready_seconds: int,
    wall_us: int,
) -> StatefulSetStatus:
    """Returns how many pods there are; ``names`` are the current revision and the one to come."""
    current, update = names
    alive = [pod for pod in pods if pod.metadata.deletion_timestamp is None]
    ready = [pod for pod in pods if pod.status.phase == RUNNING and is_ready(pod)]
    return replace(
        before,
        replicas=len(pods),
        ready_replicas=len(ready),
        available_replicas=sum(is_available(pod, min_ready_seconds, wall_us) for pod in ready),
        current_replicas=sum(revisions[pod.metadata.name] == current for pod in alive),
        updated_replicas=sum(revisions[pod.metadata.name] == update for pod in alive),
        current_revision=current,
        update_revision=update,
    )


def completed(status: StatefulSetStatus) -> StatefulSetStatus:
    """Returns the status in which the revision to come is the current one, if all pods have it and are ready."""
    if status.updated_replicas == status.replicas == status.ready_replicas:
        return replace(
            status, current_replicas=status.updated_replicas, current_revision=status.update_revision
        )
    return status
