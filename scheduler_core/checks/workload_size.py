"""How many pods a workload is to have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.api.batch import Job
from scheduler_core.api.workloads import (
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
)

if TYPE_CHECKING:
    from scheduler_core.api.kinds import KubeObject


MAKE_PODS: Final = frozenset(
    {"CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "ReplicationController", "StatefulSet"}
)
"""The kinds that stand for pods; a Pod for itself."""


def desired(object_: KubeObject) -> int:
    """Returns how many pods there are to be at once; 0 for what is no workload, or makes pods as nodes or time ask."""
    if isinstance(object_, Deployment | ReplicaSet | StatefulSet | ReplicationController):
        return 1 if object_.spec.replicas is None else object_.spec.replicas
    if isinstance(object_, Job) and not object_.spec.suspend:
        parallelism = 1 if object_.spec.parallelism is None else object_.spec.parallelism
        completions = parallelism if object_.spec.completions is None else object_.spec.completions
        return max(min(parallelism, completions - object_.status.succeeded), 0)
    return 0
