"""What makes pods, and what groups them: the workloads of the apps group, replication controllers and Services.

Source: api/apps/v1/types.go, api/core/v1/types.go, v1.34.1
"""

from __future__ import annotations

from typing import Any, TypeAlias

from scheduler_core.api.meta import Condition, Int32, Int64, KubeStruct, ObjectMeta
from scheduler_core.api.pod import PodTemplateSpec
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.volumes import PersistentVolumeClaimTemplate

IntOrPercent: TypeAlias = Int32 | str

ROLLING_UPDATE = "RollingUpdate"
RECREATE = "Recreate"
ON_DELETE = "OnDelete"
ORDERED_READY = "OrderedReady"
PARALLEL = "Parallel"
RETAIN = "Retain"
DELETE = "Delete"


class ServiceSpec(KubeStruct, frozen=True, kw_only=True):
    """The pods behind a service."""

    selector: dict[str, str] = {}
    type: str = ""
    cluster_ip: str = ""


class Service(KubeStruct, frozen=True, kw_only=True):
    """A service."""

    api_version: str = "v1"
    kind: str = "Service"
    metadata: ObjectMeta = ObjectMeta()
    spec: ServiceSpec = ServiceSpec()


class ReplicaSetStatus(KubeStruct, frozen=True, kw_only=True):
    """How many pods of a replica set or replication controller there are."""

    replicas: Int32 = 0
    fully_labeled_replicas: Int32 = 0
    ready_replicas: Int32 = 0
    available_replicas: Int32 = 0
    observed_generation: Int64 = 0
    conditions: tuple[Condition, ...] = ()


class ReplicationControllerSpec(KubeStruct, frozen=True, kw_only=True):
    """How many pods there are to be, selected by plain labels."""

    replicas: Int32 | None = None
    min_ready_seconds: Int32 = 0
    selector: dict[str, str] = {}
    template: PodTemplateSpec | None = None


class ReplicationController(KubeStruct, frozen=True, kw_only=True):
    """The oldest way to keep a number of pods."""

    api_version: str = "v1"
    kind: str = "ReplicationController"
    metadata: ObjectMeta = ObjectMeta()
    spec: ReplicationControllerSpec = ReplicationControllerSpec()
    status: ReplicaSetStatus = ReplicaSetStatus()


class ReplicaSetSpec(KubeStruct, frozen=True, kw_only=True):
    """How many pods there are to be."""

    replicas: Int32 | None = None
    min_ready_seconds: Int32 = 0
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class ReplicaSet(KubeStruct, frozen=True, kw_only=True):
    """Keeps a number of pods alike."""

    api_version: str = "apps/v1"
    kind: str = "ReplicaSet"
    metadata: ObjectMeta = ObjectMeta()
    spec: ReplicaSetSpec = ReplicaSetSpec()
    status: ReplicaSetStatus = ReplicaSetStatus()


class RollingUpdate(KubeStruct, frozen=True, kw_only=True):
    """How many pods may be missing or too many while a workload is updated; a partition holds ordinals back."""

    max_unavailable: IntOrPercent | None = None
    max_surge: IntOrPercent | None = None
    partition: Int32 | None = None


class UpdateStrategy(KubeStruct, frozen=True, kw_only=True):
    """How the pods of a workload follow its template."""

    type: str = ""
    rolling_update: RollingUpdate | None = None


class DeploymentSpec(KubeStruct, frozen=True, kw_only=True):
    """How many pods there are to be, and how a new template is rolled out."""

    replicas: Int32 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()
    strategy: UpdateStrategy = UpdateStrategy()
    min_ready_seconds: Int32 = 0
    revision_history_limit: Int32 | None = None
    paused: bool = False
    progress_deadline_seconds: Int32 | None = None


class DeploymentStatus(KubeStruct, frozen=True, kw_only=True):
    """How far a rollout is."""

    observed_generation: Int64 = 0
    replicas: Int32 = 0
    updated_replicas: Int32 = 0
    ready_replicas: Int32 = 0
    available_replicas: Int32 = 0
    unavailable_replicas: Int32 = 0
    conditions: tuple[Condition, ...] = ()
    collision_count: Int32 | None = None


class Deployment(KubeStruct, frozen=True, kw_only=True):
    """Rolls out replica sets."""

    api_version: str = "apps/v1"
    kind: str = "Deployment"
    metadata: ObjectMeta = ObjectMeta()
    spec: DeploymentSpec = DeploymentSpec()
    status: DeploymentStatus = DeploymentStatus()


class StatefulSetOrdinals(KubeStruct, frozen=True, kw_only=True):
    """The number of the first pod."""

    start: Int32 = 0


class ClaimRetentionPolicy(KubeStruct, frozen=True, kw_only=True):
    """What becomes of a pod's claims when the set goes or shrinks."""

    when_deleted: str = ""
    when_scaled: str = ""


class StatefulSetSpec(KubeStruct, frozen=True, kw_only=True):
    """How many numbered pods there are to be, each with claims of its own."""

    replicas: Int32 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()
    volume_claim_templates: tuple[PersistentVolumeClaimTemplate, ...] = ()
    service_name: str = ""
    pod_management_policy: str = ""
    update_strategy: UpdateStrategy = UpdateStrategy()
    revision_history_limit: Int32 | None = None
    min_ready_seconds: Int32 = 0
    persistent_volume_claim_retention_policy: ClaimRetentionPolicy | None = None
    ordinals: StatefulSetOrdinals | None = None


class StatefulSetStatus(KubeStruct, frozen=True, kw_only=True):
    """How many pods of which revision there are."""

    observed_generation: Int64 = 0
    replicas: Int32 = 0
    ready_replicas: Int32 = 0
    current_replicas: Int32 = 0
    updated_replicas: Int32 = 0
    current_revision: str = ""
    update_revision: str = ""
    collision_count: Int32 | None = None
    conditions: tuple[Condition, ...] = ()
    available_replicas: Int32 = 0


class StatefulSet(KubeStruct, frozen=True, kw_only=True):
    """Keeps numbered pods."""

    api_version: str = "apps/v1"
    kind: str = "StatefulSet"
    metadata: ObjectMeta = ObjectMeta()
    spec: StatefulSetSpec = StatefulSetSpec()
    status: StatefulSetStatus = StatefulSetStatus()


class DaemonSetSpec(KubeStruct, frozen=True, kw_only=True):
    """The pod to run on every node."""

    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()
    update_strategy: UpdateStrategy = UpdateStrategy()
    min_ready_seconds: Int32 = 0
    revision_history_limit: Int32 | None = None


class DaemonSetStatus(KubeStruct, frozen=True, kw_only=True):
    """On how many nodes the pod is to run, and runs."""

    current_number_scheduled: Int32 = 0
    number_misscheduled: Int32 = 0
    desired_number_scheduled: Int32 = 0
    number_ready: Int32 = 0
    observed_generation: Int64 = 0
    updated_number_scheduled: Int32 = 0
    number_available: Int32 = 0
    number_unavailable: Int32 = 0
    collision_count: Int32 | None = None
    conditions: tuple[Condition, ...] = ()


class DaemonSet(KubeStruct, frozen=True, kw_only=True):
    """Keeps one pod on every node that can have it."""

    api_version: str = "apps/v1"
    kind: str = "DaemonSet"
    metadata: ObjectMeta = ObjectMeta()
    spec: DaemonSetSpec = DaemonSetSpec()
    status: DaemonSetStatus = DaemonSetStatus()


class ControllerRevision(KubeStruct, frozen=True, kw_only=True):
    """A template that a stateful or daemon set has or had."""

    api_version: str = "apps/v1"
    kind: str = "ControllerRevision"
    metadata: ObjectMeta = ObjectMeta()
    data: dict[str, Any] = {}
    revision: Int64 = 0
