"""Nodes.

Source: api/core/v1/types.go, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.meta import Condition, Int64, KubeStruct, ObjectMeta, names
from scheduler_core.api.resources import ResourceList
from scheduler_core.api.taints import Taint


class NodeSpec(KubeStruct, frozen=True, kw_only=True):
    """What a node is told to be."""

    other_fields = names("configSource externalID")

    pod_cidr: str = ""
    pod_cidrs: tuple[str, ...] = ()
    provider_id: str = ""
    unschedulable: bool = False
    taints: tuple[Taint, ...] = ()


class ContainerImage(KubeStruct, frozen=True, kw_only=True):
    """An image that lies on a node, under all its names."""

    other_fields = frozenset()

    names: tuple[str, ...] = ()
    size_bytes: Int64 = 0


class NodeSystemInfo(KubeStruct, frozen=True, kw_only=True):
    """What the kubelet says of its machine."""

    other_fields = names("machineID systemUUID bootID kubeProxyVersion swap")

    kernel_version: str = ""
    os_image: str = ""
    container_runtime_version: str = ""
    kubelet_version: str = ""
    operating_system: str = ""
    architecture: str = ""


class NodeStatus(KubeStruct, frozen=True, kw_only=True):
    """What is known of a node."""

    other_fields = names(
        "phase addresses daemonEndpoints volumesInUse volumesAttached config runtimeHandlers features"
    )

    capacity: ResourceList = {}
    allocatable: ResourceList = {}
    conditions: tuple[Condition, ...] = ()
    images: tuple[ContainerImage, ...] = ()
    node_info: NodeSystemInfo = NodeSystemInfo()
    declared_features: tuple[str, ...] = ()


class Node(KubeStruct, frozen=True, kw_only=True):
    """A node."""

    other_fields = frozenset()

    api_version: str = "v1"
    kind: str = "Node"
    metadata: ObjectMeta = ObjectMeta()
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()

    @property
    def is_ready(self) -> bool | None:
        """What the node's Ready condition says: False where it is False or Unknown, None where there is none."""
        status = next((each.status for each in self.status.conditions if each.type == "Ready"), "")
        return {"True": True, "False": False, "Unknown": False}.get(status)
