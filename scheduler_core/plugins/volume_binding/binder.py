"""Sorts a pod's claims, assumes what the chosen node needs, and writes it to the API server.

Upstream polls until the claims are bound. Here the simulator's controllers have done their work when the
update returns, so one look tells: what is not bound by then would not be bound within the timeout either.

Source: pkg/scheduler/framework/plugins/volumebinding/binder.go, volumeBinder, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.api.selector_problems import aggregated
from scheduler_core.api.storage import (
    WAIT_FOR_FIRST_CONSUMER,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)
from scheduler_core.plugins.helper.csi_handles import TranslationError
from scheduler_core.plugins.helper.csi_migration import plugin_of, translate_volume, translated_on
from scheduler_core.plugins.helper.volumes import (
    ANN_BIND_COMPLETED,
    ANN_SELECTED_NODE,
    claim_class,
    claim_references,
    not_owner_message,
)
from scheduler_core.plugins.volume_binding.assume_cache import AssumeCache, volumes_of_class
from scheduler_core.plugins.volume_binding.matching import bind_volume_to_claim
from scheduler_core.plugins.volume_binding.pod_volumes import (
    DynamicProvision,
    PodVolumeClaims,
    PodVolumes,
    StaticBinding,
)

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.interface import Handle

TIMED_OUT: Final = "binding volumes: context deadline exceeded"


class BindingError(Exception):
    """Volumes cannot be sorted, assumed or bound: the attempt fails with an error, in upstream's words."""


class VolumeBinder:
    """The claims and volumes of the cluster, as assumed, and what is done with them."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self.claims: AssumeCache[PersistentVolumeClaim] = AssumeCache(handle.lister, "PersistentVolumeClaim")
        self.volumes: AssumeCache[PersistentVolume] = AssumeCache(handle.lister, "PersistentVolume")

    def pod_volume_claims(self, pod: Pod) -> PodVolumeClaims:
        """The pod's claims by their state.

        Raises:
            BindingError: a claim is not there, not the pod's own, or its class does not say how it binds.
        """
        sorted_claims = PodVolumeClaims()
        for reference in claim_references(pod):
            claim = self.claims.get(pod.metadata.namespace, reference.name)
            if claim is None:
                key = f"{pod.metadata.namespace}/{reference.name}"
                raise BindingError(
                    f'error getting PVC "{key}": could not find v1.PersistentVolumeClaim "{key}"'
                )
            problem = not_owner_message(pod, claim) if reference.is_ephemeral else ""
            if problem:
                raise BindingError(problem)
            if is_fully_bound(claim):
                sorted_claims.bound.append(claim)
            elif self._is_delayed(claim) and not claim.spec.volume_name:
                sorted_claims.unbound_delayed.append(claim)
            else:
                sorted_claims.unbound_immediate.append(claim)
        for claim in sorted_claims.unbound_delayed:
            name = claim_class(claim)
            if name not in sorted_claims.volumes:
                sorted_claims.volumes[name] = volumes_of_class(self.volumes, name)
        return sorted_claims

    def assume(self, pod: Pod, node_name: str, found: PodVolumes) -> PodVolumes | None:
        """Takes the plan for the chosen node for done.

        Returns: the plan with the objects as they are to be written; None if there is nothing to do

        Raises:
            BindingError: an object is gone.
        """
        if self._are_volumes_bound(pod):
            return None
        bindings: list[StaticBinding] = []
        provisions: list[DynamicProvision] = []
        for binding in found.static_bindings:
            volume, changed = bind_volume_to_claim(binding.volume, binding.claim)
            if changed and not self.volumes.assume(volume):
                self.revert(PodVolumes(tuple(bindings), ()))
                raise BindingError(f'could not find v1.PersistentVolume "{volume.metadata.name}"')
            bindings.append(StaticBinding(volume, binding.claim))
        for provision in found.dynamic_provisions:
            claim = _with_selected_node(provision.claim, node_name)
            if not self.claims.assume(claim):
                self.revert(PodVolumes(tuple(bindings), tuple(provisions)))
                key = f"{claim.metadata.namespace}/{claim.metadata.name}"
                raise BindingError(f'could not find v1.PersistentVolumeClaim "{key}"')
            provisions.append(DynamicProvision(claim))
        return PodVolumes(tuple(bindings), tuple(provisions))

    def revert(self, assumed: PodVolumes) -> None:
        """Goes back to what the API server has."""
        for binding in assumed.static_bindings:
            self.volumes.restore(binding.volume)
        for provision in assumed.dynamic_provisions:
            self.claims.restore(provision.claim)

    def bind(self, node: Node, assumed: PodVolumes) -> None:
        """Writes the plan to the API server and looks whether the claims are bound by that.

        Raises:
            BindingError: an object has changed meanwhile (another pod uses the same claim); a claim is not bound,
                or bound to a volume that the node does not reach.
        """
        for binding in assumed.static_bindings:
            self._update("PersistentVolume", binding.volume)
        for provision in assumed.dynamic_provisions:
            self._update("PersistentVolumeClaim", provision.claim)
        for binding in assumed.static_bindings:
            self._check_static(node, binding)
        for provision in assumed.dynamic_provisions:
            self._check_provisioned(node, provision.claim)

    def _update(self, kind: str, item: PersistentVolume | PersistentVolumeClaim) -> None:
        metadata = item.metadata
        resource = f'{kind.lower()}s "{metadata.name}"'
        current = self._handle.lister.get(kind, metadata.namespace, metadata.name)
        if current is None:
            raise BindingError(f"{resource} not found")
        if current.metadata.resource_version != metadata.resource_version:
            raise BindingError(
                f"Operation cannot be fulfilled on {resource}: the object has been modified; "
                "please apply your changes to the latest version and try again"
            )
        self._handle.client.update(kind, item)

    def _check_static(self, node: Node, binding: StaticBinding) -> None:
        name = binding.volume.metadata.name
        volume = self.volumes.get_from_api("", name)
        if volume is None:
            raise BindingError(
                f'binding volumes: failed to check binding: could not find v1.PersistentVolume "{name}"'
            )
        self._check_affinity(node, volume, "failed to translate pv to csi: ")
        if volume.spec.claim_ref is None or not volume.spec.claim_ref.uid:
            raise BindingError(f'binding volumes: ClaimRef got reset for pv "{name}"')
        self._check_bound(binding.claim, "failed to check binding")

    def _check_provisioned(self, node: Node, claim: PersistentVolumeClaim) -> None:
        current = self.claims.get_from_api(claim.metadata.namespace, claim.metadata.name)
        name = claim.metadata.name
        if current is not None:
            if not current.metadata.annotations:
                raise BindingError(f'binding volumes: selectedNode annotation reset for PVC "{name}"')
            if current.metadata.annotations.get(ANN_SELECTED_NODE) != node.metadata.name:
                raise BindingError(f'binding volumes: provisioning failed for PVC "{name}"')
            if current.spec.volume_name:
                volume = self.volumes.get_from_api("", current.spec.volume_name)
                if volume is None:
                    raise BindingError(TIMED_OUT)
                self._check_affinity(node, volume)
        self._check_bound(claim, "failed to check provisioning pvc")

    def _check_bound(self, claim: PersistentVolumeClaim, doing: str) -> None:
        current = self.claims.get_from_api(claim.metadata.namespace, claim.metadata.name)
        if current is None:
            key = f"{claim.metadata.namespace}/{claim.metadata.name}"
            raise BindingError(f'binding volumes: {doing}: could not find v1.PersistentVolumeClaim "{key}"')
        if not is_fully_bound(current):
            raise BindingError(TIMED_OUT)

    def _check_affinity(self, node: Node, volume: PersistentVolume, doing: str = "") -> None:
        affinity = self._seen_from(node, volume, doing).spec.node_affinity
        if affinity is None or affinity.required is None:
            return
        if not affinity.required.matches("", node.metadata.labels):
            unusable = aggregated(problem.words(path) for path, problem in affinity.required.problems())
            raise BindingError(
                f'binding volumes: pv "{volume.metadata.name}" node affinity doesn\'t match node '
                f'"{node.metadata.name}": {unusable or "no matching NodeSelectorTerms"}'
            )

    def _seen_from(self, node: Node, volume: PersistentVolume, doing: str) -> PersistentVolume:
        plugin = plugin_of(volume.spec)
        csi_node = self._handle.lister.get("CSINode", "", node.metadata.name)
        if plugin is None or plugin.name not in translated_on(csi_node):
            return volume
        try:
            return translate_volume(volume)
        except TranslationError as problem:
            raise BindingError(f"binding volumes: {doing}could not translate pv: {problem}") from None

    def _is_delayed(self, claim: PersistentVolumeClaim) -> bool:
        name = claim_class(claim)
        found: StorageClass | None = self._handle.lister.get("StorageClass", "", name) if name else None
        if found is None:
            return False
        if found.volume_binding_mode is None:
            raise BindingError(f'VolumeBindingMode not set for StorageClass "{name}"')
        return found.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER

    def _are_volumes_bound(self, pod: Pod) -> bool:
        for reference in claim_references(pod):
            claim = self.claims.get(pod.metadata.namespace, reference.name)
            if claim is None or not is_fully_bound(claim):
                return False
            if reference.is_ephemeral and not_owner_message(pod, claim):
                return False
        return True


def is_fully_bound(claim: PersistentVolumeClaim) -> bool:
    """Whether a claim has its volume and the controller has said so."""
    return bool(claim.spec.volume_name) and ANN_BIND_COMPLETED in claim.metadata.annotations


def _with_selected_node(claim: PersistentVolumeClaim, node_name: str) -> PersistentVolumeClaim:
    annotations = {**claim.metadata.annotations, ANN_SELECTED_NODE: node_name}
    return msgspec.structs.replace(
        claim, metadata=msgspec.structs.replace(claim.metadata, annotations=annotations)
    )
