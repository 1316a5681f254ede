"""Completes what the scheduler began with volumes: binds claims to those it chose, makes those it ordered.

It answers changes only, so claims and volumes keep the state they came with: a claim that should have been
bound before any pod came stays unbound.

Source: pkg/controller/volume/persistentvolume/pv_controller.go, bindVolumeToClaim; for the provisioner's part
sigs.k8s.io/sig-storage-lib-external-provisioner, ProvisionController.provisionClaimOperation
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from scheduler_core.api.meta import ObjectMeta, ObjectReference
from scheduler_core.api.selectors import IN, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from scheduler_core.api.storage import (
    CSIPersistentVolumeSource,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimStatus,
    PersistentVolumeSpec,
    PersistentVolumeStatus,
    StorageClass,
    VolumeNodeAffinity,
)

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.simulator.object_store import ObjectStore

BIND_COMPLETED: Final = "pv.kubernetes.io/bind-completed"
BOUND_BY_CONTROLLER: Final = "pv.kubernetes.io/bound-by-controller"
SELECTED_NODE: Final = "volume.kubernetes.io/selected-node"
PROVISIONED_BY: Final = "pv.kubernetes.io/provisioned-by"
ZONE: Final = "topology.kubernetes.io/zone"

_BOUND: Final = "Bound"
_DELETE: Final = "Delete"
_NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"

_replace = msgspec.structs.replace


class Objects(Protocol):
    """Where objects are looked up."""

    def get(self, kind: str, namespace: str, name: str) -> Any | None:
        """The object, or None."""
        ...


class PersistentVolumeController:
    """Listens to a store and writes to it."""

    def __init__(self, store: ObjectStore, driver: str | None = None) -> None:
        """Takes the store.

        Args:
            store: where claims and volumes are
            driver: CSI driver of the volumes made; None: the storage class's provisioner
        """
        self._store = store
        self._driver = driver

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Answers one change."""
        if old is None or new is None:
            return
        if kind == "PersistentVolume":
            self._on_volume_update(old, new)
        elif kind == "PersistentVolumeClaim":
            self._on_claim_update(old, new)

    def _on_volume_update(self, old: PersistentVolume, new: PersistentVolume) -> None:
        """A volume that now refers to a claim without a volume: the claim is bound to it."""
        reference = new.spec.claim_ref
        if reference is None or not reference.uid or reference == old.spec.claim_ref:
            return
        claim: PersistentVolumeClaim | None = self._store.get(
            "PersistentVolumeClaim", reference.namespace, reference.name
        )
        if claim is not None and claim.metadata.uid == reference.uid and not claim.spec.volume_name:
            self._bind(claim, new)

    def _on_claim_update(self, old: PersistentVolumeClaim, new: PersistentVolumeClaim) -> None:
        """A claim that now has a selected node: its volume is made."""
        selected = new.metadata.annotations.get(SELECTED_NODE)
        if selected is None or new.spec.volume_name or SELECTED_NODE in old.metadata.annotations:
            return
        storage_class: StorageClass | None = self._store.get(
            "StorageClass", "", new.spec.storage_class_name or ""
        )
        if storage_class is None or storage_class.provisioner == _NO_PROVISIONER:
            return
        node: Node | None = self._store.get("Node", "", selected)
        zone = None if node is None else node.metadata.labels.get(ZONE)
        made = provisioned_volume(new, storage_class, self._driver or storage_class.provisioner, zone)
        volume = self._store.put("PersistentVolume", free_name(self._store, made, new))
        self._bind(new, volume)

    def _bind(self, claim: PersistentVolumeClaim, volume: PersistentVolume) -> None:
        """Says on both sides that they are bound: the volume first, as upstream does."""
        if volume.status.phase != _BOUND:
            status = _replace(volume.status, phase=_BOUND)
            self._store.put("PersistentVolume", _replace(volume, status=status))
        self._store.put("PersistentVolumeClaim", bound_claim(claim, volume))


def bound_claim(claim: PersistentVolumeClaim, volume: PersistentVolume) -> PersistentVolumeClaim:
    """The claim as it is once it is bound to a volume."""
    annotations = {**claim.metadata.annotations, BIND_COMPLETED: "yes", BOUND_BY_CONTROLLER: "yes"}
    return _replace(
        claim,
        metadata=_replace(claim.metadata, annotations=annotations),
        spec=_replace(claim.spec, volume_name=volume.metadata.name),
        status=PersistentVolumeClaimStatus(
            phase=_BOUND, access_modes=volume.spec.access_modes, capacity=volume.spec.capacity
        ),
    )


def free_name(objects: Objects, volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolume:
    """The volume under a name that no volume of another namespace's claim has."""
    if objects.get("PersistentVolume", "", volume.metadata.name) is None:
        return volume
    name = f"pvc-{claim.metadata.namespace}-{claim.metadata.name}"
    metadata = _replace(volume.metadata, name=name, uid=f"uid-PersistentVolume-{name}")
    return _replace(volume, metadata=metadata)


def provisioned_volume(
    claim: PersistentVolumeClaim, storage_class: StorageClass, driver: str, zone: str | None
) -> PersistentVolume:
    """The volume that a driver makes for a claim, bound to it, reachable from ``zone`` (None: everywhere)."""
    metadata, spec = claim.metadata, claim.spec
    name = f"pvc-{metadata.name}"
    affinity = None
    if zone is not None:
        in_zone = NodeSelectorRequirement(key=ZONE, operator=IN, values=(zone,))
        term = NodeSelectorTerm(match_expressions=(in_zone,))
        affinity = VolumeNodeAffinity(required=NodeSelector(node_selector_terms=(term,)))
    return PersistentVolume(
        metadata=ObjectMeta(
            name=name, uid=f"uid-PersistentVolume-{name}", annotations={PROVISIONED_BY: driver}
        ),
        spec=PersistentVolumeSpec(
            capacity=spec.resources.requests,
            access_modes=spec.access_modes,
            claim_ref=ObjectReference(
                api_version="v1",
                kind="PersistentVolumeClaim",
                namespace=metadata.namespace,
                name=metadata.name,
                uid=metadata.uid,
            ),
            persistent_volume_reclaim_policy=storage_class.reclaim_policy or _DELETE,
            storage_class_name=storage_class.metadata.name,
            volume_mode=spec.volume_mode,
            volume_attributes_class_name=spec.volume_attributes_class_name,
            mount_options=storage_class.mount_options,
            node_affinity=affinity,
            csi=CSIPersistentVolumeSource(driver=driver, volume_handle=f"vol-{name}"),
        ),
        status=PersistentVolumeStatus(phase=_BOUND),
    )
