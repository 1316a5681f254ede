"""All controllers by upstream's names; the only module that imports them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from scheduler_core.simulator.controllers.cron_job.cron_job_controller import CronJobController
from scheduler_core.simulator.controllers.daemon.daemon_controller import DaemonSetController
from scheduler_core.simulator.controllers.deployment.deployment_controller import DeploymentController
from scheduler_core.simulator.controllers.disruption import DisruptionController
from scheduler_core.simulator.controllers.ephemeral_volume import (
    EphemeralVolumeController,
    has_ephemeral_volumes,
)
from scheduler_core.simulator.controllers.garbage_collector import GarbageCollector
from scheduler_core.simulator.controllers.horizontal_pod_autoscaler import (
    HorizontalPodAutoscalerController,
)
from scheduler_core.simulator.controllers.interface import Cluster, Controller, WorkQueue
from scheduler_core.simulator.controllers.job.job_controller import JobController
from scheduler_core.simulator.controllers.kubelet.annotations import has_annotations
from scheduler_core.simulator.controllers.kubelet.kubelet import Kubelet
from scheduler_core.simulator.controllers.namespace_controller import NamespaceController
from scheduler_core.simulator.controllers.node_lifecycle import NodeLifecycleController
from scheduler_core.simulator.controllers.persistent_volume_binder import PersistentVolumeBinderController
from scheduler_core.simulator.controllers.pod_gc import PodGCController
from scheduler_core.simulator.controllers.replica_set import ReplicaSetController
from scheduler_core.simulator.controllers.replication_controller import ReplicationControllerController
from scheduler_core.simulator.controllers.resource_quota import ResourceQuotaController
from scheduler_core.simulator.controllers.stateful_set.stateful_set_controller import StatefulSetController
from scheduler_core.simulator.controllers.taint_eviction import TaintEvictionController
from scheduler_core.simulator.controllers.ttl_after_finished import TTLAfterFinishedController


class Entry(NamedTuple):
    """How to make a controller, and when.

    Args:
        factory: makes it.
        wakes_on: kind → whether a change (old or None, new) of such an object needs the controller.
        works_with: the controllers without which its work comes to nothing; they come on with it.
    """

    factory: Callable[[Cluster, WorkQueue], Controller]
    wakes_on: Mapping[str, Callable[[Any | None, Any], bool]]
    works_with: tuple[str, ...] = ()


def always(_old: Any | None, _new: Any) -> bool:
    """Any object of the kind needs the controller."""
    return True


def has_time_to_live(_old: Any | None, new: Any) -> bool:
    """A job that is to go some time after its end."""
    return new.spec.ttl_seconds_after_finished is not None


LIVELY: Final = (
    "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicationController",
    "PodDisruptionBudget",
)  # fmt: skip
"""Kinds that ask when pods start, are ready and end. Without them pods run from their binding on."""


def has_a_life(old: Any | None, new: Any) -> bool:
    """A pod that says of itself how it starts or ends, from now on or since it came, or that is on its way out."""
    if old is not None:
        return has_annotations(new) and not has_annotations(old)
    return (
        has_annotations(new)
        or new.spec.active_deadline_seconds is not None
        or new.metadata.deletion_timestamp is not None
    )


IN_TREE: Final[dict[str, Entry]] = {
    Kubelet.name: Entry(Kubelet, {"Pod": has_a_life, **dict.fromkeys(LIVELY, always)}),
    NodeLifecycleController.name: Entry(NodeLifecycleController, {"Node": always}),
    TaintEvictionController.name: Entry(TaintEvictionController, {"Node": always}),
    PodGCController.name: Entry(PodGCController, {"Node": always}),
    GarbageCollector.name: Entry(GarbageCollector, {"Namespace": always}),
    NamespaceController.name: Entry(NamespaceController, {"Namespace": always}),
    DeploymentController.name: Entry(
        DeploymentController, {"Deployment": always}, (ReplicaSetController.name,)
    ),
    ReplicaSetController.name: Entry(ReplicaSetController, {"ReplicaSet": always}),
    StatefulSetController.name: Entry(StatefulSetController, {"StatefulSet": always}),
    DaemonSetController.name: Entry(DaemonSetController, {"DaemonSet": always}),
    EphemeralVolumeController.name: Entry(EphemeralVolumeController, {"Pod": has_ephemeral_volumes}),
    PersistentVolumeBinderController.name: Entry(
        PersistentVolumeBinderController, {"PersistentVolumeClaim": always, "PersistentVolume": always}
    ),
    DisruptionController.name: Entry(DisruptionController, {"PodDisruptionBudget": always}),
    HorizontalPodAutoscalerController.name: Entry(
        HorizontalPodAutoscalerController, {"HorizontalPodAutoscaler": always}
    ),
    CronJobController.name: Entry(CronJobController, {"CronJob": always}),
    JobController.name: Entry(JobController, {"Job": always}),
    TTLAfterFinishedController.name: Entry(TTLAfterFinishedController, {"Job": has_time_to_live}),
    ReplicationControllerController.name: Entry(
        ReplicationControllerController, {"ReplicationController": always}
    ),
    "resourcequota-controller": Entry(ResourceQuotaController, {"ResourceQuota": always}),
}
"""Name → entry, in the order in which they are told of an event."""
