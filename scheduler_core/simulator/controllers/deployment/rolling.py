"""How far a rolling update goes now: sizes for the new replica set and for the old ones.

Source: pkg/controller/deployment/rolling.go; pkg/controller/deployment/util/deployment_util.go, NewRSNewReplicas,
v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.simulator.controllers.deployment.replica_sets import (
    age_key,
    fenceposts,
    is_rolling,
    num_available,
    num_replicas,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.workloads import Deployment, ReplicaSet


def new_size(deployment: Deployment, num_new: int, num_all: int) -> int:
    """Returns how many pods the new replica set may ask for.

    Args:
        deployment: the deployment
        num_new: how many the new replica set asks for
        num_all: how many all of them ask for
    """
    replicas = deployment.spec.replicas or 0
    if num_new > replicas or not is_rolling(deployment):
        return replicas
    room = replicas + fenceposts(deployment)[0] - num_all
    return num_new if room <= 0 else num_new + min(room, replicas - num_new)


def old_sizes(deployment: Deployment, new: ReplicaSet, old: Sequence[ReplicaSet]) -> dict[str, int]:
    """Returns name → how many pods an old replica set is to ask for, of those that are to shrink.

    First go pods that are not available, which harms nobody; then as many as are not needed to keep the minimum.
    """
    sizes = {own.metadata.name: own.spec.replicas or 0 for own in old}
    if not any(sizes.values()):
        return {}
    all_sets = [*old, new]
    min_available = (deployment.spec.replicas or 0) - fenceposts(deployment)[1]
    new_unavailable = (new.spec.replicas or 0) - new.status.available_replicas
    room = num_replicas(all_sets) - min_available - new_unavailable
    if room <= 0:
        return {}
    oldest_first = sorted(old, key=age_key)
    for own in oldest_first:
        size = sizes[own.metadata.name]
        unhealthy = min(room, max(size - own.status.available_replicas, 0))
        sizes[own.metadata.name] = size - unhealthy
        room -= unhealthy
    spare = num_available(all_sets) - min_available
    for own in oldest_first:
        gone = max(min(sizes[own.metadata.name], spare), 0)
        sizes[own.metadata.name] -= gone
        spare -= gone
    return {
        own.metadata.name: sizes[own.metadata.name]
        for own in oldest_first
        if sizes[own.metadata.name] != (own.spec.replicas or 0)
    }
