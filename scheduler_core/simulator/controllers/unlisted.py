"""The history of workloads that a dump leaves out: what nobody listed is not missing in the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from scheduler_core.api.pod import Pod
from scheduler_core.api.workloads import (
    ControllerRevision,
    DaemonSet,
    Deployment,
    ReplicaSet,
    StatefulSet,
)
from scheduler_core.simulator.controllers.deployment.replica_sets import revision_of
from scheduler_core.simulator.controllers.deployment.revisions import new_replica_set
from scheduler_core.simulator.controllers.hashing import template_hash
from scheduler_core.simulator.controllers.history import most_common_hash, new_revision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scheduler_core.api.kinds import KubeObject


def unlisted_history(found: Sequence[KubeObject]) -> Iterator[KubeObject]:
    """Yields the revision of each set, and the replica set of each deployment without pods, of which none is listed.

    Only what a controller has looked at has a history: a set with pods, or one whose status says so.

    Args:
        found: the objects of a cluster, with their owners' uids.
    """
    makers = [obj for obj in found if isinstance(obj, Deployment | StatefulSet | DaemonSet)]
    if not makers:
        return
    listed = _owners(obj for obj in found if isinstance(obj, ControllerRevision | ReplicaSet))
    pods = _owners(obj for obj in found if isinstance(obj, Pod))
    for maker in makers:
        uid = maker.metadata.uid
        if uid in listed:
            continue
        if isinstance(maker, Deployment):
            seen = maker.status.observed_generation or revision_of(maker)
            if seen and maker.spec.replicas == 0:
                made = new_replica_set(maker, ())
                created = maker.metadata.creation_timestamp
                yield replace(made, metadata=replace(made.metadata, creation_timestamp=created))
        elif uid in pods or maker.status.observed_generation:
            yield _revision(maker, [pod for pod in pods.get(uid, ()) if isinstance(pod, Pod)])


def _revision(maker: StatefulSet | DaemonSet, pods: Sequence[Pod]) -> ControllerRevision:
    """The revision of a set's template, by the name that its pods and its status have for it."""
    name, common = maker.metadata.name, most_common_hash(pods)
    if isinstance(maker, StatefulSet):
        known = maker.status.update_revision or common
    else:
        known = f"{name}-{common}" if common else ""
    hash_ = template_hash(maker.spec.template, maker.status.collision_count)
    return new_revision(maker, known or f"{name}-{hash_}", 1)


def _owners(objects: Iterable[KubeObject]) -> dict[str, list[KubeObject]]:
    """Returns the uid of a controller → the objects that it has."""
    result: dict[str, list[KubeObject]] = {}
    for obj in objects:
        owner = obj.metadata.controller()
        if owner is not None:
            result.setdefault(owner.uid, []).append(obj)
    return result
