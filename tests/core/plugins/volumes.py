"""Storage objects, and plugins that see them, for tests of the volume plugins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.clock import VirtualClock
from scheduler_core.simulator.client import StoreClient
from scheduler_core.snapshot.snapshot import Snapshot
from scheduler_core.trace.sink import Tracer
from tests.core.plugins.small_handle import SmallHandle
from tests.make import make, make_snapshot

ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"
HOST = "kubernetes.io/hostname"


class WritingHandle(SmallHandle):
    """A handle that writes, too."""

    def __init__(
        self, snapshot: Snapshot, objects: Iterable[Any], gates: Mapping[str, bool] | None = None
    ) -> None:
        super().__init__(snapshot, objects, gates)
        clock = VirtualClock()
        self.client = StoreClient(self.lister, clock, Tracer(clock, None))


class Cluster:
    """Nodes and pods as a snapshot, other objects in a store, and a handle on both."""

    def __init__(
        self,
        nodes: Sequence[Node],
        objects: Iterable[Any] = (),
        pods: Iterable[Pod] = (),
        gates: Mapping[str, bool] | None = None,
    ) -> None:
        self.snapshot = make_snapshot(nodes, pods)
        self.handle = WritingHandle(self.snapshot, objects, gates)
        self.store = self.handle.lister

    def plugin(self, new: Callable[..., Any], args: Any = None) -> Any:
        """Makes a plugin that sees this cluster."""
        return new(args, self.handle)


def claim(
    name: str,
    *,
    namespace: str = "default",
    storage_class: str | None = "fast",
    size: str | None = "5Gi",
    volume: str = "",
    bound: bool | None = None,
    modes: Sequence[str] = ("ReadWriteOnce",),
    annotations: Mapping[str, str] | None = None,
    owner_uid: str = "",
    phase: str = "",
    deleted: bool = False,
    **spec: Any,
) -> Any:
    """Makes a claim; with a volume it is bound unless ``bound`` is False."""
    metadata: dict[str, Any] = {"name": name, "namespace": namespace, "annotations": dict(annotations or {})}
    if volume and bound is not False:
        metadata["annotations"]["pv.kubernetes.io/bind-completed"] = "yes"
    if owner_uid:
        owner = {"apiVersion": "v1", "kind": "Pod", "name": "owner", "uid": owner_uid, "controller": True}
        metadata["ownerReferences"] = [owner]
    if deleted:
        metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    raw_spec: dict[str, Any] = {"accessModes": list(modes), **spec}
    if size is not None:
        raw_spec["resources"] = {"requests": {"storage": size}}
    if storage_class is not None:
        raw_spec["storageClassName"] = storage_class
    if volume:
        raw_spec["volumeName"] = volume
    return make(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": metadata,
            "spec": raw_spec,
            "status": {"phase": phase or ("Bound" if volume else "Pending")},
        }
    )


def volume(
    name: str,
    *,
    storage_class: str = "fast",
    size: str = "10Gi",
    labels: Mapping[str, str] | None = None,
    within: Mapping[str, Sequence[str]] | None = None,
    claim_ref: Mapping[str, str] | None = None,
    modes: Sequence[str] = ("ReadWriteOnce",),
    phase: str = "",
    source: Mapping[str, Any] | None = None,
    deleted: bool = False,
    **spec: Any,
) -> Any:
    """Makes a volume; ``within`` is label → values of its node affinity."""
    metadata: dict[str, Any] = {"name": name, "labels": dict(labels or {})}
    if deleted:
        metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    raw_spec: dict[str, Any] = {
        "accessModes": list(modes),
        "capacity": {"storage": size},
        "storageClassName": storage_class,
        **(source or {"csi": {"driver": "ebs.csi.example", "volumeHandle": f"vol-{name}"}}),
        **spec,
    }
    if within is not None:
        expressions = [
            {"key": key, "operator": "In", "values": list(values)} for key, values in within.items()
        ]
        raw_spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}}
    if claim_ref is not None:
        raw_spec["claimRef"] = {"kind": "PersistentVolumeClaim", "namespace": "default", **claim_ref}
    status = {"phase": phase or ("Bound" if claim_ref else "Available")}
    return make(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": metadata,
            "spec": raw_spec,
            "status": status,
        }
    )


def storage_class(
    name: str = "fast",
    *,
    provisioner: str = "ebs.csi.example",
    mode: str = "WaitForFirstConsumer",
    allowed: Sequence[Mapping[str, Sequence[str]]] = (),
) -> Any:
    """Makes a storage class; ``allowed`` are its topology terms, label → values each."""
    return make(
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": name},
            "provisioner": provisioner,
            "volumeBindingMode": mode,
            "allowedTopologies": [
                {
                    "matchLabelExpressions": [
                        {"key": key, "values": list(values)} for key, values in term.items()
                    ]
                }
                for term in allowed
            ],
        }
    )


def csi_node(name: str, limits: Mapping[str, int | None], migrated: str = "") -> Any:
    """Makes a CSINode with the number of volumes that it can hold of each driver."""
    drivers = [
        {"name": driver, "nodeID": name, "allocatable": {} if count is None else {"count": count}}
        for driver, count in limits.items()
    ]
    annotations = {"storage.alpha.kubernetes.io/migrated-plugins": migrated} if migrated else {}
    return make(
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSINode",
            "metadata": {"name": name, "annotations": annotations},
            "spec": {"drivers": drivers},
        }
    )


def csi_driver(name: str = "ebs.csi.example", *, storage_capacity: bool | None = True) -> Any:
    """Makes a CSIDriver."""
    spec = {} if storage_capacity is None else {"storageCapacity": storage_capacity}
    raw = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": name}, "spec": spec}
    return make(raw)


def capacity(
    name: str,
    *,
    storage_class: str = "fast",
    size: str | None = None,
    largest: str | None = None,
    topology: Mapping[str, str] | None = None,
) -> Any:
    """Makes a pool of storage that nodes with the labels ``topology`` reach (None: no node)."""
    raw: dict[str, Any] = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSIStorageCapacity",
        "metadata": {"name": name, "namespace": "kube-system"},
        "storageClassName": storage_class,
    }
    if size is not None:
        raw["capacity"] = size
    if largest is not None:
        raw["maximumVolumeSize"] = largest
    if topology is not None:
        raw["nodeTopology"] = {"matchLabels": dict(topology)}
    return make(raw)


def attachment(name: str, *, node: str, volume: str, driver: str = "ebs.csi.example") -> Any:
    """Makes a VolumeAttachment."""
    return make(
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "VolumeAttachment",
            "metadata": {"name": name},
            "spec": {"attacher": driver, "nodeName": node, "source": {"persistentVolumeName": volume}},
        }
    )


def of_claims(*names: str) -> list[dict[str, Any]]:
    """A pod's volumes that name claims."""
    return [
        {"name": f"v{index}", "persistentVolumeClaim": {"claimName": name}}
        for index, name in enumerate(names)
    ]


def ephemeral(name: str) -> dict[str, Any]:
    """A pod's volume with a claim made for the pod."""
    return {"name": name, "ephemeral": {"volumeClaimTemplate": {"spec": {}}}}
