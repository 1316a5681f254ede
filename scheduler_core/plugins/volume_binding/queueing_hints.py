"""Which changes of storage objects may help a pod that VolumeBinding refused.

Source: pkg/scheduler/framework/plugins/volumebinding/volume_binding.go, isSchedulableAfter…, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.framework.cluster_event import QueueingHint
from scheduler_core.plugins.helper.csi_migration import MIGRATED_PLUGINS_ANNOTATION
from scheduler_core.plugins.helper.volumes import uses_claim
from scheduler_core.plugins.volume_binding.capacity import volume_limit

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.storage import (
        CSIDriver,
        CSINode,
        CSIStorageCapacity,
        PersistentVolumeClaim,
        StorageClass,
    )


def after_csi_node_change(pod: Pod, old: CSINode | None, new: CSINode) -> QueueingHint:
    """A new CSINode, or one whose list of migrated plugins changed."""
    if old is None:
        return QueueingHint.QUEUE
    before = old.metadata.annotations.get(MIGRATED_PLUGINS_ANNOTATION, "")
    after = new.metadata.annotations.get(MIGRATED_PLUGINS_ANNOTATION, "")
    return QueueingHint.SKIP if before == after else QueueingHint.QUEUE


def after_claim_change(
    pod: Pod, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim
) -> QueueingHint:
    """A claim that the pod uses."""
    return QueueingHint.QUEUE if uses_claim(pod, new) else QueueingHint.SKIP


def after_storage_class_change(pod: Pod, old: StorageClass | None, new: StorageClass) -> QueueingHint:
    """A new class, or one with other allowed topologies."""
    if old is None or old.allowed_topologies != new.allowed_topologies:
        return QueueingHint.QUEUE
    return QueueingHint.SKIP


def after_storage_capacity_change(
    pod: Pod, old: CSIStorageCapacity | None, new: CSIStorageCapacity
) -> QueueingHint:
    """A new pool, or one that takes larger volumes than before."""
    if old is None:
        return QueueingHint.QUEUE
    before, after = volume_limit(old), volume_limit(new)
    if after is not None and (before is None or after.value() > before.value()):
        return QueueingHint.QUEUE
    return QueueingHint.SKIP


def after_csi_driver_change(pod: Pod, old: CSIDriver, new: CSIDriver) -> QueueingHint:
    """The driver of one of the pod's inline CSI volumes no longer reports its storage."""
    for volume in pod.spec.volumes:
        if volume.csi is None or volume.csi.driver != new.metadata.name:
            continue
        if old.spec.storage_capacity and not new.spec.storage_capacity:
            return QueueingHint.QUEUE
    return QueueingHint.SKIP
