"""What makes pods, and what groups them: workloads and Services.

Source: api/apps/v1/types.go, api/batch/v1/types.go, api/core/v1/types.go, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.meta import Int32, Int64, KubeStruct, ObjectMeta
from scheduler_core.api.pod import PodTemplateSpec
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.api.volumes import PersistentVolumeClaimTemplate


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


class WorkloadStatus(KubeStruct, frozen=True, kw_only=True):
    """How many pods of a workload there are."""

    replicas: Int32 = 0
    ready_replicas: Int32 = 0


class ReplicationControllerSpec(KubeStruct, frozen=True, kw_only=True):
    """How many pods there are to be, selected by plain labels."""

    replicas: Int32 | None = None
    selector: dict[str, str] = {}
    template: PodTemplateSpec | None = None


class ReplicationController(KubeStruct, frozen=True, kw_only=True):
    """The oldest way to keep a number of pods."""

    api_version: str = "v1"
    kind: str = "ReplicationController"
    metadata: ObjectMeta = ObjectMeta()
    spec: ReplicationControllerSpec = ReplicationControllerSpec()
    status: WorkloadStatus = WorkloadStatus()


class ReplicaSetSpec(KubeStruct, frozen=True, kw_only=True):
    """How many pods there are to be."""

    replicas: Int32 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class ReplicaSet(KubeStruct, frozen=True, kw_only=True):
    """Keeps a number of pods alike."""

    api_version: str = "apps/v1"
    kind: str = "ReplicaSet"
    metadata: ObjectMeta = ObjectMeta()
    spec: ReplicaSetSpec = ReplicaSetSpec()
    status: WorkloadStatus = WorkloadStatus()


class Deployment(KubeStruct, frozen=True, kw_only=True):
    """Rolls out replica sets."""

    api_version: str = "apps/v1"
    kind: str = "Deployment"
    metadata: ObjectMeta = ObjectMeta()
    spec: ReplicaSetSpec = ReplicaSetSpec()
    status: WorkloadStatus = WorkloadStatus()


class StatefulSetSpec(KubeStruct, frozen=True, kw_only=True):
    """How many numbered pods there are to be, each with claims of its own."""

    replicas: Int32 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()
    volume_claim_templates: tuple[PersistentVolumeClaimTemplate, ...] = ()
    service_name: str = ""
    pod_management_policy: str = ""


class StatefulSet(KubeStruct, frozen=True, kw_only=True):
    """Keeps numbered pods."""

    api_version: str = "apps/v1"
    kind: str = "StatefulSet"
    metadata: ObjectMeta = ObjectMeta()
    spec: StatefulSetSpec = StatefulSetSpec()
    status: WorkloadStatus = WorkloadStatus()


class DaemonSetSpec(KubeStruct, frozen=True, kw_only=True):
    """The pod to run on every node."""

    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class DaemonSet(KubeStruct, frozen=True, kw_only=True):
    """Keeps one pod on every node that can have it."""

    api_version: str = "apps/v1"
    kind: str = "DaemonSet"
    metadata: ObjectMeta = ObjectMeta()
    spec: DaemonSetSpec = DaemonSetSpec()


class JobSpec(KubeStruct, frozen=True, kw_only=True):
    """How many pods are to finish, and how many at a time."""

    parallelism: Int32 | None = None
    completions: Int32 | None = None
    suspend: bool | None = None
    completion_mode: str | None = None
    backoff_limit: Int32 | None = None
    active_deadline_seconds: Int64 | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec = PodTemplateSpec()


class JobStatus(KubeStruct, frozen=True, kw_only=True):
    """How many pods of a job run or have ended."""

    active: Int32 = 0
    succeeded: Int32 = 0
    failed: Int32 = 0


class Job(KubeStruct, frozen=True, kw_only=True):
    """Runs pods to their end."""

    api_version: str = "batch/v1"
    kind: str = "Job"
    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()
    status: JobStatus = JobStatus()


class JobTemplateSpec(KubeStruct, frozen=True, kw_only=True):
    """The jobs a cron job makes."""

    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class CronJobSpec(KubeStruct, frozen=True, kw_only=True):
    """When to make which job."""

    schedule: str = ""
    suspend: bool | None = None
    job_template: JobTemplateSpec = JobTemplateSpec()


class CronJob(KubeStruct, frozen=True, kw_only=True):
    """Makes jobs by the clock."""

    api_version: str = "batch/v1"
    kind: str = "CronJob"
    metadata: ObjectMeta = ObjectMeta()
    spec: CronJobSpec = CronJobSpec()
