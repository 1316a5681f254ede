"""Pods.

Source: api/core/v1/types.go, v1.34.1
"""

from __future__ import annotations

from typing import Final, Literal

from scheduler_core.api.affinity import Affinity, TopologySpreadConstraint
from scheduler_core.api.containers import Container, ContainerStatus
from scheduler_core.api.meta import Condition, Int32, Int64, KubeStruct, ObjectMeta, Time, names
from scheduler_core.api.resources import ResourceList, ResourceRequirements
from scheduler_core.api.taints import Toleration
from scheduler_core.api.volumes import Volume

DEFAULT_SCHEDULER_NAME = "default-scheduler"

PENDING = "Pending"
RUNNING = "Running"
SUCCEEDED = "Succeeded"
FAILED = "Failed"

FINAL_PHASES: Final = frozenset({SUCCEEDED, FAILED})
"""Phases of a pod that has run to its end: it keeps its node's name and takes nothing there."""

Standing = Literal["pending", "bound", "finished"]


def standing(node_name: str | None, phase: str) -> Standing:
    """Returns where a pod stands, as every count of pods tells them apart.

    Args:
        node_name: of ``spec.nodeName``; empty or None for none.
        phase: of its status.
    """
    if phase in FINAL_PHASES:
        return "finished"
    return "bound" if node_name else "pending"


class PodSchedulingGate(KubeStruct, frozen=True, kw_only=True):
    """A reason to hold the pod back until it is taken away."""

    other_fields = frozenset()

    name: str = ""


class PodResourceClaim(KubeStruct, frozen=True, kw_only=True):
    """A resource claim of the pod, by name or from a template."""

    other_fields = frozenset()

    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodResourceClaimStatus(KubeStruct, frozen=True, kw_only=True):
    """The claim made from a template for the pod."""

    other_fields = frozenset()

    name: str = ""
    resource_claim_name: str | None = None


class PodSpec(KubeStruct, frozen=True, kw_only=True):
    """What a pod is to be, as far as scheduling reads it."""

    other_fields = names(
        "ephemeralContainers serviceAccountName serviceAccount automountServiceAccountToken hostPID hostIPC "
        "shareProcessNamespace securityContext imagePullSecrets hostname subdomain hostAliases dnsConfig "
        "dnsPolicy readinessGates enableServiceLinks setHostnameAsFQDN hostUsers hostnameOverride"
    )

    node_name: str = ""
    scheduler_name: str = ""
    priority: Int32 | None = None
    priority_class_name: str = ""
    preemption_policy: str | None = None
    node_selector: dict[str, str] = {}
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] = ()
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] = ()
    containers: tuple[Container, ...] = ()
    init_containers: tuple[Container, ...] = ()
    overhead: ResourceList = {}
    resources: ResourceRequirements | None = None
    volumes: tuple[Volume, ...] = ()
    scheduling_gates: tuple[PodSchedulingGate, ...] = ()
    resource_claims: tuple[PodResourceClaim, ...] = ()
    host_network: bool = False
    runtime_class_name: str | None = None
    restart_policy: str = ""
    termination_grace_period_seconds: Int64 | None = None
    active_deadline_seconds: Int64 | None = None
    os: dict[str, str] | None = None


class PodStatus(KubeStruct, frozen=True, kw_only=True):
    """What is known of a pod."""

    other_fields = names("hostIP hostIPs podIP podIPs ephemeralContainerStatuses extendedResourceClaimStatus")

    phase: str = ""
    nominated_node_name: str = ""
    observed_generation: Int64 = 0
    message: str = ""
    reason: str = ""
    start_time: Time | None = None
    conditions: tuple[Condition, ...] = ()
    container_statuses: tuple[ContainerStatus, ...] = ()
    init_container_statuses: tuple[ContainerStatus, ...] = ()
    qos_class: str = ""
    resize: str = ""
    resource_claim_statuses: tuple[PodResourceClaimStatus, ...] = ()


class Pod(KubeStruct, frozen=True, kw_only=True):
    """A pod."""

    other_fields = frozenset()

    api_version: str = "v1"
    kind: str = "Pod"
    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()

    @property
    def key(self) -> str:
        """The pod's "namespace/name"."""
        return f"{self.metadata.namespace}/{self.metadata.name}"

    @property
    def standing(self) -> Standing:
        """Whether the pod waits for a node, takes room on one, or has run to its end."""
        return standing(self.spec.node_name, self.status.phase)


class PodTemplateSpec(KubeStruct, frozen=True, kw_only=True):
    """The pods a workload makes."""

    other_fields = frozenset()

    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()
