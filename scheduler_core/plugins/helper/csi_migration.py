"""Disks of the old in-tree plugins seen as volumes of the CSI drivers that took them over.

Source: csi-translation-lib/translate.go, csi-translation-lib/plugins/in_tree_volume.go,
pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, isCSIMigrationOn,
pkg/scheduler/framework/plugins/volumebinding/binder.go, tryTranslatePVToCSI, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from scheduler_core.api.selectors import IN, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from scheduler_core.api.storage import CSIPersistentVolumeSource, VolumeNodeAffinity
from scheduler_core.plugins.helper.csi_handles import (
    BETA_REGION,
    BETA_ZONE,
    REGION,
    ZONE,
    ZONE_DELIMITER,
    ebs_volume_id,
    gce_disk_path,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.storage import CSINode, PersistentVolume, PersistentVolumeSpec
    from scheduler_core.api.volumes import Volume

MIGRATED_PLUGINS_ANNOTATION: Final = "storage.alpha.kubernetes.io/migrated-plugins"

_NOTHING: Final[frozenset[str]] = frozenset()


class InTreePlugin(NamedTuple):
    """An in-tree plugin that CSI has taken over.

    ``topology_key`` is the label that its driver puts on nodes for the zone, where the translation of
    PersistentVolumes writes it; empty where the translation leaves the node affinity as it is.
    """

    name: str
    driver: str
    topology_key: str


AWS_EBS: Final = InTreePlugin("kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone")
GCE_PD: Final = InTreePlugin("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone")
AZURE_DISK: Final = InTreePlugin("kubernetes.io/azure-disk", "disk.csi.azure.com", "")
CINDER: Final = InTreePlugin(
    "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"
)
PORTWORX: Final = InTreePlugin("kubernetes.io/portworx-volume", "pxd.portworx.com", "")
AZURE_FILE: Final = InTreePlugin("kubernetes.io/azure-file", "file.csi.azure.com", "")
VSPHERE: Final = InTreePlugin("kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "")

PLUGINS_BY_NAME: Final = {
    plugin.name: plugin for plugin in (AWS_EBS, GCE_PD, AZURE_DISK, CINDER, PORTWORX, AZURE_FILE, VSPHERE)
}
_WITH_A_CSI_NODE: Final = frozenset(plugin.name for plugin in (AWS_EBS, GCE_PD, AZURE_DISK, CINDER))
_TRANSLATED: Final = _WITH_A_CSI_NODE | {PORTWORX.name}


def plugin_of(source: Volume | PersistentVolumeSpec) -> InTreePlugin | None:
    """The in-tree plugin behind a pod's volume or a PersistentVolume, if CSI has taken it over."""
    if source.aws_elastic_block_store is not None:
        return AWS_EBS
    if source.gce_persistent_disk is not None:
        return GCE_PD
    if source.azure_disk is not None:
        return AZURE_DISK
    if source.cinder is not None:
        return CINDER
    if source.azure_file is not None:
        return AZURE_FILE
    if source.vsphere_volume is not None:
        return VSPHERE
    if source.portworx_volume is not None:
        return PORTWORX
    return None


def is_inline_migratable(volume: Volume) -> bool:
    """Whether a pod's own volume belongs to an in-tree plugin that CSI has taken over."""
    return plugin_of(volume) is not None


def counted_as_csi(csi_node: CSINode | None) -> frozenset[str]:
    """Names of the in-tree plugins whose volumes count as their CSI driver's on a node.

    Most do wherever there is a CSINode; Portworx only where its annotation says so. Azure File and vSphere never do.
    """
    if csi_node is None:
        return _NOTHING
    return _WITH_A_CSI_NODE | ({PORTWORX.name} & _annotated(csi_node))


def translated_on(csi_node: CSINode | None) -> frozenset[str]:
    """Names of the in-tree plugins whose PersistentVolumes VolumeBinding translates for a node.

    The annotation of the CSINode decides; Azure File and vSphere are never translated.
    """
    return _NOTHING if csi_node is None else _TRANSLATED & _annotated(csi_node)


def _annotated(csi_node: CSINode) -> frozenset[str]:
    return frozenset(csi_node.metadata.annotations.get(MIGRATED_PLUGINS_ANNOTATION, "").split(","))


def inline_handle(volume: Volume) -> str:
    """The driver's name for the disk of a pod's own volume, of a plugin that counts as CSI.

    Raises:
        TranslationError: the disk's identity cannot be read.
    """
    if volume.gce_persistent_disk is not None:
        return gce_disk_path(volume.gce_persistent_disk.pd_name, {})
    return _handle(volume)


def volume_handle(volume: PersistentVolume) -> str:
    """The driver's name for the disk of a PersistentVolume, of a plugin that counts as CSI.

    Raises:
        TranslationError: the disk's identity, or the region of its zones, cannot be read.
    """
    if volume.spec.gce_persistent_disk is not None:
        return gce_disk_path(volume.spec.gce_persistent_disk.pd_name, volume.metadata.labels)
    return _handle(volume.spec)


def _handle(source: Volume | PersistentVolumeSpec) -> str:
    if source.aws_elastic_block_store is not None:
        return ebs_volume_id(source.aws_elastic_block_store.volume_id)
    if source.azure_disk is not None:
        return source.azure_disk.disk_uri
    if source.cinder is not None:
        return source.cinder.volume_id
    assert source.portworx_volume is not None
    return source.portworx_volume.volume_id


def translate_volume(volume: PersistentVolume) -> PersistentVolume:
    """An in-tree PersistentVolume as one of the CSI driver, with the driver's topology in its node affinity.

    Raises:
        TranslationError: the disk's identity or its zones cannot be read.
    """
    spec = volume.spec
    plugin = plugin_of(spec)
    assert plugin is not None
    affinity = spec.node_affinity
    translated = msgspec.structs.replace(
        spec,
        csi=CSIPersistentVolumeSource(driver=plugin.driver, volume_handle=volume_handle(volume)),
        node_affinity=_translate_topology(affinity, volume.metadata.labels, plugin.topology_key)
        if plugin.topology_key
        else affinity,
        aws_elastic_block_store=None,
        gce_persistent_disk=None,
        azure_disk=None,
        cinder=None,
        portworx_volume=None,
    )
    return msgspec.structs.replace(volume, spec=translated)


def _translate_topology(
    affinity: VolumeNodeAffinity | None, labels: dict[str, str], topology_key: str
) -> VolumeNodeAffinity | None:
    terms = affinity.required.node_selector_terms if affinity is not None and affinity.required else ()
    zone, region = _topology_labels(terms, labels)
    if _values(terms, zone):
        terms = _renamed(terms, zone, topology_key)
    elif zone in labels:
        zones = tuple(sorted({part.strip() for part in labels[zone].split(ZONE_DELIMITER)} - {""}))
        if zones:
            added = NodeSelectorRequirement(key=topology_key, operator=IN, values=zones)
            terms = tuple(
                msgspec.structs.replace(term, match_expressions=(*term.match_expressions, added))
                for term in terms or (NodeSelectorTerm(),)
            )
    if region == BETA_REGION and _values(terms, BETA_REGION):
        terms = _renamed(terms, BETA_REGION, REGION)
    if not terms:
        return affinity
    return VolumeNodeAffinity(required=NodeSelector(node_selector_terms=tuple(terms)))


def _topology_labels(terms: Sequence[NodeSelectorTerm], labels: dict[str, str]) -> tuple[str, str]:
    keys = {requirement.key for term in terms for requirement in term.match_expressions}
    for named in (keys, labels.keys()):
        if ZONE in named:
            return ZONE, REGION
        if BETA_ZONE in named:
            return BETA_ZONE, BETA_REGION
    return ZONE, REGION


def _values(terms: Sequence[NodeSelectorTerm], key: str) -> bool:
    return any(
        requirement.key == key and requirement.values
        for term in terms
        for requirement in term.match_expressions
    )


def _renamed(terms: Sequence[NodeSelectorTerm], old: str, new: str) -> tuple[NodeSelectorTerm, ...]:
    return tuple(
        msgspec.structs.replace(
            term,
            match_expressions=tuple(
                msgspec.structs.replace(requirement, key=new) if requirement.key == old else requirement
                for requirement in term.match_expressions
            ),
        )
        for term in terms
    )
