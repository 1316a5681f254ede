"""VolumeRestrictions: keeps a second pod from a disk, or a claim, that allows only one.

**Source**: pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import SKIP, error, unresolvable, unschedulable
from scheduler_core.framework.types import PASSES, FilterResult
from scheduler_core.plugins.helper.volumes import READ_WRITE_ONCE_POD, claim_names, get_claim, not_found
from scheduler_core.plugins.names import VOLUME_RESTRICTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.storage import PersistentVolumeClaim
    from scheduler_core.api.volumes import (
        AWSElasticBlockStoreVolumeSource,
        GCEPersistentDiskVolumeSource,
        ISCSIVolumeSource,
        RBDVolumeSource,
        Volume,
    )
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import PreFilterResult
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = VOLUME_RESTRICTIONS
STATE_KEY: Final = "PreFilter" + NAME
_NO_PRE_FILTER: Final = 'cannot read "{key}" from cycleState'

ERR_REASON_DISK_CONFLICT: Final = "node(s) had no available disk"
ERR_REASON_READ_WRITE_ONCE_POD_CONFLICT: Final = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
    "already in-use by another pod"
)


class VolumeRestrictionsState:
    """Names of the pod's claims for one pod only, and how often pods on nodes refer to them.

    ``add_pod`` and ``remove_pod`` compare names without namespaces, as upstream does.
    """

    __slots__ = ("conflicting_references", "once_pod_claims")

    def __init__(self, once_pod_claims: frozenset[str], conflicting_references: int) -> None:
        self.once_pod_claims = once_pod_claims
        self.conflicting_references = conflicting_references

    def clone(self) -> VolumeRestrictionsState:
        """A copy with its own count."""
        return VolumeRestrictionsState(self.once_pod_claims, self.conflicting_references)

    def references(self, pod: Pod) -> int:
        """How often a pod refers to the claims."""
        return sum(name in self.once_pod_claims for name in claim_names(pod))


class VolumeRestrictions:
    """Refuses nodes where a disk is in use, and all nodes while a claim for one pod only is in use."""

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
        """Looks for claims for one pod only that are in use; skips pods without anything to check."""
        once_pod_claims: set[str] = set()
        namespace = pod.pod.metadata.namespace
        for name in claim_names(pod.pod):
            claim = get_claim(self._handle.lister, namespace, name)
            if claim is None:
                return None, unresolvable(not_found("PersistentVolumeClaim", name))
            if READ_WRITE_ONCE_POD in claim.spec.access_modes:
                once_pod_claims.add(name)
        in_use = self._in_use(namespace, once_pod_claims, nodes)
        if not in_use and not any(map(_is_restricted, pod.pod.spec.volumes)):
            return None, SKIP
        state.write(STATE_KEY, VolumeRestrictionsState(frozenset(once_pod_claims), in_use))
        return None, None

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo) -> Status | None:
        """Counts the claims of a pod that a dry run adds."""
        data: VolumeRestrictionsState = state.read(STATE_KEY, _NO_PRE_FILTER)
        data.conflicting_references += data.references(added.pod)
        return None

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo) -> Status | None:
        """Takes off the claims of a pod that a dry run removes."""
        data: VolumeRestrictionsState = state.read(STATE_KEY, _NO_PRE_FILTER)
        data.conflicting_references -= data.references(removed.pod)
        return None

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Refuses rows with a pod that mounts one of the pod's disks; all rows while a claim is in use.

        Without PreFilter every row whose disks are free meets an error.
        """
        data: VolumeRestrictionsState | None = state.get(STATE_KEY)
        if data is None:
            otherwise, second = 2, error(_NO_PRE_FILTER.format(key=STATE_KEY))
        else:
            otherwise = 2 if data.conflicting_references > 0 else PASSES
            second = unschedulable(ERR_REASON_READ_WRITE_ONCE_POD_CONFLICT)
        index = np.full(len(rows), otherwise, np.int32)
        if any(map(_is_restricted, pod.pod.spec.volumes)):
            for place, row in enumerate(rows.tolist()):
                pods = nodes.info(row).pods.values()
                if not satisfies_volume_conflicts(pod.pod, (other.pod for other in pods)):
                    index[place] = 1
        if not index.any():
            return None
        return FilterResult(index, (unschedulable(ERR_REASON_DISK_CONFLICT), second))

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The pod's volumes that are in use: disks by pods of the row, claims for one pod only by any pod."""
        data: VolumeRestrictionsState = state.read(STATE_KEY, _NO_PRE_FILTER)
        others = nodes.info(row).pods.values()
        records: list[dict[str, Any]] = [
            {"volume": volume.name, "pods": pods}
            for volume in pod.pod.spec.volumes
            if (pods := [other.key for other in others if _excludes(volume, other.pod)])
        ]
        users = self._users(pod.pod.metadata.namespace, set(data.once_pod_claims), nodes)
        records += [{"claim": name, "pods": sorted(users[name])} for name in sorted(users)]
        return records

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Pods that go, nodes that come, claims that come."""
        node_change = ActionType.ADD
        if not self._handle.feature_enabled("SchedulerQueueingHints"):
            node_change |= ActionType.UPDATE_NODE_TAINT | ActionType.UPDATE_NODE_LABEL
        pod_delete = ClusterEvent(EventResource.POD, ActionType.DELETE)
        claim_add = ClusterEvent(EventResource.PERSISTENT_VOLUME_CLAIM, ActionType.ADD)
        return (
            ClusterEventWithHint(pod_delete, is_schedulable_after_pod_deleted),
            ClusterEventWithHint(ClusterEvent(EventResource.NODE, node_change)),
            ClusterEventWithHint(claim_add, is_schedulable_after_claim_added),
        )

    def _in_use(self, namespace: str, names: set[str], nodes: NodeInfos) -> int:
        """How many of the claims are used by pods on nodes."""
        return len(self._users(namespace, names, nodes))

    def _users(self, namespace: str, names: set[str], nodes: NodeInfos) -> dict[str, set[str]]:
        """Claim → the pods on nodes that use it."""
        users: dict[str, set[str]] = {}
        if not names:
            return users
        for row in np.flatnonzero(self._handle.snapshot.pod_columns.count(_USES_CLAIMS)).tolist():
            for other in nodes.info(row).pods.values():
                if other.pod.metadata.namespace == namespace:
                    for name in names.intersection(claim_names(other.pod)):
                        users.setdefault(name, set()).add(other.key)
        return users


class _Mount(Protocol):
    @property
    def read_only(self) -> bool: ...


class _UsesClaims:
    """Matches pods whose volumes name claims."""

    __slots__ = ()

    def matches(self, pod_info: PodInfo) -> bool:
        return bool(claim_names(pod_info.pod))


_USES_CLAIMS: Final = _UsesClaims()


def satisfies_volume_conflicts(pod: Pod, others: Iterable[Pod]) -> bool:
    """Whether none of the other pods mounts one of the pod's disks in a way that excludes it."""
    disks = [volume for volume in pod.spec.volumes if _is_restricted(volume)]
    if not disks:
        return True
    return not any(_excludes(disk, other) for other in others for disk in disks)


def is_schedulable_after_claim_added(
    pod: Pod, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim
) -> QueueingHint:
    """A claim that one of the pod's volumes names."""
    if new.metadata.namespace == pod.metadata.namespace and new.metadata.name in claim_names(pod):
        return QueueingHint.QUEUE
    return QueueingHint.SKIP


def is_schedulable_after_pod_deleted(pod: Pod, old: Pod, new: Pod | None) -> QueueingHint:
    """A pod of the same namespace with one of the pod's disks or claims."""
    if old.metadata.namespace != pod.metadata.namespace:
        return QueueingHint.SKIP
    if not satisfies_volume_conflicts(pod, (old,)):
        return QueueingHint.QUEUE
    if set(claim_names(pod)).intersection(claim_names(old)):
        return QueueingHint.QUEUE
    return QueueingHint.SKIP


def _is_restricted(volume: Volume) -> bool:
    return any(getattr(volume, source) is not None for source in _CONFLICTS)


def _excludes(disk: Volume, other: Pod) -> bool:
    return any(_conflict(disk, volume) for volume in other.spec.volumes)


def _conflict(volume: Volume, existing: Volume) -> bool:
    return any(
        conflicts(getattr(volume, source), getattr(existing, source))
        for source, conflicts in _CONFLICTS.items()
        if getattr(volume, source) is not None and getattr(existing, source) is not None
    )


def _read_only(one: _Mount, other: _Mount) -> bool:
    return one.read_only and other.read_only


def _gce_conflict(disk: GCEPersistentDiskVolumeSource, existing: GCEPersistentDiskVolumeSource) -> bool:
    return disk.pd_name == existing.pd_name and not _read_only(disk, existing)


def _ebs_conflict(disk: AWSElasticBlockStoreVolumeSource, existing: AWSElasticBlockStoreVolumeSource) -> bool:
    return disk.volume_id == existing.volume_id


def _iscsi_conflict(disk: ISCSIVolumeSource, existing: ISCSIVolumeSource) -> bool:
    return disk.iqn == existing.iqn and not _read_only(disk, existing)


def _rbd_conflict(disk: RBDVolumeSource, existing: RBDVolumeSource) -> bool:
    same = (disk.pool, disk.image) == (existing.pool, existing.image)
    return same and not set(disk.monitors).isdisjoint(existing.monitors) and not _read_only(disk, existing)


_CONFLICTS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "gce_persistent_disk": _gce_conflict,
    "aws_elastic_block_store": _ebs_conflict,
    "iscsi": _iscsi_conflict,
    "rbd": _rbd_conflict,
}


def new(args: None, handle: Handle) -> VolumeRestrictions:
    """Makes the plugin."""
    return VolumeRestrictions(handle)
