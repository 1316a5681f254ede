"""Containers of a pod and what is known of them while they run."""

from __future__ import annotations

from scheduler_core.api.meta import Int32, KubeStruct, names
from scheduler_core.api.resources import ResourceList, ResourceRequirements

ALWAYS = "Always"


class ContainerPort(KubeStruct, frozen=True, kw_only=True):
    """A port a container listens on, and the node's port it takes."""

    other_fields = frozenset()

    name: str = ""
    host_port: Int32 = 0
    container_port: Int32 = 0
    protocol: str = ""
    host_ip: str = ""


class Container(KubeStruct, frozen=True, kw_only=True):
    """One container, as far as scheduling reads it."""

    other_fields = names(
        "command args workingDir envFrom env restartPolicyRules volumeMounts volumeDevices livenessProbe "
        "readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy "
        "imagePullPolicy securityContext stdin stdinOnce tty"
    )

    name: str = ""
    image: str = ""
    ports: tuple[ContainerPort, ...] = ()
    resources: ResourceRequirements = ResourceRequirements()
    resize_policy: tuple[dict[str, str], ...] = ()
    restart_policy: str | None = None

    def is_sidecar(self) -> bool:
        """Returns whether an init container keeps running beside the containers."""
        return self.restart_policy == ALWAYS


class ContainerStatus(KubeStruct, frozen=True, kw_only=True):
    """What the kubelet reports of a container; absent resources (None) are not yet known."""

    other_fields = names(
        "state lastState containerID started volumeMounts user allocatedResourcesStatus stopSignal"
    )

    name: str = ""
    ready: bool = False
    restart_count: Int32 = 0
    image: str = ""
    image_id: str = ""
    allocated_resources: ResourceList | None = None
    resources: ResourceRequirements | None = None
