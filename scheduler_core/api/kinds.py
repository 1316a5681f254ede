"""Which kinds are read, as what type, and which of them live in a namespace."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from scheduler_core.api.batch import CronJob, Job
from scheduler_core.api.meta import KubeStruct, ObjectMeta
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.policy import Namespace, PodDisruptionBudget, PriorityClass, RuntimeClass
from scheduler_core.api.quotas import HorizontalPodAutoscaler, LimitRange, ResourceQuota
from scheduler_core.api.storage import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from scheduler_core.api.workloads import (
    ControllerRevision,
    DaemonSet,
    Deployment,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
)


class Untyped(KubeStruct, frozen=True, kw_only=True):
    """An object that is kept as it came; only its metadata is read."""

    api_version: str = ""
    kind: str = ""
    metadata: ObjectMeta = ObjectMeta()
    content: dict[str, Any] = {}


KubeObject: TypeAlias = (
    Node
    | Pod
    | Namespace
    | PriorityClass
    | PodDisruptionBudget
    | RuntimeClass
    | PersistentVolume
    | PersistentVolumeClaim
    | StorageClass
    | CSINode
    | CSIDriver
    | CSIStorageCapacity
    | VolumeAttachment
    | Service
    | ReplicationController
    | ReplicaSet
    | Deployment
    | StatefulSet
    | DaemonSet
    | ControllerRevision
    | Job
    | CronJob
    | LimitRange
    | ResourceQuota
    | HorizontalPodAutoscaler
    | Untyped
)


class KindInfo(NamedTuple):
    """How objects of one kind are read."""

    kind: str
    groups: tuple[str, ...]
    versions: tuple[str, ...]
    type: type[KubeObject]
    namespaced: bool


_APPS = ("apps", "extensions")
_V1 = ("v1",)
_V1_BETA = ("v1", "v1beta1", "v1beta2", "v1alpha1")
_SCALERS = ("v2", "v1", "v2beta2", "v2beta1")
_STORAGE = ("storage.k8s.io",)
_RESOURCE = ("resource.k8s.io",)
_DRA_VERSIONS = ("v1", "v1beta1", "v1beta2", "v1alpha3")

KINDS: tuple[KindInfo, ...] = (
    KindInfo("Node", ("",), _V1, Node, False),
    KindInfo("Pod", ("",), _V1, Pod, True),
    KindInfo("Namespace", ("",), _V1, Namespace, False),
    KindInfo("PriorityClass", ("scheduling.k8s.io",), _V1_BETA, PriorityClass, False),
    KindInfo("PodDisruptionBudget", ("policy",), _V1_BETA, PodDisruptionBudget, True),
    KindInfo("RuntimeClass", ("node.k8s.io",), _V1_BETA, RuntimeClass, False),
    KindInfo("PersistentVolume", ("",), _V1, PersistentVolume, False),
    KindInfo("PersistentVolumeClaim", ("",), _V1, PersistentVolumeClaim, True),
    KindInfo("StorageClass", _STORAGE, _V1_BETA, StorageClass, False),
    KindInfo("CSINode", _STORAGE, _V1_BETA, CSINode, False),
    KindInfo("CSIDriver", _STORAGE, _V1_BETA, CSIDriver, False),
    KindInfo("CSIStorageCapacity", _STORAGE, _V1_BETA, CSIStorageCapacity, True),
    KindInfo("VolumeAttachment", _STORAGE, _V1_BETA, VolumeAttachment, False),
    KindInfo("Service", ("",), _V1, Service, True),
    KindInfo("ReplicationController", ("",), _V1, ReplicationController, True),
    KindInfo("ReplicaSet", _APPS, _V1_BETA, ReplicaSet, True),
    KindInfo("Deployment", _APPS, _V1_BETA, Deployment, True),
    KindInfo("StatefulSet", _APPS, _V1_BETA, StatefulSet, True),
    KindInfo("DaemonSet", _APPS, _V1_BETA, DaemonSet, True),
    KindInfo("ControllerRevision", _APPS, _V1_BETA, ControllerRevision, True),
    KindInfo("Job", ("batch",), _V1, Job, True),
    KindInfo("CronJob", ("batch",), _V1_BETA, CronJob, True),
    KindInfo("ResourceClaim", _RESOURCE, _DRA_VERSIONS, Untyped, True),
    KindInfo("ResourceClaimTemplate", _RESOURCE, _DRA_VERSIONS, Untyped, True),
    KindInfo("ResourceSlice", _RESOURCE, _DRA_VERSIONS, Untyped, False),
    KindInfo("DeviceClass", _RESOURCE, _DRA_VERSIONS, Untyped, False),
    KindInfo("LimitRange", ("",), _V1, LimitRange, True),
    KindInfo("ResourceQuota", ("",), _V1, ResourceQuota, True),
    KindInfo("HorizontalPodAutoscaler", ("autoscaling",), _SCALERS, HorizontalPodAutoscaler, True),
)

_BY_GROUP_KIND = {(group, info.kind): info for info in KINDS for group in info.groups}


def split_api_version(api_version: str) -> tuple[str, str]:
    """Returns group and version; the core group is empty."""
    group, _, version = api_version.rpartition("/")
    return group, version


def find_kind(api_version: str, kind: str) -> KindInfo | None:
    """Returns how to read a kind, or None where the kind is not read, whatever the version."""
    return _BY_GROUP_KIND.get((split_api_version(api_version)[0], kind))


def is_served(info: KindInfo, api_version: str) -> bool:
    """Returns whether the version is one whose fields we know."""
    return split_api_version(api_version)[1] in info.versions


def object_key(kind: str, namespace: str, name: str) -> str:
    """Returns the name of an object in a cluster: "Pod/default/web", "Node/n1"."""
    return f"{kind}/{namespace}/{name}" if namespace else f"{kind}/{name}"
