"""Which volumes of CSI drivers a pod needs attached to its node, each under one name for the whole cluster.

Source: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, filterAttachableVolumes, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.plugins.helper.csi_handles import TranslationError
from scheduler_core.plugins.helper.csi_migration import (
    PLUGINS_BY_NAME,
    inline_handle,
    plugin_of,
    volume_handle,
)
from scheduler_core.plugins.helper.volumes import (
    claim_class,
    claim_reference,
    get_claim,
    not_found,
    not_owner_message,
)

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.storage import PersistentVolume, PersistentVolumeClaim, StorageClass
    from scheduler_core.api.volumes import Volume
    from scheduler_core.framework.interface import ObjectLister

_UNBOUND_PREFIX: Final = "unbound"
"""Stands before the names of claims without a volume (upstream: 32 random characters)."""


class ClaimNotFoundError(LookupError):
    """A claim of the pod to be placed does not exist."""


class AttachError(ValueError):
    """It cannot be told what a pod needs attached: the attempt fails with an error."""


def attachable_volumes(
    lister: ObjectLister, pod: Pod, migrated: frozenset[str], *, is_new: bool
) -> dict[str, str]:
    """Unique name of each volume → its CSI driver.

    Args:
        lister: where claims, volumes and classes are looked up
        pod: the pod to be placed, or one on the node
        migrated: the in-tree plugins whose volumes count as CSI ones on the node
        is_new: whether it is the pod to be placed, whose claims must exist

    Raises:
        ClaimNotFoundError: a claim of the pod to be placed does not exist.
        AttachError: a volume without a name, a claim of another pod, or a disk whose identity cannot be read.
    """
    found: dict[str, str] = {}
    for volume in pod.spec.volumes:
        reference = claim_reference(pod, volume)
        if reference is None:
            _add_inline(volume, migrated, found)
            continue
        if not reference.name:
            raise AttachError("PersistentVolumeClaim had no name")
        claim = get_claim(lister, pod.metadata.namespace, reference.name)
        if claim is None:
            if is_new:
                missing = not_found("PersistentVolumeClaim", reference.name)
                raise ClaimNotFoundError(
                    f"looking up PVC {pod.metadata.namespace}/{reference.name}: {missing}"
                )
            continue
        problem = not_owner_message(pod, claim) if reference.is_ephemeral else ""
        if problem:
            raise AttachError(problem)
        driver, handle = _driver_and_handle(lister, claim, migrated)
        if driver and handle:
            found[unique_name(driver, handle)] = driver
    return found


def unique_name(driver: str, handle: str) -> str:
    """The name of a volume."""
    return f"{driver}/{handle}"


def _add_inline(volume: Volume, migrated: frozenset[str], found: dict[str, str]) -> None:
    plugin = plugin_of(volume)
    if plugin is None or plugin.name not in migrated:
        return
    try:
        handle = inline_handle(volume)
    except TranslationError as problem:
        raise AttachError(f"converting volume({volume.name}) from inline to csi: {problem}") from None
    found[unique_name(plugin.driver, handle)] = plugin.driver


def _driver_and_handle(
    lister: ObjectLister, claim: PersistentVolumeClaim, migrated: frozenset[str]
) -> tuple[str, str]:
    name = claim.spec.volume_name
    volume: PersistentVolume | None = lister.get("PersistentVolume", "", name) if name else None
    if volume is None:
        return _from_class(lister, claim, migrated)
    if volume.spec.csi is not None:
        return volume.spec.csi.driver, volume.spec.csi.volume_handle
    plugin = plugin_of(volume.spec)
    if plugin is None or plugin.name not in migrated:
        return "", ""
    try:
        return plugin.driver, volume_handle(volume)
    except TranslationError:
        return "", ""


def _from_class(
    lister: ObjectLister, claim: PersistentVolumeClaim, migrated: frozenset[str]
) -> tuple[str, str]:
    name = claim_class(claim)
    storage_class: StorageClass | None = lister.get("StorageClass", "", name) if name else None
    if storage_class is None:
        return "", ""
    handle = f"{_UNBOUND_PREFIX}-{claim.metadata.namespace}/{claim.metadata.name}"
    plugin = PLUGINS_BY_NAME.get(storage_class.provisioner)
    if plugin is None:
        return storage_class.provisioner, handle
    return (plugin.driver, handle) if plugin.name in migrated else ("", "")
