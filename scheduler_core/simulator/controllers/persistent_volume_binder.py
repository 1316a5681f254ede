"""The rest of the volume controller: claims that bind at once, prebound pairs, and what becomes of released volumes.

What the scheduler began (a volume that it chose, a node that it selected) is finished at once by ``pv_controller.py``,
also in runs without controllers; here is what goes on without it. A claim that came unbound from a cluster stays so:
what it waits for there is not known.

Source: pkg/controller/volume/persistentvolume/{pv_controller,index}.go, syncUnboundClaim, syncVolume, reclaimVolume;
for zones sigs.k8s.io/sig-storage-lib-external-provisioner and kubernetes-csi/external-provisioner, topology.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.storage import WAIT_FOR_FIRST_CONSUMER
from scheduler_core.plugins.helper.volumes import (
    ANN_BIND_COMPLETED,
    ANN_SELECTED_NODE,
    claim_class,
    volume_class,
)
from scheduler_core.plugins.volume_binding.matching import (
    AVAILABLE,
    MatchingError,
    bind_volume_to_claim,
    candidates,
    is_bound_to_claim,
)
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.hashing import fnv32a
from scheduler_core.simulator.controllers.pv_controller import (
    ZONE,
    bound_claim,
    free_name,
    provisioned_volume,
)

if TYPE_CHECKING:
    from scheduler_core.api.storage import PersistentVolume, PersistentVolumeClaim, StorageClass
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

CLAIM: Final = "PersistentVolumeClaim"
VOLUME: Final = "PersistentVolume"
NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
RELEASED: Final = "Released"
PENDING: Final = "Pending"
_MADE_FROM_A_NAME: Final = f"uid-{CLAIM}-"


class PersistentVolumeBinderController(ControllerBase):
    """Binds claims to volumes, makes volumes, and reclaims them."""

    name = "persistentvolume-binder-controller"
    kind = CLAIM
    kinds = frozenset({CLAIM, VOLUME, "StorageClass"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._events = EventRecorder(cluster, self.name)
        self._unbound: set[str] = set()
        self._gone: set[str] = set()

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has unbound claims looked at, when they or volumes or classes change; and volumes whose claim went."""
        if kind == CLAIM:
            self._on_claim(old, new)
        elif kind == VOLUME and new is not None and (new.status.phase == PENDING or old is not None):
            self._queue.enqueue(f"{VOLUME}/{new.metadata.name}")
        if kind != CLAIM and new is not None:
            for key in sorted(self._unbound):
                self._queue.enqueue(f"{CLAIM}/{key}")

    def sync(self, key: str) -> None:
        """Looks at one claim or one volume."""
        kind, _, rest = key.partition("/")
        if kind == VOLUME:
            self._sync_volume(rest)
        else:
            self._sync_claim(rest)

    def _on_claim(self, old: Any | None, new: Any | None) -> None:
        if new is None:
            if old is not None:
                self._unbound.discard(key_of(old))
                self._gone.add(old.metadata.uid)
                if old.spec.volume_name:
                    self._queue.enqueue(f"{VOLUME}/{old.spec.volume_name}")
            return
        key = key_of(new)
        if ANN_BIND_COMPLETED in new.metadata.annotations or not _is_ours(new):
            self._unbound.discard(key)
        else:
            self._unbound.add(key)
            self._queue.enqueue(f"{CLAIM}/{key}")

    # Claims.

    def _sync_claim(self, key: str) -> None:
        claim: PersistentVolumeClaim | None = self._find(key)
        if claim is None or key not in self._unbound or claim.metadata.deletion_timestamp is not None:
            return
        class_name = claim_class(claim)
        found: StorageClass | None = self._api.get("StorageClass", "", class_name) if class_name else None
        is_delayed = found is not None and found.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER
        if claim.spec.volume_name:
            volume = self._api.get(VOLUME, "", claim.spec.volume_name)
            if volume is not None and (volume.spec.claim_ref is None or is_bound_to_claim(volume, claim)):
                self._bind(claim, volume)
            return
        chosen = self._best_match(claim, only_prebound=is_delayed)
        if chosen is not None:
            self._bind(claim, chosen)
        elif is_delayed:
            if ANN_SELECTED_NODE not in claim.metadata.annotations:
                message = "waiting for first consumer to be created before binding"
                self._events.tell(claim, "WaitForFirstConsumer", message)
        elif not class_name:
            message = "no persistent volumes available for this claim and no storage class is set"
            self._events.tell(claim, "FailedBinding", message)
        else:
            self._provision(claim, found, class_name)

    def _best_match(self, claim: PersistentVolumeClaim, *, only_prebound: bool) -> PersistentVolume | None:
        """The volume reserved for the claim, else the smallest that suits, wherever it is."""
        wanted = claim_class(claim)
        volumes = [own for own in self._api.list(VOLUME) if volume_class(own) == wanted]
        try:
            suited = candidates(claim, volumes, attributes_classes=True)
        except MatchingError as error:
            self._events.warn(claim, "FailedBinding", str(error))
            return None
        places = suited.prebound if only_prebound else (*suited.prebound, *suited.free)
        return volumes[places[0]] if places else None

    def _provision(
        self, claim: PersistentVolumeClaim, storage_class: StorageClass | None, class_name: str
    ) -> None:
        if storage_class is None:
            message = f'storageclass.storage.k8s.io "{class_name}" not found'
            self._events.warn(claim, "ProvisioningFailed", message)
            return
        if storage_class.provisioner == NO_PROVISIONER:
            message = f"no volume plugin matched name: {NO_PROVISIONER}"
            self._events.warn(claim, "ProvisioningFailed", message)
            return
        driver = self._cluster.options.volume_driver or storage_class.provisioner
        zone = chosen_zone(claim.metadata.name, self._zones(storage_class))
        made = free_name(self._api, provisioned_volume(claim, storage_class, driver, zone), claim)
        volume = self._api.create(made, by=self.name)
        self._events.tell(
            claim, "ProvisioningSucceeded", f"Successfully provisioned volume {volume.metadata.name}"
        )
        self._write_claim(claim, volume)

    def _zones(self, storage_class: StorageClass) -> list[str]:
        """The zones in which a volume of the class may be: those allowed, else those that nodes have."""
        allowed = {
            value
            for term in storage_class.allowed_topologies
            for own in term.match_label_expressions
            if own.key == ZONE
            for value in own.values
        }
        labels = (node.metadata.labels.get(ZONE) for node in self._api.list("Node"))
        return sorted(allowed or {zone for zone in labels if zone})

    def _bind(self, claim: PersistentVolumeClaim, volume: PersistentVolume) -> None:
        """The volume first; where it only now refers to the claim, that binds the claim too."""
        wanted, changed = bind_volume_to_claim(volume, claim)
        if changed:
            volume = self._api.update(wanted, by=self.name)
        current = self._find(key_of(claim))
        if current is not None and ANN_BIND_COMPLETED not in current.metadata.annotations:
            self._write_claim(current, self._api.get(VOLUME, "", volume.metadata.name) or volume)

    def _write_claim(self, claim: PersistentVolumeClaim, volume: PersistentVolume) -> None:
        if volume.status.phase != "Bound":
            status = replace(volume.status, phase="Bound")
            self._api.update_status(replace(volume, status=status), by=self.name)
        bound = bound_claim(claim, volume)
        self._api.update(bound, by=self.name)
        current = self._find(key_of(claim))
        if current is not None:
            self._api.update_status(replace(current, status=bound.status), by=self.name)

    # Volumes.

    def _sync_volume(self, name: str) -> None:
        volume: PersistentVolume | None = self._api.get(VOLUME, "", name)
        if volume is None:
            return
        reference = volume.spec.claim_ref
        if reference is None:
            if volume.status.phase in ("", PENDING):
                self._set_phase(volume, AVAILABLE)
            return
        if not reference.uid:
            if volume.status.phase in ("", PENDING):
                self._set_phase(volume, AVAILABLE)
            return
        if reference.uid in self._gone:
            self._reclaim(volume)

    def _reclaim(self, volume: PersistentVolume) -> None:
        """A volume whose claim went is released; then its policy says what becomes of it."""
        if volume.status.phase != RELEASED:
            volume = self._set_phase(volume, RELEASED)
        if volume.spec.persistent_volume_reclaim_policy == "Delete":
            self._api.delete(VOLUME, "", volume.metadata.name, by=self.name)

    def _set_phase(self, volume: PersistentVolume, phase: str) -> PersistentVolume:
        status = replace(volume.status, phase=phase)
        written: PersistentVolume = self._api.update_status(replace(volume, status=status), by=self.name)
        return written


def chosen_zone(claim_name: str, zones: list[str]) -> str | None:
    """Returns the zone of a claim's volume: by the hash of its name, so that numbered claims spread.

    Source: kubernetes-csi/external-provisioner, pkg/controller/topology.go, getPVCNameHashAndIndexOffset
    """
    if not zones:
        return None
    head, _, last = claim_name.rpartition("-")
    numbered = bool(head) and last.isascii() and last.isdigit() and len(last) < 10
    index = (fnv32a(head.encode()) + int(last)) if numbered else fnv32a(claim_name.encode())
    return zones[index % len(zones)]


def _is_ours(claim: PersistentVolumeClaim) -> bool:
    """Whether a claim was made here, or written by hand: another came with a uid of its cluster's."""
    return claim.metadata.uid.startswith(_MADE_FROM_A_NAME)
