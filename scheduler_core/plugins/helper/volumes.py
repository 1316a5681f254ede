"""What the volume plugins share: which claims a pod uses, classes of claims and volumes, what listers say.

Source: component-helpers/storage/ephemeral/ephemeral.go, component-helpers/storage/volume/helpers.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from scheduler_core.plugins.helper.csi_migration import is_inline_migratable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.storage import PersistentVolume, PersistentVolumeClaim
    from scheduler_core.api.volumes import Volume
    from scheduler_core.framework.interface import ObjectLister

ANN_BIND_COMPLETED: Final = "pv.kubernetes.io/bind-completed"
ANN_BOUND_BY_CONTROLLER: Final = "pv.kubernetes.io/bound-by-controller"
ANN_SELECTED_NODE: Final = "volume.kubernetes.io/selected-node"
ANN_BETA_STORAGE_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
READ_WRITE_ONCE_POD: Final = "ReadWriteOncePod"
STORAGE: Final = "storage"

_RESOURCE_NAMES: Final = {
    "PersistentVolumeClaim": "persistentvolumeclaim",
    "PersistentVolume": "persistentvolume",
    "StorageClass": "storageclass.storage.k8s.io",
}


class ClaimReference(NamedTuple):
    """A volume of a pod that goes through a claim; ``is_ephemeral`` if the claim is made for the pod."""

    name: str
    is_ephemeral: bool


def claim_reference(pod: Pod, volume: Volume) -> ClaimReference | None:
    """The claim behind a volume, or None if it needs none."""
    if volume.persistent_volume_claim is not None:
        return ClaimReference(volume.persistent_volume_claim.claim_name, False)
    if volume.ephemeral is not None:
        return ClaimReference(f"{pod.metadata.name}-{volume.name}", True)
    return None


def claim_references(pod: Pod) -> Iterator[ClaimReference]:
    """The claims behind a pod's volumes, in the volumes' order, as often as they stand there."""
    for volume in pod.spec.volumes:
        reference = claim_reference(pod, volume)
        if reference is not None:
            yield reference


def claim_names(pod: Pod) -> tuple[str, ...]:
    """Names of the claims that a pod's volumes name themselves (those made for the pod left out)."""
    return tuple(
        volume.persistent_volume_claim.claim_name
        for volume in pod.spec.volumes
        if volume.persistent_volume_claim is not None
    )


def uses_claim(pod: Pod, claim: PersistentVolumeClaim) -> bool:
    """Whether ``claim`` is behind one of the pod's volumes, by namespace and name."""
    if claim.metadata.namespace != pod.metadata.namespace:
        return False
    return any(reference.name == claim.metadata.name for reference in claim_references(pod))


def not_owner_message(pod: Pod, claim: PersistentVolumeClaim) -> str:
    """Why an ephemeral volume may not use a claim of its name, or "" if the claim was made for the pod."""
    owner = claim.metadata.controller()
    if owner is not None and owner.uid == pod.metadata.uid:
        return ""
    of_pod, of_claim = pod.metadata, claim.metadata
    return (
        f"PVC {of_claim.namespace}/{of_claim.name} was not created for pod "
        f"{of_pod.namespace}/{of_pod.name} (pod is not owner)"
    )


def claim_class(claim: PersistentVolumeClaim) -> str:
    """Name of a claim's storage class; the old annotation wins over the field."""
    annotated = claim.metadata.annotations.get(ANN_BETA_STORAGE_CLASS)
    return annotated if annotated is not None else claim.spec.storage_class_name or ""


def volume_class(volume: PersistentVolume) -> str:
    """Name of a volume's storage class; the old annotation wins over the field."""
    annotated = volume.metadata.annotations.get(ANN_BETA_STORAGE_CLASS)
    return annotated if annotated is not None else volume.spec.storage_class_name


def requested_bytes(claim: PersistentVolumeClaim) -> int:
    """Bytes that a claim asks for; 0 if it does not say."""
    quantity = claim.spec.resources.requests.get(STORAGE)
    return 0 if quantity is None else quantity.value()


def get_claim(lister: ObjectLister, namespace: str, name: str) -> PersistentVolumeClaim | None:
    """A claim, or None if there is none of this name."""
    claim: PersistentVolumeClaim | None = lister.get("PersistentVolumeClaim", namespace, name)
    return claim


def not_found(kind: str, name: str) -> str:
    """What a lister says of an object that does not exist."""
    return f'{_RESOURCE_NAMES[kind]} "{name}" not found'


def has_attachable_volume(pod: Pod) -> bool:
    """Whether a pod has a volume that may have to be attached to its node."""
    return any(
        volume.persistent_volume_claim is not None
        or volume.ephemeral is not None
        or is_inline_migratable(volume)
        for volume in pod.spec.volumes
    )
