"""VolumeZone: refuses nodes outside the zones and regions that a bound volume's labels name.

**Source**: pkg/scheduler/framework/plugins/volumezone/volume_zone.go, VolumeZone, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from scheduler_core.api.storage import WAIT_FOR_FIRST_CONSUMER
from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import SKIP, unresolvable
from scheduler_core.framework.types import FilterResult
from scheduler_core.plugins.helper.csi_handles import BETA_REGION, BETA_ZONE, REGION, ZONE, ZONE_DELIMITER
from scheduler_core.plugins.helper.volumes import claim_class, claim_names, get_claim, not_found
from scheduler_core.plugins.names import VOLUME_ZONE
from scheduler_core.snapshot.vocabulary import ABSENT

if TYPE_CHECKING:
    from collections.abc import Hashable

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.storage import PersistentVolume, PersistentVolumeClaim, StorageClass
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import PreFilterResult
    from scheduler_core.snapshot.node_infos import BoolArray, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = VOLUME_ZONE
STATE_KEY: Final = "PreFilter" + NAME

ERR_REASON_CONFLICT: Final = "node(s) had no available volume zone"

_TOPOLOGY_LABELS: Final = (BETA_ZONE, BETA_REGION, ZONE, REGION)
_GA_LABELS: Final = {BETA_ZONE: ZONE, BETA_REGION: REGION}


class VolumeTopology(NamedTuple):
    """A label that a volume demands of its node, and the values that will do."""

    volume_name: str
    key: str
    values: frozenset[str]


class VolumeZoneState:
    """What the pod's bound volumes demand. Nothing in it depends on the pods of a node."""

    __slots__ = ("topologies",)

    def __init__(self, topologies: tuple[VolumeTopology, ...]) -> None:
        self.topologies = topologies

    def clone(self) -> VolumeZoneState:
        """This one: it never changes."""
        return self


class VolumeZone:
    """Holds nodes against the zone labels of volumes."""

    name: Final = NAME
    reads_pods: Final = False

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def sign_pod(self, pod: PodInfo) -> Hashable | None:
        """Nothing of a pod without volumes; the others have to be judged one by one."""
        return None if pod.pod.spec.volumes else ()

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Collects what the pod's bound volumes demand; skips pods without such volumes."""
        topologies, problem = self._topologies(pod)
        if problem:
            return None, unresolvable(problem)
        if not topologies:
            return None, SKIP
        state.write(STATE_KEY, VolumeZoneState(topologies))
        return None, None

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Refuses rows with another value; rows without any topology label pass. Does without PreFilter."""
        data: VolumeZoneState | None = state.get(STATE_KEY)
        if data is None:
            found, problem = self._topologies(pod)
            if problem:
                return FilterResult.everywhere(rows, unresolvable(problem))
            data = VolumeZoneState(found)
        columns = {key: nodes.label_columns.column(key)[rows] for key in _TOPOLOGY_LABELS}
        fits: BoolArray = np.ones(len(rows), np.bool_)
        for topology in data.topologies:
            column = columns[topology.key]
            if topology.key in _GA_LABELS:
                column = np.where(column == ABSENT, columns[_GA_LABELS[topology.key]], column)
            ids = [nodes.label_columns.values.find(value) for value in topology.values]
            fits &= np.isin(column, [value_id for value_id in ids if value_id != ABSENT])
        unlabelled = np.logical_and.reduce([column == ABSENT for column in columns.values()])
        fits |= unlabelled
        return None if fits.all() else FilterResult.from_mask(fits, unresolvable(ERR_REASON_CONFLICT))

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The labels of volumes that a row does not meet; ``node_value`` is None where it lacks the label."""
        data: VolumeZoneState | None = state.get(STATE_KEY)
        labels = nodes.labels[row]
        records = []
        for topology in data.topologies if data else self._topologies(pod)[0]:
            value = labels.get(topology.key, labels.get(_GA_LABELS.get(topology.key, topology.key)))
            if value not in topology.values:
                records.append(
                    {
                        "volume": topology.volume_name,
                        "key": topology.key,
                        "values": sorted(topology.values),
                        "node_value": value,
                    }
                )
        return records

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """New classes that wait, new nodes and their labels, the pod's claims, volumes with other labels."""
        node_change = ActionType.ADD | ActionType.UPDATE_NODE_LABEL
        if not self._handle.feature_enabled("SchedulerQueueingHints"):
            node_change |= ActionType.UPDATE_NODE_TAINT
        add_or_update = ActionType.ADD | ActionType.UPDATE
        storage_class = ClusterEvent(EventResource.STORAGE_CLASS, ActionType.ADD)
        claim = ClusterEvent(EventResource.PERSISTENT_VOLUME_CLAIM, add_or_update)
        volume = ClusterEvent(EventResource.PERSISTENT_VOLUME, add_or_update)
        return (
            ClusterEventWithHint(storage_class, is_schedulable_after_storage_class_added),
            ClusterEventWithHint(ClusterEvent(EventResource.NODE, node_change)),
            ClusterEventWithHint(claim, is_schedulable_after_claim_change),
            ClusterEventWithHint(volume, is_schedulable_after_volume_change),
        )

    def _topologies(self, pod: PodInfo) -> tuple[tuple[VolumeTopology, ...], str]:
        """What the labels of the pod's bound volumes demand, or what is wrong with a claim."""
        topologies: list[VolumeTopology] = []
        for name in claim_names(pod.pod):
            volume, problem = self._volume(pod.pod.metadata.namespace, name)
            if problem:
                return (), problem
            if volume is not None:
                topologies.extend(volume_topologies(volume))
        return tuple(topologies), ""

    def _volume(self, namespace: str, claim_name: str) -> tuple[PersistentVolume | None, str]:
        """The volume of a claim, None for one that waits for the scheduler; or what is wrong with it."""
        if not claim_name:
            return None, "PersistentVolumeClaim had no name"
        lister = self._handle.lister
        claim = get_claim(lister, namespace, claim_name)
        if claim is None:
            return None, not_found("PersistentVolumeClaim", claim_name)
        if claim.spec.volume_name:
            volume: PersistentVolume | None = lister.get("PersistentVolume", "", claim.spec.volume_name)
            problem = not_found("PersistentVolume", claim.spec.volume_name) if volume is None else ""
            return volume, problem
        class_name = claim_class(claim)
        if not class_name:
            return None, "PersistentVolumeClaim had no pv name and storageClass name"
        storage_class: StorageClass | None = lister.get("StorageClass", "", class_name)
        if storage_class is None:
            return None, not_found("StorageClass", class_name)
        if storage_class.volume_binding_mode is None:
            return None, f'VolumeBindingMode not set for StorageClass "{class_name}"'
        if storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER:
            return None, ""
        return None, "PersistentVolume had no name"


def volume_topologies(volume: PersistentVolume) -> tuple[VolumeTopology, ...]:
    """What a volume's labels demand; a label with an empty part is ignored."""
    topologies = []
    for key in _TOPOLOGY_LABELS:
        if key not in volume.metadata.labels:
            continue
        values = frozenset(part.strip() for part in volume.metadata.labels[key].split(ZONE_DELIMITER))
        if "" not in values:
            topologies.append(VolumeTopology(volume.metadata.name, key, values))
    return tuple(topologies)


def is_schedulable_after_claim_change(
    pod: Pod, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim
) -> QueueingHint:
    """A claim that one of the pod's volumes names."""
    if new.metadata.namespace == pod.metadata.namespace and new.metadata.name in claim_names(pod):
        return QueueingHint.QUEUE
    return QueueingHint.SKIP


def is_schedulable_after_storage_class_added(
    pod: Pod, old: StorageClass | None, new: StorageClass
) -> QueueingHint:
    """A class whose claims wait for the scheduler."""
    waits = new.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER
    return QueueingHint.QUEUE if waits else QueueingHint.SKIP


def is_schedulable_after_volume_change(
    pod: Pod, old: PersistentVolume | None, new: PersistentVolume
) -> QueueingHint:
    """A new volume, or one whose labels demand something else."""
    if old is None or volume_topologies(old) != volume_topologies(new):
        return QueueingHint.QUEUE
    return QueueingHint.SKIP


def new(args: None, handle: Handle) -> VolumeZone:
    """Makes the plugin."""
    return VolumeZone(handle)
