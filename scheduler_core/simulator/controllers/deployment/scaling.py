"""A deployment that is scaled in the middle of a rollout: all its replica sets grow or shrink in proportion.

Source: pkg/controller/deployment/sync.go, scale; pkg/controller/deployment/util/deployment_util.go,
GetReplicaSetProportion, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.simulator.controllers.deployment.replica_sets import (
    DESIRED_REPLICAS,
    MAX_REPLICAS,
    active,
    age_key,
    annotated_count,
    fenceposts,
    is_rolling,
    num_replicas,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.workloads import Deployment, ReplicaSet


def is_scaling(deployment: Deployment, replica_sets: Sequence[ReplicaSet]) -> bool:
    """Returns whether the deployment's size is another than the one that its replica sets were made for."""
    noted = [annotated_count(own, DESIRED_REPLICAS) for own in active(replica_sets)]
    return any(count is not None and count != deployment.spec.replicas for count in noted)


def scaled_sizes(deployment: Deployment, new: ReplicaSet | None, old: Sequence[ReplicaSet]) -> dict[str, int]:
    """Returns name → size for every replica set that is to be written, changed or not."""
    replicas = deployment.spec.replicas or 0
    only = _active_or_latest(new, old)
    if only is not None:
        return {} if only.spec.replicas == replicas else {only.metadata.name: replicas}
    if new is not None and _is_saturated(deployment, new):
        return {own.metadata.name: 0 for own in active(old)}
    if not is_rolling(deployment):
        return {}
    return proportional_sizes(deployment, active([*old, *([new] if new else [])]))


def proportional_sizes(deployment: Deployment, replica_sets: Sequence[ReplicaSet]) -> dict[str, int]:
    """Returns name → size: what is to be added or taken is shared by size, the rest goes to the largest."""
    replicas = deployment.spec.replicas or 0
    allowed = replicas + fenceposts(deployment)[0] if replicas > 0 else 0
    to_add = allowed - num_replicas(replica_sets)
    newest_first = sorted(replica_sets, key=age_key, reverse=to_add > 0)
    ordered = sorted(newest_first, key=lambda own: own.spec.replicas or 0, reverse=True)
    sizes, added = {}, 0
    for own in ordered:
        share = _share(deployment, own, to_add, added) if to_add else 0
        sizes[own.metadata.name] = (own.spec.replicas or 0) + share
        added += share
    if to_add and ordered:
        name = ordered[0].metadata.name
        sizes[name] = max(sizes[name] + to_add - added, 0)
    return sizes


def _share(deployment: Deployment, replica_set: ReplicaSet, to_add: int, added: int) -> int:
    size, left = replica_set.spec.replicas or 0, to_add - added
    if size == 0 or left == 0:
        return 0
    share = _fraction(deployment, replica_set)
    return min(share, left) if to_add > 0 else max(share, left)


def _fraction(deployment: Deployment, replica_set: ReplicaSet) -> int:
    """By how much a replica set would grow if all grew as much as the deployment.

    **Numerics**: float64, rounded half away from zero, as upstream.
    """
    size, replicas = replica_set.spec.replicas or 0, deployment.spec.replicas or 0
    if replicas == 0:
        return -size
    before = annotated_count(replica_set, MAX_REPLICAS) or deployment.status.replicas
    if before == 0:
        return 0
    wanted = float(size * (replicas + fenceposts(deployment)[0])) / float(before)
    return int(wanted + 0.5) - size


def _active_or_latest(new: ReplicaSet | None, old: Sequence[ReplicaSet]) -> ReplicaSet | None:
    """The only replica set that asks for pods; if none does, the new one, else the latest."""
    candidates = active([*sorted(old, key=age_key, reverse=True), *([new] if new else [])])
    if not candidates:
        return new if new is not None else max(old, key=age_key, default=None)
    return candidates[0] if len(candidates) == 1 else None


def _is_saturated(deployment: Deployment, new: ReplicaSet) -> bool:
    replicas = deployment.spec.replicas
    return (
        annotated_count(new, DESIRED_REPLICAS) == replicas
        and new.spec.replicas == replicas
        and new.status.available_replicas == replicas
    )
