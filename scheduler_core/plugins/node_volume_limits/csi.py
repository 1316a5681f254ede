"""NodeVolumeLimits: refuses nodes that cannot hold the pod's volumes besides those they have.

**Source**: pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, CSILimits, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import SKIP, Status, error, unresolvable, unschedulable
from scheduler_core.framework.types import FilterResult
from scheduler_core.plugins.helper.csi_migration import counted_as_csi, plugin_of
from scheduler_core.plugins.helper.volumes import has_attachable_volume, uses_claim
from scheduler_core.plugins.names import NODE_VOLUME_LIMITS
from scheduler_core.plugins.node_volume_limits.attachable import (
    AttachError,
    ClaimNotFoundError,
    attachable_volumes,
    unique_name,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from scheduler_core.api.pod import Pod
    from scheduler_core.api.storage import (
        CSINode,
        PersistentVolume,
        PersistentVolumeClaim,
        VolumeAttachment,
    )
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.types import PreFilterResult
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = NODE_VOLUME_LIMITS

ERR_REASON_MAX_VOLUME_COUNT_EXCEEDED: Final = "node(s) exceed max volume count"

_EXCEEDED: Final = unschedulable(ERR_REASON_MAX_VOLUME_COUNT_EXCEEDED)


class CSILimits:
    """Counts volumes by CSI driver and node."""

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
        """Skips pods without a volume that may have to be attached."""
        return None, None if has_attachable_volume(pod.pod) else SKIP

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Refuses rows where a driver would have more volumes than the node's CSINode allows."""
        if not pod.pod.spec.volumes:
            return None
        run = _Run(self._handle, pod.pod, nodes)
        statuses: dict[Status, int] = {}
        index = np.zeros(len(rows), np.int32)
        for place, row in enumerate(rows.tolist()):
            status = run.judge(row)
            if status is not None:
                index[place] = statuses.setdefault(status, len(statuses) + 1)
        return FilterResult(index, tuple(statuses)) if statuses else None

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The drivers that would have too many volumes on a row: how many it has, gets and may have."""
        counts = _Run(self._handle, pod.pod, nodes).counts(row)
        if isinstance(counts, Status):
            return []
        return [count._asdict() for count in counts if count.exceeded]

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """CSINodes that come or allow more, pods that go, claims that come, volumes that are detached."""
        csi_node_update = ClusterEvent(EventResource.CSI_NODE, ActionType.UPDATE)
        pod_delete = ClusterEvent(EventResource.POD, ActionType.DELETE)
        claim_add = ClusterEvent(EventResource.PERSISTENT_VOLUME_CLAIM, ActionType.ADD)
        detachment = ClusterEvent(EventResource.VOLUME_ATTACHMENT, ActionType.DELETE)
        return (
            ClusterEventWithHint(ClusterEvent(EventResource.CSI_NODE, ActionType.ADD)),
            ClusterEventWithHint(csi_node_update, is_schedulable_after_csi_node_updated),
            ClusterEventWithHint(pod_delete, is_schedulable_after_pod_deleted),
            ClusterEventWithHint(claim_add, is_schedulable_after_claim_added),
            ClusterEventWithHint(detachment, is_schedulable_after_volume_attachment_deleted),
        )


class DriverCount(NamedTuple):
    """A driver's volumes on one node: those it has, those that the pod brings, and how many it may have."""

    driver: str
    used: int
    added: int
    limit: int

    @property
    def exceeded(self) -> bool:
        """Whether there would be too many."""
        return self.used + self.added > self.limit


class _Run:
    """One call of the filter: what is the same for many rows is looked up once."""

    def __init__(self, handle: Handle, pod: Pod, nodes: NodeInfos) -> None:
        self._lister = handle.lister
        self._pod = pod
        self._nodes = nodes
        self._new: dict[frozenset[str], dict[str, str] | Status] = {}
        self._attached: dict[str, dict[str, str]] | None = None

    def judge(self, row: int) -> Status | None:
        """What is against the pod on one row."""
        counts = self.counts(row)
        if isinstance(counts, Status):
            return counts
        for count in counts:
            if count.exceeded:
                return _EXCEEDED
        return None

    def counts(self, row: int) -> list[DriverCount] | Status:
        """The volumes on one row, by the drivers that the pod adds to; or why they cannot be told."""
        csi_node: CSINode | None = self._lister.get("CSINode", "", self._nodes.names[row])
        migrated = counted_as_csi(csi_node)
        volumes = self._new.get(migrated)
        if volumes is None:
            volumes = self._new[migrated] = self._new_volumes(migrated)
        if isinstance(volumes, Status):
            return volumes
        limits = volume_limits(csi_node)
        if not volumes or not limits:
            return []
        try:
            on_node = self._volumes_on_row(row, migrated)
        except AttachError as problem:
            return error(str(problem))
        used: dict[str, int] = {}
        for driver in on_node.values():
            used[driver] = used.get(driver, 0) + 1
        for name, driver in self._attachments(self._nodes.names[row]).items():
            if name not in on_node:
                used[driver] = used.get(driver, 0) + 1
        added: dict[str, int] = {}
        for name, driver in volumes.items():
            if name not in on_node and driver in limits:
                added[driver] = added.get(driver, 0) + 1
        return [
            DriverCount(driver, used.get(driver, 0), count, limits[driver]) for driver, count in added.items()
        ]

    def _new_volumes(self, migrated: frozenset[str]) -> dict[str, str] | Status:
        try:
            return attachable_volumes(self._lister, self._pod, migrated, is_new=True)
        except ClaimNotFoundError as problem:
            return unresolvable(str(problem))
        except AttachError as problem:
            return error(str(problem))

    def _volumes_on_row(self, row: int, migrated: frozenset[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for other in self._nodes.info(row).pods.values():
            pod = other.pod
            if pod.spec.volumes:
                found.update(attachable_volumes(self._lister, pod, migrated, is_new=False))
        return found

    def _attachments(self, node_name: str) -> dict[str, str]:
        """Volumes attached to a node by the API server's word: unique name → driver."""
        if self._attached is None:
            self._attached = {}  # looked up once for all rows
            attachments: list[VolumeAttachment] = list(self._lister.list("VolumeAttachment"))
            for attachment in attachments:
                spec = attachment.spec
                name = spec.source.persistent_volume_name
                volume: PersistentVolume | None = (
                    self._lister.get("PersistentVolume", "", name) if spec.attacher and name else None
                )
                if volume is not None and volume.spec.csi is not None:
                    unique = unique_name(spec.attacher, volume.spec.csi.volume_handle)
                    self._attached.setdefault(spec.node_name, {})[unique] = spec.attacher
        return self._attached.get(node_name, {})


def volume_limits(csi_node: CSINode | None) -> dict[str, int]:
    """CSI driver → how many of its volumes a node can hold; drivers without a limit are left out."""
    if csi_node is None:
        return {}
    return {
        driver.name: driver.allocatable.count
        for driver in csi_node.spec.drivers
        if driver.allocatable is not None and driver.allocatable.count is not None
    }


def is_schedulable_after_csi_node_updated(pod: Pod, old: CSINode, new: CSINode) -> QueueingHint:
    """A node that can hold more volumes of a driver."""
    before = volume_limits(old)
    if any(limit > before.get(driver, 0) for driver, limit in volume_limits(new).items()):
        return QueueingHint.QUEUE
    return QueueingHint.SKIP


def is_schedulable_after_pod_deleted(pod: Pod, old: Pod, new: Pod | None) -> QueueingHint:
    """A pod with a place on a node, or the promise of one, and a volume that may have been attached."""
    if not old.spec.node_name and not old.status.nominated_node_name:
        return QueueingHint.SKIP
    return QueueingHint.QUEUE if has_attachable_volume(old) else QueueingHint.SKIP


def is_schedulable_after_claim_added(
    pod: Pod, old: PersistentVolumeClaim | None, new: PersistentVolumeClaim
) -> QueueingHint:
    """A claim that the pod uses."""
    return QueueingHint.QUEUE if uses_claim(pod, new) else QueueingHint.SKIP


def is_schedulable_after_volume_attachment_deleted(
    pod: Pod, old: VolumeAttachment, new: VolumeAttachment | None
) -> QueueingHint:
    """Any volume, for a pod that names claims; else one of a driver that has taken over the pod's disks."""
    for volume in pod.spec.volumes:
        if volume.persistent_volume_claim is not None:
            return QueueingHint.QUEUE
        plugin = plugin_of(volume)
        if plugin is not None and plugin.driver == old.spec.attacher:
            return QueueingHint.QUEUE
    return QueueingHint.SKIP


def new(args: None, handle: Handle) -> CSILimits:
    """Makes the plugin."""
    return CSILimits(handle)
