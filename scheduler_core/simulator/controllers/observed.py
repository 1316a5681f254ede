"""A cluster as it was found, completed so that controllers take it for balanced: nothing restarts unasked.

What a dump leaves out is not what is missing in the cluster. A bound pod of which no status came runs; an owner whose
uid is another than its dependents say, because one of them was written by hand, is their owner if its name is; and the
replica sets of a deployment's pods are there, and the revisions of a set's, also if nobody listed them. Pods that end
or have ended need no replica set: theirs may well be gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scheduler_core.api.defaulting import default_object
from scheduler_core.api.meta import ObjectMeta, OwnerReference
from scheduler_core.api.pod import PENDING, RUNNING, Pod
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.storage import PersistentVolume
from scheduler_core.api.unread import UNREAD
from scheduler_core.api.workloads import Deployment, ReplicaSet, ReplicaSetSpec
from scheduler_core.simulator.controllers.controller_ref_manager import controller_ref, selects
from scheduler_core.simulator.controllers.deployment.replica_sets import HASH_LABEL
from scheduler_core.simulator.controllers.kubelet.status import observed as observed_status
from scheduler_core.simulator.controllers.pod_util import is_active, now
from scheduler_core.simulator.controllers.unlisted import unlisted_history

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.kinds import KubeObject


def observed(objects: Iterable[KubeObject], wall_us: int) -> list[KubeObject]:
    """Returns the objects of a cluster, completed.

    Args:
        objects: with their defaults
        wall_us: now, microseconds since 1970
    """
    found = [_settled(obj, wall_us) for obj in objects]
    uids = {obj.metadata.uid for obj in found}
    strangers = [
        place
        for place, obj in enumerate(found)
        if any(owner.uid not in uids for owner in obj.metadata.owner_references)
    ]
    if strangers:
        found += _adopted(found, strangers, uids)
    return [*found, *map(default_object, unlisted_history(found))]


def _adopted(found: list[KubeObject], strangers: Sequence[int], uids: set[str]) -> list[ReplicaSet]:
    """Gives objects the uids that their owners have here, in place; returns the replica sets that pods name in vain."""
    by_name = {(obj.kind, obj.metadata.namespace, obj.metadata.name): obj.metadata.uid for obj in found}
    lost: list[int] = []
    for place in strangers:
        obj = found[place]
        owners = obj.metadata.owner_references
        named = tuple(_with_uid(owner, uids, by_name, obj.metadata.namespace) for owner in owners)
        if named != owners:
            found[place] = replace(obj, metadata=replace(obj.metadata, owner_references=named))
        if any(owner.uid not in uids for owner in named):
            lost.append(place)
    orphans = [obj for place in lost if isinstance(obj := found[place], Pod) and is_active(obj)]
    return _missing_replica_sets(found, orphans)


def _settled(obj: KubeObject, wall_us: int) -> KubeObject:
    """A bound pod runs, and a volume that nobody has is to be had, where nothing else was told."""
    if isinstance(obj, Pod):
        return _running(obj, wall_us)
    if isinstance(obj, PersistentVolume) and obj.status.phase == PENDING and obj.spec.claim_ref is None:
        return replace(obj, status=replace(obj.status, phase="Available"))
    return obj


def _running(pod: Pod, wall_us: int) -> Pod:
    status = pod.status
    silent = not status.conditions and not status.container_statuses
    begun = status.phase == RUNNING or (status.phase == PENDING and status.start_time is None)
    if not pod.spec.node_name or not silent or not begun:
        return pod
    return replace(pod, status=observed_status(pod, now(wall_us)))


def _with_uid(
    owner: OwnerReference, uids: set[str], by_name: dict[tuple[str, str, str], str], namespace: str
) -> OwnerReference:
    if owner.uid in uids:
        return owner
    for place in (namespace, ""):
        uid = by_name.get((owner.kind, place, owner.name))
        if uid is not None:
            return replace(owner, uid=uid)
    return owner


def _missing_replica_sets(found: Sequence[KubeObject], orphans: Sequence[Pod]) -> list[ReplicaSet]:
    """The replica sets that pods name and nobody listed, where a deployment that is there selects the pods.

    The one whose pods are most, of several the first, has the deployment's template, so it is the new one.
    """
    deployments: dict[str, list[Deployment]] = {}
    for obj in found:
        if isinstance(obj, Deployment):
            deployments.setdefault(obj.metadata.namespace, []).append(obj)
    pods_of: dict[tuple[str, str, str], list[Pod]] = {}
    for pod in orphans:
        owner = pod.metadata.controller()
        if owner is not None and owner.kind == "ReplicaSet" and pod.metadata.namespace in deployments:
            pods_of.setdefault((pod.metadata.namespace, owner.name, owner.uid), []).append(pod)
    made: list[ReplicaSet] = []
    current: set[str] = set()
    for (namespace, name, uid), pods in sorted(pods_of.items(), key=lambda item: (-len(item[1]), item[0])):
        labels = pods[0].metadata.labels
        deployment = next((own for own in deployments[namespace] if selects(own.spec.selector, labels)), None)
        if deployment is not None:
            is_new = deployment.metadata.uid not in current
            current.add(deployment.metadata.uid)
            made.append(_replica_set(deployment, name, uid, pods, is_new=is_new))
    return made


def _replica_set(
    deployment: Deployment, name: str, uid: str, pods: Sequence[Pod], *, is_new: bool
) -> ReplicaSet:
    first = pods[0]
    digest = first.metadata.labels.get(HASH_LABEL)
    label = {HASH_LABEL: digest} if digest else {}
    template = deployment.spec.template
    spec: Any = template.spec if is_new else replace(first.spec, node_name="")
    labels = {**template.metadata.labels, **label}
    annotations = template.metadata.annotations if is_new else {**template.metadata.annotations, UNREAD: name}
    selector = deployment.spec.selector or LabelSelector()
    return ReplicaSet(
        metadata=ObjectMeta(
            namespace=deployment.metadata.namespace,
            name=name,
            uid=uid,
            labels=labels,
            creation_timestamp=first.metadata.creation_timestamp,
            owner_references=(controller_ref(deployment),),
        ),
        spec=ReplicaSetSpec(
            replicas=len(pods),
            min_ready_seconds=deployment.spec.min_ready_seconds,
            selector=replace(selector, match_labels={**selector.match_labels, **label}),
            template=replace(
                template,
                metadata=replace(template.metadata, labels=labels, annotations=annotations),
                spec=spec,
            ),
        ),
    )
