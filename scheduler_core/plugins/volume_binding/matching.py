"""Finds existing volumes for claims, for all rows at once.

Source: component-helpers/storage/volume/pv_helpers.go, FindMatchingVolume and GetBindVolumeToClaim, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np

from scheduler_core.api.meta import ObjectReference
from scheduler_core.api.selectors import IN
from scheduler_core.plugins.helper.volumes import ANN_BOUND_BY_CONTROLLER, STORAGE, claim_class, volume_class
from scheduler_core.plugins.volume_binding.topology import rows_reaching_volume
from scheduler_core.snapshot.vocabulary import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.quantity import Quantity
    from scheduler_core.api.selectors import NodeSelectorRequirement
    from scheduler_core.api.storage import PersistentVolume, PersistentVolumeClaim
    from scheduler_core.snapshot.node_infos import BoolArray, Int64Array, NodeInfos, RowIndex

AVAILABLE: Final = "Available"
_FILESYSTEM: Final = "Filesystem"
NO_VOLUME: Final = -1
_UNDECIDED: Final = -2


class MatchingError(ValueError):
    """A claim cannot be matched at all; the message is upstream's."""


class Candidates(NamedTuple):
    """Positions in the list of volumes that suit a claim, whatever the node.

    ``prebound`` are reserved for the claim: the first one decides. Of ``free`` the first one that the node
    reaches is taken: the smallest, and among equals the one that was listed first.

    ``pinned`` and ``others`` index ``free``: those whose node affinity is one label with some values, by label,
    and the rest. They let many local disks be judged at once.
    """

    prebound: tuple[int, ...]
    free: tuple[int, ...]
    pinned: dict[str, list[tuple[int, tuple[str, ...]]]]
    others: tuple[int, ...]


def candidates(
    claim: PersistentVolumeClaim, volumes: Sequence[PersistentVolume], *, attributes_classes: bool
) -> Candidates:
    """The volumes that suit a claim.

    Args:
        claim: an unbound claim
        volumes: those of the claim's storage class
        attributes_classes: whether the feature gate VolumeAttributesClass is on

    Raises:
        MatchingError: the claim's selector, or what it asks for, cannot be used.
    """
    _check(claim, attributes_classes=attributes_classes)
    requested = _nanos(claim.spec.resources.requests.get(STORAGE))
    prebound, free = [], []
    for position, volume in enumerate(volumes):
        if volume.spec.claim_ref is not None and not is_bound_to_claim(volume, claim):
            continue
        if _nanos(volume.spec.capacity.get(STORAGE)) < requested:
            continue
        if (claim.spec.volume_mode or _FILESYSTEM) != (volume.spec.volume_mode or _FILESYSTEM):
            continue
        wanted_class = claim.spec.volume_attributes_class_name or "" if attributes_classes else ""
        if wanted_class != (volume.spec.volume_attributes_class_name or ""):
            continue
        if volume.metadata.deletion_timestamp is not None:
            continue
        if is_bound_to_claim(volume, claim):
            prebound.append(position)
        elif _is_free_for(volume, claim):
            free.append(position)
    free.sort(key=lambda position: _nanos(volumes[position].spec.capacity.get(STORAGE)))
    pinned: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    others = []
    for rank, position in enumerate(free):
        pin = _pin(volumes[position])
        if pin is None:
            others.append(rank)
        else:
            pinned.setdefault(pin.key, []).append((rank, pin.values))
    return Candidates(tuple(prebound), tuple(free), pinned, tuple(others))


def choose(
    suited: Candidates,
    volumes: Sequence[PersistentVolume],
    taken: Sequence[Int64Array],
    nodes: NodeInfos,
    rows: RowIndex,
) -> Int64Array:
    """The volume that each row would take for a claim.

    Args:
        suited: the claim's candidates among ``volumes``
        volumes: those of the claim's storage class
        taken: what each row has taken for earlier claims of the same class
        nodes: the columns
        rows: the rows in question

    Shapes: int64[len(rows)]: positions in ``volumes``, or NO_VOLUME
    """
    chosen = np.full(len(rows), _UNDECIDED, np.int64)
    for position in suited.prebound:
        open_rows = _open(chosen, position, taken)
        reached = rows_reaching_volume(volumes[position], nodes, rows)
        chosen[open_rows & reached] = position
        chosen[open_rows & ~reached] = NO_VOLUME
    undecided = chosen == _UNDECIDED
    if not taken:
        positions = np.array([*suited.free, NO_VOLUME], np.int64)
        chosen[undecided] = positions[_first_ranks(suited, volumes, nodes, rows)][undecided]
        return chosen
    for position in suited.free:
        open_rows = _open(chosen, position, taken)
        if open_rows.any():
            chosen[open_rows & rows_reaching_volume(volumes[position], nodes, rows)] = position
    chosen[chosen == _UNDECIDED] = NO_VOLUME
    return chosen


def _first_ranks(
    suited: Candidates, volumes: Sequence[PersistentVolume], nodes: NodeInfos, rows: RowIndex
) -> Int64Array:
    """The first of the free candidates that each row reaches.

    Shapes: int64[len(rows)]: indices into ``suited.free``, or its length
    """
    none = len(suited.free)
    first = np.full(len(rows), none, np.int64)
    vocabulary = nodes.label_columns.values
    for key, pins in suited.pinned.items():
        column = nodes.label_columns.column(key)[rows]
        by_value = np.full(len(vocabulary) + 1, none, np.int64)  # the last one stands for ABSENT
        for rank, values in reversed(pins):
            for value in values:
                if (value_id := vocabulary.find(value)) != ABSENT:
                    by_value[value_id] = rank
        first = np.minimum(first, by_value[column])
    for rank in suited.others:
        later = first > rank
        if later.any():
            later &= rows_reaching_volume(volumes[suited.free[rank]], nodes, rows)
            first[later] = rank
    return first


def _pin(volume: PersistentVolume) -> NodeSelectorRequirement | None:
    """The one condition of a volume that is tied to some values of one label."""
    affinity = volume.spec.node_affinity
    if affinity is None or affinity.required is None or len(affinity.required.node_selector_terms) != 1:
        return None
    [term] = affinity.required.node_selector_terms
    if term.match_fields or len(term.match_expressions) != 1:
        return None
    [condition] = term.match_expressions
    return condition if condition.operator == IN and condition.values else None


def bind_volume_to_claim(
    volume: PersistentVolume, claim: PersistentVolumeClaim
) -> tuple[PersistentVolume, bool]:
    """The volume as it is once it refers to the claim, and whether that changes it."""
    changed = False
    spec, metadata = volume.spec, volume.metadata
    reference = spec.claim_ref
    of = claim.metadata
    if reference is None or (reference.name, reference.namespace, reference.uid) != (
        of.name,
        of.namespace,
        of.uid,
    ):
        spec = msgspec.structs.replace(
            spec,
            claim_ref=ObjectReference(
                api_version="v1",
                kind="PersistentVolumeClaim",
                namespace=of.namespace,
                name=of.name,
                uid=of.uid,
                resource_version=of.resource_version,
            ),
        )
        changed = True
    if not is_bound_to_claim(volume, claim) and ANN_BOUND_BY_CONTROLLER not in metadata.annotations:
        annotations = {**metadata.annotations, ANN_BOUND_BY_CONTROLLER: "yes"}
        metadata = msgspec.structs.replace(metadata, annotations=annotations)
        changed = True
    return msgspec.structs.replace(volume, spec=spec, metadata=metadata), changed


def is_bound_to_claim(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    """Whether a volume refers to the claim, by name or for good."""
    reference = volume.spec.claim_ref
    if reference is None:
        return False
    if (reference.name, reference.namespace) != (claim.metadata.name, claim.metadata.namespace):
        return False
    return reference.uid in ("", claim.metadata.uid)


def _check(claim: PersistentVolumeClaim, *, attributes_classes: bool) -> None:
    key = f"{claim.metadata.namespace}/{claim.metadata.name}"
    if not attributes_classes and claim.spec.volume_attributes_class_name:
        raise MatchingError(
            f"unsupported volumeAttributesClassName is set on claim {key} "
            "when the feature-gate VolumeAttributesClass is disabled"
        )
    selector = claim.spec.selector
    if selector is None:
        return
    if problem := selector.problem():
        raise MatchingError(f"error creating internal label selector for claim: {key}: {problem}")


def _is_free_for(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    if volume.status.phase != AVAILABLE:
        return False
    if claim.spec.selector is not None and not claim.spec.selector.matches(volume.metadata.labels):
        return False
    if volume_class(volume) != claim_class(claim):
        return False
    return all(mode in volume.spec.access_modes for mode in claim.spec.access_modes)


def _open(chosen: Int64Array, position: int, taken: Sequence[Int64Array]) -> BoolArray:
    open_rows: BoolArray = chosen == _UNDECIDED
    for earlier in taken:
        open_rows &= earlier != position
    return open_rows


def _nanos(quantity: Quantity | None) -> int:
    return 0 if quantity is None else quantity.nanos
