"""Volumes, claims, storage classes and what CSI drivers tell.

Source: api/core/v1/types.go, api/storage/v1/types.go, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.meta import Int32, KubeStruct, ObjectMeta, ObjectReference
from scheduler_core.api.quantity import Quantity
from scheduler_core.api.resources import ResourceList
from scheduler_core.api.selectors import LabelSelector, NodeSelector, TopologySelectorTerm
from scheduler_core.api.volumes import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    AzureFileVolumeSource,
    CinderVolumeSource,
    GCEPersistentDiskVolumeSource,
    HostPathVolumeSource,
    ISCSIVolumeSource,
    PersistentVolumeClaimSpec,
    PortworxVolumeSource,
    RBDVolumeSource,
    VsphereVirtualDiskVolumeSource,
)

IMMEDIATE = "Immediate"
WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"


class PersistentVolumeClaimStatus(KubeStruct, frozen=True, kw_only=True):
    """What a claim got."""

    phase: str = ""
    access_modes: tuple[str, ...] = ()
    capacity: ResourceList = {}


class PersistentVolumeClaim(KubeStruct, frozen=True, kw_only=True):
    """A request for a volume."""

    api_version: str = "v1"
    kind: str = "PersistentVolumeClaim"
    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()
    status: PersistentVolumeClaimStatus = PersistentVolumeClaimStatus()


class CSIPersistentVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A volume of a CSI driver."""

    driver: str = ""
    volume_handle: str = ""
    fs_type: str = ""
    read_only: bool = False


class LocalVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A disk of one node."""

    path: str = ""
    fs_type: str | None = None


class VolumeNodeAffinity(KubeStruct, frozen=True, kw_only=True):
    """The nodes that reach the volume."""

    required: NodeSelector | None = None


class PersistentVolumeSpec(KubeStruct, frozen=True, kw_only=True):
    """What a volume is."""

    capacity: ResourceList = {}
    access_modes: tuple[str, ...] = ()
    claim_ref: ObjectReference | None = None
    persistent_volume_reclaim_policy: str = ""
    storage_class_name: str = ""
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None
    mount_options: tuple[str, ...] = ()
    node_affinity: VolumeNodeAffinity | None = None
    csi: CSIPersistentVolumeSource | None = None
    local: LocalVolumeSource | None = None
    host_path: HostPathVolumeSource | None = None
    gce_persistent_disk: GCEPersistentDiskVolumeSource | None = None
    aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | None = None
    azure_disk: AzureDiskVolumeSource | None = None
    cinder: CinderVolumeSource | None = None
    azure_file: AzureFileVolumeSource | None = None
    vsphere_volume: VsphereVirtualDiskVolumeSource | None = None
    portworx_volume: PortworxVolumeSource | None = None
    iscsi: ISCSIVolumeSource | None = None
    rbd: RBDVolumeSource | None = None


class PersistentVolumeStatus(KubeStruct, frozen=True, kw_only=True):
    """Whether a volume is in use."""

    phase: str = ""
    message: str = ""
    reason: str = ""


class PersistentVolume(KubeStruct, frozen=True, kw_only=True):
    """A volume."""

    api_version: str = "v1"
    kind: str = "PersistentVolume"
    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeSpec = PersistentVolumeSpec()
    status: PersistentVolumeStatus = PersistentVolumeStatus()


class StorageClass(KubeStruct, frozen=True, kw_only=True):
    """A kind of volume and how it is bound."""

    api_version: str = "storage.k8s.io/v1"
    kind: str = "StorageClass"
    metadata: ObjectMeta = ObjectMeta()
    provisioner: str = ""
    parameters: dict[str, str] = {}
    reclaim_policy: str | None = None
    mount_options: tuple[str, ...] = ()
    allow_volume_expansion: bool | None = None
    volume_binding_mode: str | None = None
    allowed_topologies: tuple[TopologySelectorTerm, ...] = ()


class VolumeNodeResources(KubeStruct, frozen=True, kw_only=True):
    """How many volumes of a driver a node can hold; None is no limit."""

    count: Int32 | None = None


class CSINodeDriver(KubeStruct, frozen=True, kw_only=True):
    """A driver that runs on a node."""

    name: str = ""
    node_id: str = ""
    topology_keys: tuple[str, ...] = ()
    allocatable: VolumeNodeResources | None = None


class CSINodeSpec(KubeStruct, frozen=True, kw_only=True):
    """The drivers of a node."""

    drivers: tuple[CSINodeDriver, ...] = ()


class CSINode(KubeStruct, frozen=True, kw_only=True):
    """What CSI drivers tell of the node of the same name."""

    api_version: str = "storage.k8s.io/v1"
    kind: str = "CSINode"
    metadata: ObjectMeta = ObjectMeta()
    spec: CSINodeSpec = CSINodeSpec()


class CSIDriverSpec(KubeStruct, frozen=True, kw_only=True):
    """What a driver needs and tells."""

    attach_required: bool | None = None
    pod_info_on_mount: bool | None = None
    volume_lifecycle_modes: tuple[str, ...] = ()
    storage_capacity: bool | None = None
    node_allocatable_update_period_seconds: int | None = None


class CSIDriver(KubeStruct, frozen=True, kw_only=True):
    """A driver of volumes."""

    api_version: str = "storage.k8s.io/v1"
    kind: str = "CSIDriver"
    metadata: ObjectMeta = ObjectMeta()
    spec: CSIDriverSpec = CSIDriverSpec()


class CSIStorageCapacity(KubeStruct, frozen=True, kw_only=True):
    """How much of a storage class is left in a topology; no topology means none, an empty one all nodes."""

    api_version: str = "storage.k8s.io/v1"
    kind: str = "CSIStorageCapacity"
    metadata: ObjectMeta = ObjectMeta()
    node_topology: LabelSelector | None = None
    storage_class_name: str = ""
    capacity: Quantity | None = None
    maximum_volume_size: Quantity | None = None


class VolumeAttachmentSource(KubeStruct, frozen=True, kw_only=True):
    """The volume that is attached."""

    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(KubeStruct, frozen=True, kw_only=True):
    """Which volume is attached where and by which driver."""

    attacher: str = ""
    source: VolumeAttachmentSource = VolumeAttachmentSource()
    node_name: str = ""


class VolumeAttachment(KubeStruct, frozen=True, kw_only=True):
    """A volume attached to a node."""

    api_version: str = "storage.k8s.io/v1"
    kind: str = "VolumeAttachment"
    metadata: ObjectMeta = ObjectMeta()
    spec: VolumeAttachmentSpec = VolumeAttachmentSpec()
