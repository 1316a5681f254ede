"""Support bundles: which of their files hold what a scheduler reads.

A bundle (troubleshoot.sh) has a folder `cluster-resources` with a list for each kind, or a folder of lists for each
namespace. Bundles of older versions leave the kind out of some lists; there the path says it.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

FOLDER: Final = "cluster-resources"

_APPS: Final = "apps/v1"
_STORAGE: Final = "storage.k8s.io/v1"
_TYPES: Final = {
    "nodes": ("v1", "Node"),
    "pods": ("v1", "Pod"),
    "namespaces": ("v1", "Namespace"),
    "pvs": ("v1", "PersistentVolume"),
    "pvcs": ("v1", "PersistentVolumeClaim"),
    "services": ("v1", "Service"),
    "limitranges": ("v1", "LimitRange"),
    "resource-quotas": ("v1", "ResourceQuota"),
    "replicationcontrollers": ("v1", "ReplicationController"),
    "storage-classes": (_STORAGE, "StorageClass"),
    "csinodes": (_STORAGE, "CSINode"),
    "csidrivers": (_STORAGE, "CSIDriver"),
    "csistoragecapacities": (_STORAGE, "CSIStorageCapacity"),
    "volumeattachments": (_STORAGE, "VolumeAttachment"),
    "priorityclasses": ("scheduling.k8s.io/v1", "PriorityClass"),
    "runtimeclasses": ("node.k8s.io/v1", "RuntimeClass"),
    "pod-disruption-budgets": ("policy/v1", "PodDisruptionBudget"),
    "deployments": (_APPS, "Deployment"),
    "replicasets": (_APPS, "ReplicaSet"),
    "statefulsets": (_APPS, "StatefulSet"),
    "daemonsets": (_APPS, "DaemonSet"),
    "jobs": ("batch/v1", "Job"),
    "cronjobs": ("batch/v1", "CronJob"),
    "horizontalpodautoscalers": ("autoscaling/v2", "HorizontalPodAutoscaler"),
}
_OTHER_SPELLINGS: Final = {
    "limit-ranges": "limitranges",
    "resourcequotas": "resource-quotas",
    "priority-classes": "priorityclasses",
    "storageclasses": "storage-classes",
    "poddisruptionbudgets": "pod-disruption-budgets",
    "persistentvolumes": "pvs",
    "persistentvolumeclaims": "pvcs",
    "volume-attachments": "volumeattachments",
}


def is_in_bundle(name: str) -> bool:
    """Returns whether a file lies in a bundle's folder of objects."""
    return FOLDER in PurePosixPath(name).parts[:-1]


def type_from_path(name: str) -> tuple[str, str] | None:
    """Returns API version and kind of the items of a bundle's file, or None for one that is not read."""
    parts = PurePosixPath(name).parts
    below = parts[parts.index(FOLDER) + 1 :]
    holder = below[0] if len(below) == 2 else PurePosixPath(below[0]).stem if len(below) == 1 else ""
    return _TYPES.get(_OTHER_SPELLINGS.get(holder, holder))
