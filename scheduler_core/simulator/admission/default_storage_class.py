"""DefaultStorageClass: a claim that names no class gets the cluster's default one.

Source: plugin/pkg/admission/storage/storageclass/setdefault/admission.go;
pkg/volume/util/storageclass.go, GetDefaultClass, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from scheduler_core.api.storage import PersistentVolumeClaim, StorageClass
    from scheduler_core.simulator.object_store import ObjectStore

_IS_DEFAULT: Final = "storageclass.kubernetes.io/is-default-class"
_IS_DEFAULT_BETA: Final = "storageclass.beta.kubernetes.io/is-default-class"
_CLASS_BETA: Final = "volume.beta.kubernetes.io/storage-class"


def admit_storage_class(claim: PersistentVolumeClaim, store: ObjectStore) -> PersistentVolumeClaim:
    """Returns the claim with the newest default class, the first by name among equals."""
    if claim.spec.storage_class_name is not None or _CLASS_BETA in claim.metadata.annotations:
        return claim
    defaults = [cls for cls in store.list("StorageClass") if _is_default(cls)]
    if not defaults:
        return claim
    chosen = min(defaults, key=lambda cls: (-(cls.metadata.creation_timestamp or 0), cls.metadata.name))
    spec = msgspec.structs.replace(claim.spec, storage_class_name=chosen.metadata.name)
    return msgspec.structs.replace(claim, spec=spec)


def _is_default(storage_class: StorageClass) -> bool:
    annotations = storage_class.metadata.annotations
    return "true" in (annotations.get(_IS_DEFAULT), annotations.get(_IS_DEFAULT_BETA))
