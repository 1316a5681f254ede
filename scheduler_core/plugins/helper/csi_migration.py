"""Disks of the old in-tree plugins seen as volumes of the CSI drivers that took them over.

Source: csi-translation-lib/translate.go, csi-translation-lib/plugins/aws_ebs.go and its siblings,
pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, v1.34.1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from scheduler_core.api.selectors import IN, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from scheduler_core.api.storage import CSIPersistentVolumeSource, VolumeNodeAffinity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.storage import CSINode, PersistentVolume, PersistentVolumeSpec
    from scheduler_core.api.volumes import Volume

ZONE: Final = "topology.kubernetes.io/zone"
REGION: Final = "topology.kubernetes.io/region"
BETA_ZONE: Final = "failure-domain.beta.kubernetes.io/zone"
BETA_REGION: Final = "failure-domain.beta.kubernetes.io/region"
MIGRATED_PLUGINS_ANNOTATION: Final = "storage.alpha.kubernetes.io/migrated-plugins"
ZONE_DELIMITER: Final = "__"

_NOTHING: Final[frozenset[str]] = frozenset()
_UNSPECIFIED: Final = "UNSPECIFIED"
_AWS_URL: Final = re.compile(r"aws://(?:[^/]*/)?(vol-[^/]*)")
_GCE_ZONE: Final = re.compile(r"(.*)-[^-]*")


class InTreePlugin(NamedTuple):
    """An in-tree plugin that CSI has taken over, and the label its driver puts on nodes for the zone."""

    name: str
    driver: str
    topology_key: str


AWS_EBS: Final = InTreePlugin("kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone")
GCE_PD: Final = InTreePlugin("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone")
AZURE_DISK: Final = InTreePlugin(
    "kubernetes.io/azure-disk", "disk.csi.azure.com", "topology.disk.csi.azure.com/zone"
)
CINDER: Final = InTreePlugin(
    "kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"
)
PORTWORX: Final = InTreePlugin("kubernetes.io/portworx-volume", "pxd.portworx.com", "")
AZURE_FILE: Final = InTreePlugin("kubernetes.io/azure-file", "file.csi.azure.com", "")
VSPHERE: Final = InTreePlugin("kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "")

PLUGINS_BY_NAME: Final = {
    plugin.name: plugin for plugin in (AWS_EBS, GCE_PD, AZURE_DISK, CINDER, PORTWORX, AZURE_FILE, VSPHERE)
}
_COUNTED_WHERE_MIGRATED: Final = frozenset(
    plugin.name for plugin in (AWS_EBS, GCE_PD, AZURE_DISK, CINDER, PORTWORX)
)


class TranslationError(ValueError):
    """A volume cannot be said in the driver's terms; the message is upstream's."""


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
    return None


def is_inline_migratable(volume: Volume) -> bool:
    """Whether a pod's own volume belongs to an in-tree plugin that CSI has taken over."""
    return plugin_of(volume) is not None


def migrated_plugins(csi_node: CSINode | None) -> frozenset[str]:
    """Names of the in-tree plugins that a node leaves to CSI."""
    if csi_node is None or not csi_node.metadata.annotations:
        return _NOTHING
    annotation = csi_node.metadata.annotations.get(MIGRATED_PLUGINS_ANNOTATION, "")
    return frozenset(annotation.split(",")) if annotation else _NOTHING


def is_migrated(plugin_name: str, migrated: frozenset[str]) -> bool:
    """Whether a node leaves ``plugin_name`` to CSI, and the scheduler counts it as such."""
    return plugin_name in _COUNTED_WHERE_MIGRATED and plugin_name in migrated


def volume_handle(source: Volume | PersistentVolumeSpec, labels: dict[str, str] | None = None) -> str:
    """The driver's name for an in-tree disk.

    Args:
        source: a pod's volume or the spec of a PersistentVolume
        labels: those of the PersistentVolume

    Raises:
        TranslationError: the disk's identity cannot be read.
    """
    if source.aws_elastic_block_store is not None:
        return _aws_handle(source.aws_elastic_block_store.volume_id)
    if source.gce_persistent_disk is not None:
        return _gce_handle(source.gce_persistent_disk.pd_name, labels or {})
    if source.azure_disk is not None:
        return source.azure_disk.disk_uri
    assert source.cinder is not None
    return source.cinder.volume_id


def translate_volume(volume: PersistentVolume) -> PersistentVolume:
    """An in-tree PersistentVolume as one of the CSI driver, with the driver's topology in its node affinity.

    Raises:
        TranslationError: the disk's identity or its zones cannot be read.
    """
    spec = volume.spec
    plugin = plugin_of(spec)
    assert plugin is not None
    translated = msgspec.structs.replace(
        spec,
        csi=CSIPersistentVolumeSource(
            driver=plugin.driver, volume_handle=volume_handle(spec, volume.metadata.labels)
        ),
        node_affinity=_translate_topology(spec.node_affinity, volume.metadata.labels, plugin.topology_key),
        aws_elastic_block_store=None,
        gce_persistent_disk=None,
        azure_disk=None,
        cinder=None,
    )
    return msgspec.structs.replace(volume, spec=translated)


def _aws_handle(volume_id: str) -> str:
    if volume_id.startswith("vol-"):
        return volume_id
    match = _AWS_URL.fullmatch(volume_id)
    if match is None:
        raise TranslationError(
            f"failed to translate Kubernetes ID to EBS Volume ID invalid disk name ({volume_id})"
        )
    return match[1]


def _gce_handle(pd_name: str, labels: dict[str, str]) -> str:
    zones = (labels.get(ZONE) or labels.get(BETA_ZONE, "")).split(ZONE_DELIMITER)
    if len(zones) == 1:
        return f"projects/{_UNSPECIFIED}/zones/{zones[0] or _UNSPECIFIED}/disks/{pd_name}"
    regions = set()
    for zone in zones:
        match = _GCE_ZONE.fullmatch(zone)
        if match is None:
            raise TranslationError(f"failed to get region from zones: zone in unexpected format: {zone}")
        regions.add(match[1])
    if len(regions) != 1:
        raise TranslationError("failed to get region from zones: multiple or no regions gotten from zones")
    return f"projects/{_UNSPECIFIED}/regions/{regions.pop()}/disks/{pd_name}"


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
