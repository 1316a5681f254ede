"""What other tools and older clusters write, read as what it means today."""

from __future__ import annotations

from typing import Any, Final

# kube-scheduler-simulator, simulator/snapshot/snapshot.go, ResourcesForSnap.
SIMULATOR_LISTS: Final = {
    "namespaces": ("v1", "Namespace"),
    "priorityClasses": ("scheduling.k8s.io/v1", "PriorityClass"),
    "storageClasses": ("storage.k8s.io/v1", "StorageClass"),
    "pvs": ("v1", "PersistentVolume"),
    "pvcs": ("v1", "PersistentVolumeClaim"),
    "nodes": ("v1", "Node"),
    "pods": ("v1", "Pod"),
}
SIMULATOR_CONFIG: Final = "schedulerConfig"

SNAPSHOT: Final = "Snapshot"
"""The kind of a text that says when the objects beside it were read (examples/export-snapshot.sh writes it)."""
CAPTURED_AT: Final = "capturedAt"
"""Where it says so; an exported List says it in its metadata."""


def captured_at(value: dict[str, Any]) -> str:
    """Returns when what a document holds was read from a cluster, if it says so."""
    metadata = value.get("metadata")
    holder = value if value.get("kind") == SNAPSHOT else metadata if isinstance(metadata, dict) else {}
    moment = holder.get(CAPTURED_AT, "")
    return moment if isinstance(moment, str) else ""


def is_simulator_export(value: dict[str, Any]) -> bool:
    """Returns whether an object without a type is an export of kube-scheduler-simulator."""
    lists = value.keys() & SIMULATOR_LISTS.keys()
    return (
        bool(lists)
        and value.keys() <= {*SIMULATOR_LISTS, SIMULATOR_CONFIG}
        and all(isinstance(value[field], list) for field in lists)
    )


def read_old_version(value: dict[str, Any]) -> str:
    """Changes an object of an old API version, in place, where its fields meant something else there.

    Returns:
        What was changed, for a warning; mostly nothing.
    """
    api_version, spec = value.get("apiVersion"), value.get("spec")
    if not isinstance(spec, dict):
        return ""
    if api_version == "policy/v1beta1" and spec.get("selector") == {}:
        del spec["selector"]
        return "an empty selector of policy/v1beta1 selects no pods"
    if api_version in ("extensions/v1beta1", "apps/v1beta1") and "selector" not in spec:
        template = spec.get("template")
        metadata = template.get("metadata") if isinstance(template, dict) else None
        labels = metadata.get("labels") if isinstance(metadata, dict) else None
        if labels and isinstance(labels, dict):
            spec["selector"] = {"matchLabels": dict(labels)}
    return ""
