"""Defaults of every kind.

Source: pkg/apis/{core,apps,batch,storage,policy,scheduling}/v1/defaults.go, v1.34.1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from scheduler_core.api.batch import CronJob, Job
from scheduler_core.api.defaulting import workloads
from scheduler_core.api.defaulting.pods import default_pod, round_up
from scheduler_core.api.kinds import KubeObject, find_kind, object_key
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.policy import PREEMPT_LOWER_PRIORITY, Namespace, PriorityClass
from scheduler_core.api.resources import ResourceRequirements
from scheduler_core.api.storage import (
    IMMEDIATE,
    CSIDriver,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)
from scheduler_core.api.volumes import PersistentVolumeClaimSpec
from scheduler_core.api.workloads import (
    DaemonSet,
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
)

DEFAULT_NAMESPACE = "default"
METADATA_NAME_LABEL = "kubernetes.io/metadata.name"
FILESYSTEM = "Filesystem"


def default_object(obj: KubeObject) -> KubeObject:
    """Returns the object as the API server would store it; a missing uid is made from its kind and name."""
    obj = _with_identity(obj)
    default = _DEFAULTS.get(type(obj))
    return obj if default is None else default(obj)


def is_namespaced(obj: KubeObject) -> bool:
    """Returns whether objects of its kind live in a namespace."""
    info = find_kind(obj.api_version, obj.kind)
    return info.namespaced if info else bool(obj.metadata.namespace)


def _with_identity(obj: KubeObject) -> KubeObject:
    metadata = obj.metadata
    namespace = (metadata.namespace or DEFAULT_NAMESPACE) if is_namespaced(obj) else ""
    uid = metadata.uid
    if not uid:
        uid = "uid-" + object_key(obj.kind, namespace, metadata.name).replace("/", "-", 1)
    if namespace == metadata.namespace and uid == metadata.uid:
        return obj
    return replace(obj, metadata=replace(metadata, namespace=namespace, uid=uid))


def _node(node: Node) -> Node:
    capacity = round_up(node.status.capacity)
    allocatable = round_up(node.status.allocatable or node.status.capacity)
    return replace(node, status=replace(node.status, capacity=capacity, allocatable=allocatable))


def _namespace(namespace: Namespace) -> Namespace:
    metadata = namespace.metadata
    labels = {**metadata.labels, METADATA_NAME_LABEL: metadata.name}
    status = replace(namespace.status, phase=namespace.status.phase or "Active")
    return replace(namespace, metadata=replace(metadata, labels=labels), status=status)


def _priority_class(priority_class: PriorityClass) -> PriorityClass:
    return replace(
        priority_class, preemption_policy=priority_class.preemption_policy or PREEMPT_LOWER_PRIORITY
    )


def _volume(volume: PersistentVolume) -> PersistentVolume:
    spec = replace(
        volume.spec,
        capacity=round_up(volume.spec.capacity),
        persistent_volume_reclaim_policy=volume.spec.persistent_volume_reclaim_policy or "Retain",
        volume_mode=volume.spec.volume_mode or FILESYSTEM,
    )
    return replace(volume, spec=spec, status=replace(volume.status, phase=volume.status.phase or "Pending"))


def _claim(claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
    status = replace(
        claim.status, phase=claim.status.phase or "Pending", capacity=round_up(claim.status.capacity)
    )
    return replace(claim, spec=_claim_spec(claim.spec), status=status)


def _claim_spec(spec: PersistentVolumeClaimSpec) -> PersistentVolumeClaimSpec:
    resources = ResourceRequirements(
        requests=round_up(spec.resources.requests), limits=round_up(spec.resources.limits)
    )
    return replace(spec, volume_mode=spec.volume_mode or FILESYSTEM, resources=resources)


def _storage_class(storage_class: StorageClass) -> StorageClass:
    return replace(
        storage_class,
        reclaim_policy=storage_class.reclaim_policy or "Delete",
        volume_binding_mode=storage_class.volume_binding_mode or IMMEDIATE,
    )


def _csi_driver(driver: CSIDriver) -> CSIDriver:
    spec = driver.spec
    return replace(
        driver,
        spec=replace(
            spec,
            attach_required=True if spec.attach_required is None else spec.attach_required,
            pod_info_on_mount=bool(spec.pod_info_on_mount),
            storage_capacity=bool(spec.storage_capacity),
            volume_lifecycle_modes=spec.volume_lifecycle_modes or ("Persistent",),
        ),
    )


_DEFAULTS: dict[type, Callable[[Any], Any]] = {
    Pod: default_pod,
    Node: _node,
    Namespace: _namespace,
    PriorityClass: _priority_class,
    PersistentVolume: _volume,
    PersistentVolumeClaim: _claim,
    StorageClass: _storage_class,
    CSIDriver: _csi_driver,
    Deployment: workloads.default_deployment,
    ReplicaSet: workloads.default_replica_set,
    StatefulSet: workloads.default_stateful_set,
    DaemonSet: workloads.default_daemon_set,
    ReplicationController: workloads.default_replication_controller,
    Job: workloads.default_job,
    CronJob: workloads.default_cron_job,
}
