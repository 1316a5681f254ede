"""The volumes of a pod, as far as they bear on where it may run."""

from __future__ import annotations

from scheduler_core.api.meta import Int32, KubeStruct, ObjectMeta, names
from scheduler_core.api.quantity import Quantity
from scheduler_core.api.resources import ResourceRequirements
from scheduler_core.api.selectors import LabelSelector


class PersistentVolumeClaimVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A claim of the pod's namespace, used as a volume."""

    other_fields = frozenset()

    claim_name: str = ""
    read_only: bool = False


class GCEPersistentDiskVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A Compute Engine disk."""

    other_fields = frozenset()

    pd_name: str = ""
    fs_type: str = ""
    partition: Int32 = 0
    read_only: bool = False


class AWSElasticBlockStoreVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """An EBS disk."""

    other_fields = frozenset()

    volume_id: str = ""
    fs_type: str = ""
    partition: Int32 = 0
    read_only: bool = False


class ISCSIVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """An iSCSI disk."""

    other_fields = names("iscsiInterface portals chapAuthDiscovery chapAuthSession secretRef initiatorName")

    target_portal: str = ""
    iqn: str = ""
    lun: Int32 = 0
    fs_type: str = ""
    read_only: bool = False


class RBDVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A Ceph block device."""

    other_fields = names("user keyring secretRef")

    monitors: tuple[str, ...] = ()
    image: str = ""
    pool: str = ""
    fs_type: str = ""
    read_only: bool = False


class AzureDiskVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """An Azure disk."""

    other_fields = names("cachingMode kind")

    disk_name: str = ""
    disk_uri: str = ""
    fs_type: str = ""
    read_only: bool = False


class CinderVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """An OpenStack disk."""

    other_fields = names("secretRef")

    volume_id: str = ""
    fs_type: str = ""
    read_only: bool = False


class AzureFileVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """An Azure file share; of a pod or a PersistentVolume."""

    other_fields = frozenset()

    secret_name: str = ""
    secret_namespace: str | None = None
    share_name: str = ""
    read_only: bool = False


class VsphereVirtualDiskVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A vSphere disk."""

    other_fields = frozenset()

    volume_path: str = ""
    fs_type: str = ""
    storage_policy_name: str = ""
    storage_policy_id: str = ""


class PortworxVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A Portworx volume."""

    other_fields = frozenset()

    volume_id: str = ""
    fs_type: str = ""
    read_only: bool = False


class CSIVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A volume a CSI driver makes for the pod's life."""

    other_fields = names("volumeAttributes nodePublishSecretRef")

    driver: str = ""
    fs_type: str = ""
    read_only: bool = False


class HostPathVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A folder of the node."""

    other_fields = frozenset()

    path: str = ""
    type: str = ""


class EmptyDirVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """An empty folder for the pod's life."""

    other_fields = frozenset()

    medium: str = ""
    size_limit: Quantity | None = None


class PersistentVolumeClaimSpec(KubeStruct, frozen=True, kw_only=True):
    """What a claim asks for."""

    other_fields = names("dataSource dataSourceRef")

    access_modes: tuple[str, ...] = ()
    selector: LabelSelector | None = None
    resources: ResourceRequirements = ResourceRequirements()
    volume_name: str = ""
    storage_class_name: str | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None


class PersistentVolumeClaimTemplate(KubeStruct, frozen=True, kw_only=True):
    """The claim to make for the pod."""

    other_fields = frozenset()

    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()


class ImageVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """An image whose files the pod reads."""

    other_fields = frozenset({"pullPolicy"})

    reference: str = ""


class EphemeralVolumeSource(KubeStruct, frozen=True, kw_only=True):
    """A claim made for the pod and gone with it."""

    other_fields = frozenset()

    volume_claim_template: PersistentVolumeClaimTemplate | None = None


class Volume(KubeStruct, frozen=True, kw_only=True):
    """One volume of a pod; of its sources one is set, or one that has no bearing on scheduling."""

    other_fields = names(
        "gitRepo secret nfs glusterfs flexVolume cephfs flocker downwardAPI fc configMap "
        "quobyte photonPersistentDisk projected scaleIO storageos image"
    )

    name: str = ""
    persistent_volume_claim: PersistentVolumeClaimVolumeSource | None = None
    ephemeral: EphemeralVolumeSource | None = None
    gce_persistent_disk: GCEPersistentDiskVolumeSource | None = None
    aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | None = None
    iscsi: ISCSIVolumeSource | None = None
    rbd: RBDVolumeSource | None = None
    azure_disk: AzureDiskVolumeSource | None = None
    cinder: CinderVolumeSource | None = None
    azure_file: AzureFileVolumeSource | None = None
    vsphere_volume: VsphereVirtualDiskVolumeSource | None = None
    portworx_volume: PortworxVolumeSource | None = None
    csi: CSIVolumeSource | None = None
    host_path: HostPathVolumeSource | None = None
    image: ImageVolumeSource | None = None
    empty_dir: EmptyDirVolumeSource | None = None
