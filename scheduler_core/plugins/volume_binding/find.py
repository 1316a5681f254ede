"""Which rows can serve a pod's claims, and how: the heart of VolumeBinding's filter, for all rows at once.

Source: pkg/scheduler/framework/plugins/volumebinding/binder.go, FindPodVolumes, checkBoundClaims,
findMatchingVolumes and checkVolumeProvisions, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from scheduler_core.plugins.helper.csi_handles import TranslationError
from scheduler_core.plugins.helper.csi_migration import plugin_of, translate_volume, translated_on
from scheduler_core.plugins.helper.volumes import ANN_SELECTED_NODE, STORAGE, claim_class
from scheduler_core.plugins.volume_binding.capacity import find_pool
from scheduler_core.plugins.volume_binding.matching import NO_VOLUME, MatchingError, candidates, choose
from scheduler_core.plugins.volume_binding.pod_volumes import DynamicProvision, PodVolumes, StaticBinding
from scheduler_core.plugins.volume_binding.topology import rows_in_allowed_topologies, rows_reaching_volume
from scheduler_core.snapshot.vocabulary import ABSENT

if TYPE_CHECKING:
    from scheduler_core.api.storage import (
        CSIStorageCapacity,
        PersistentVolume,
        PersistentVolumeClaim,
        StorageClass,
    )
    from scheduler_core.framework.interface import ObjectLister
    from scheduler_core.plugins.volume_binding.assume_cache import AssumeCache
    from scheduler_core.plugins.volume_binding.pod_volumes import PodVolumeClaims
    from scheduler_core.snapshot.node_infos import BoolArray, Int64Array, NodeInfos, RowIndex

NOT_SUPPORTED_PROVISIONER: Final = "kubernetes.io/no-provisioner"

VOLUME_NOT_REACHED: Final = "volume_not_reached"
VOLUME_MISSING: Final = "volume_missing"
OTHER_NODE_SELECTED: Final = "other_node_selected"
NOT_PROVISIONED: Final = "not_provisioned"
TOPOLOGY_NOT_ALLOWED: Final = "topology_not_allowed"
NOT_ENOUGH_SPACE: Final = "not_enough_space"


class Problem(NamedTuple):
    """What is wrong with one claim, and where.

    Shapes: where bool[len(rows)]
    """

    kind: str
    claim: PersistentVolumeClaim
    where: BoolArray


class PodVolumesFinder:
    """One pass over ``rows``. After ``run`` the masks tell what each row lacks.

    Shapes:
        bound_reached, bound_found, unbound_served, storage_suffices: bool[len(rows)], true where all is well
    """

    def __init__(
        self,
        lister: ObjectLister,
        volumes: AssumeCache[PersistentVolume],
        claims: PodVolumeClaims,
        nodes: NodeInfos,
        rows: RowIndex,
        *,
        attributes_classes: bool,
    ) -> None:
        self._lister = lister
        self._volumes = volumes
        self._claims = claims
        self._nodes = nodes
        self._rows = rows
        self._attributes_classes = attributes_classes
        self.bound_reached = np.ones(len(rows), np.bool_)
        self.bound_found = np.ones(len(rows), np.bool_)
        self.unbound_served = np.ones(len(rows), np.bool_)
        self.storage_suffices = np.ones(len(rows), np.bool_)
        self.errors: dict[str, BoolArray] = {}
        self.problems: list[Problem] = []
        self._failed = np.zeros(len(rows), np.bool_)
        self._matches: list[tuple[PersistentVolumeClaim, list[PersistentVolume], Int64Array]] = []
        self._provisions: list[tuple[PersistentVolumeClaim, dict[int, CSIStorageCapacity], BoolArray]] = []

    def run(self) -> None:
        """Judges the rows."""
        self._check_bound_claims()
        if not self._claims.unbound_delayed:
            return
        to_match: list[PersistentVolumeClaim] = []
        to_provision: list[PersistentVolumeClaim] = []
        active = ~self._failed
        for claim in self._claims.unbound_delayed:
            selected = claim.metadata.annotations.get(ANN_SELECTED_NODE)
            if selected is None:
                to_match.append(claim)
                continue
            to_provision.append(claim)
            elsewhere = active & (self._rows != self._nodes.row_of.get(selected, ABSENT))
            self._refuse(self.unbound_served, OTHER_NODE_SELECTED, claim, elsewhere)
            active &= ~elsewhere
        if active.any():
            unmatched = self._find_matching(to_match, active)
            everywhere = [(claim, active) for claim in to_provision]
            self._check_provisions([*everywhere, *unmatched])

    @property
    def has_static_bindings(self) -> bool:
        """Whether a row that serves the pod takes an existing volume for one of its claims."""
        return any((chosen[self.serves] != NO_VOLUME).any() for _, _, chosen in self._matches)

    @property
    def serves(self) -> BoolArray:
        """Rows with nothing against the pod. Shapes: bool[len(rows)]"""
        fits: BoolArray = self.bound_reached & self.bound_found & self.unbound_served & self.storage_suffices
        return fits & ~self._failed

    def pod_volumes(self, index: int) -> PodVolumes:
        """What is to be done on ``rows[index]``, which serves the pod."""
        bindings = tuple(
            StaticBinding(volumes[chosen[index]], claim)
            for claim, volumes, chosen in self._matches
            if chosen[index] != NO_VOLUME
        )
        provisions = tuple(
            DynamicProvision(claim, pools.get(index))
            for claim, pools, rows in self._provisions
            if rows[index]
        )
        return PodVolumes(bindings, provisions)

    def _refuse(self, fine: BoolArray, kind: str, claim: PersistentVolumeClaim, where: BoolArray) -> None:
        fine[where] = False
        self.problems.append(Problem(kind, claim, where))

    def _fail(self, message: str, rows: BoolArray) -> None:
        self.errors[message] = self.errors.get(message, np.zeros(len(self._rows), np.bool_)) | rows
        self._failed |= rows

    def _check_bound_claims(self) -> None:
        active = np.ones(len(self._rows), np.bool_)
        for claim in self._claims.bound:
            volume = self._volumes.get("", claim.spec.volume_name)
            if volume is None:
                self._refuse(self.bound_found, VOLUME_MISSING, claim, active)
                return
            reached = self._rows_reaching(volume, active)
            self._refuse(self.bound_reached, VOLUME_NOT_REACHED, claim, active & ~reached)
            active = active & reached & ~self._failed

    def _rows_reaching(self, volume: PersistentVolume, active: BoolArray) -> BoolArray:
        reached = rows_reaching_volume(volume, self._nodes, self._rows)
        plugin = plugin_of(volume.spec)
        if plugin is None:
            return reached
        migrated = np.fromiter(
            (plugin.name in self._translated_on(row) for row in self._rows.tolist()),
            np.bool_,
            len(self._rows),
        )
        if not migrated.any():
            return reached
        try:
            translated = translate_volume(volume)
        except TranslationError as problem:
            self._fail(f"could not translate pv: {problem}", migrated & active)
            return reached
        return np.where(migrated, rows_reaching_volume(translated, self._nodes, self._rows), reached)

    def _translated_on(self, row: int) -> frozenset[str]:
        return translated_on(self._lister.get("CSINode", "", self._nodes.names[row]))

    def _find_matching(
        self, claims: list[PersistentVolumeClaim], active: BoolArray
    ) -> list[tuple[PersistentVolumeClaim, BoolArray]]:
        """Gives each claim the smallest volume that suits; returns the claims left over and their rows."""
        unmatched: list[tuple[PersistentVolumeClaim, BoolArray]] = []
        taken: dict[str, list[Int64Array]] = {}
        for claim in sorted(claims, key=_size):
            class_name = claim_class(claim)
            volumes = self._claims.volumes[class_name]
            suited = self._claims.candidates.get(claim.metadata.name)
            if suited is None:
                try:
                    suited = candidates(claim, volumes, attributes_classes=self._attributes_classes)
                except MatchingError as problem:
                    self._fail(str(problem), active & ~self._failed)
                    return []
                self._claims.candidates[claim.metadata.name] = suited
            of_class = taken.setdefault(class_name, [])
            chosen = choose(suited, volumes, of_class, self._nodes, self._rows)
            of_class.append(chosen)
            self._matches.append((claim, volumes, chosen))
            missing = active & (chosen == NO_VOLUME)
            if missing.any():
                unmatched.append((claim, missing))
        return unmatched

    def _check_provisions(self, claims: list[tuple[PersistentVolumeClaim, BoolArray]]) -> None:
        """Checks whether missing volumes could be made: claim by claim, each row up to its first failure."""
        stopped = self._failed.copy()
        for claim, needed in claims:
            rows = needed & ~stopped
            if not rows.any():
                continue
            storage_class = self._storage_class(claim, rows)
            if storage_class is None:
                stopped |= rows
                continue
            provisioner = storage_class.provisioner
            if provisioner in ("", NOT_SUPPORTED_PROVISIONER):
                self._refuse(self.unbound_served, NOT_PROVISIONED, claim, rows)
                stopped |= rows
                continue
            allowed = rows_in_allowed_topologies(storage_class.allowed_topologies, self._nodes, self._rows)
            self._refuse(self.unbound_served, TOPOLOGY_NOT_ALLOWED, claim, rows & ~allowed)
            stopped |= rows & ~allowed
            rows &= allowed
            pools = find_pool(self._lister, claim, storage_class, self._nodes, self._rows, rows)
            if pools is not None:
                sufficient = np.zeros(len(rows), np.bool_)
                sufficient[list(pools)] = True
                self._refuse(self.storage_suffices, NOT_ENOUGH_SPACE, claim, rows & ~sufficient)
                stopped |= rows & ~sufficient
                rows &= sufficient
            self._provisions.append((claim, pools or {}, rows))

    def _storage_class(self, claim: PersistentVolumeClaim, rows: BoolArray) -> StorageClass | None:
        name = claim_class(claim)
        if not name:
            self._fail(f'no class for claim "{claim.metadata.namespace}/{claim.metadata.name}"', rows)
            return None
        found: StorageClass | None = self._lister.get("StorageClass", "", name)
        if found is None:
            self._fail(f'failed to find storage class "{name}"', rows)
        return found


def _size(claim: PersistentVolumeClaim) -> int:
    quantity = claim.spec.resources.requests.get(STORAGE)
    return 0 if quantity is None else quantity.nanos
