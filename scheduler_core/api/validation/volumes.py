"""Volumes of a pod.

Source: pkg/apis/core/validation/validation.go, ValidateVolumes, v1.34.1
"""

from __future__ import annotations

from typing import Any

from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.name_syntax import label_problems
from scheduler_core.api.pod import PodSpec
from scheduler_core.api.validation.containers import plain_item
from scheduler_core.api.validation.rules import Faults, checked, duplicate, forbidden, required
from scheduler_core.api.volumes import Volume

# In the order in which upstream looks at them.
_SOURCE_NAMES = (
    "emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs "
    "persistentVolumeClaim rbd cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume "
    "flexVolume quobyte azureDisk photonPersistentDisk projected portworxVolume scaleIO storageos csi "
    "ephemeral image"
)
_SOURCES = tuple(_SOURCE_NAMES.split())


def validate_volumes(spec: PodSpec, raw: Any, path: FieldPath) -> Faults:
    """Yields what is wrong with the volumes; one without a source is an empty folder."""
    names: set[str] = set()
    for index, volume in enumerate(spec.volumes):
        at = (*path, "volumes", index)
        if not volume.name:
            yield required((*at, "name"))
        else:
            yield from checked((*at, "name"), volume.name, label_problems)
        if volume.name in names:
            yield duplicate((*at, "name"), volume.name)
        names.add(volume.name)
        yield from _validate_source(volume, plain_item(raw, "volumes", index), at)


def _validate_source(volume: Volume, raw: dict[str, Any], path: FieldPath) -> Faults:
    given = [source for source in _SOURCES if source in raw]
    for source in given[1:]:
        yield forbidden((*path, source), "may not specify more than 1 volume type")
    claim = volume.persistent_volume_claim
    if claim is not None and not claim.claim_name:
        yield required((*path, "persistentVolumeClaim", "claimName"))
    if volume.host_path is not None and not volume.host_path.path:
        yield required((*path, "hostPath", "path"))
    ephemeral = volume.ephemeral
    if ephemeral is not None and ephemeral.volume_claim_template is None:
        yield required((*path, "ephemeral", "volumeClaimTemplate"))
