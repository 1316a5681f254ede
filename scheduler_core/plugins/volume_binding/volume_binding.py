"""VolumeBinding: refuses nodes that a pod's volumes cannot reach; binds, or has made, those that are missing.

**Source**: pkg/scheduler/framework/plugins/volumebinding/volume_binding.go, VolumeBinding, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
)
from scheduler_core.framework.status import SKIP, Status, error, unresolvable
from scheduler_core.framework.types import PASSES, FilterResult
from scheduler_core.plugins.helper.volumes import (
    claim_class,
    claim_references,
    get_claim,
    not_found,
    not_owner_message,
    requested_bytes,
)
from scheduler_core.plugins.names import VOLUME_BINDING
from scheduler_core.plugins.volume_binding import queueing_hints as hints
from scheduler_core.plugins.volume_binding.binder import BindingError, VolumeBinder
from scheduler_core.plugins.volume_binding.find import PodVolumesFinder
from scheduler_core.plugins.volume_binding.scorer import function_shape, score

if TYPE_CHECKING:
    from collections.abc import Hashable

    from scheduler_core.api.pod import Pod
    from scheduler_core.config.plugin_args import VolumeBindingArgs
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.types import PreFilterResult
    from scheduler_core.plugins.helper.shape_score import FunctionShapePoint
    from scheduler_core.plugins.volume_binding.pod_volumes import PodVolumeClaims, PodVolumes
    from scheduler_core.snapshot.node_infos import BoolArray, Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = VOLUME_BINDING
STATE_KEY: Final = NAME

ERR_REASON_NODE_CONFLICT: Final = "node(s) didn't match PersistentVolume's node affinity"
ERR_REASON_BIND_CONFLICT: Final = "node(s) didn't find available persistent volumes to bind"
ERR_REASON_NOT_ENOUGH_SPACE: Final = "node(s) did not have enough free storage"
ERR_REASON_PV_NOT_EXIST: Final = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
UNBOUND_IMMEDIATE: Final = "pod has unbound immediate PersistentVolumeClaims"
_REASONS: Final = (
    ERR_REASON_NODE_CONFLICT,
    ERR_REASON_BIND_CONFLICT,
    ERR_REASON_NOT_ENOUGH_SPACE,
    ERR_REASON_PV_NOT_EXIST,
)
CLAIM_LOST: Final = "Lost"


class VolumeBindingState:
    """The pod's claims; which nodes passed the filter; what was assumed. Dry runs share it, as upstream."""

    __slots__ = ("all_bound", "assumed", "claims", "has_static_bindings", "passed")

    def __init__(self, claims: PodVolumeClaims | None = None) -> None:
        self.claims = claims
        self.passed: BoolArray = np.zeros(0, np.bool_)
        self.has_static_bindings = False
        self.all_bound = False
        self.assumed: PodVolumes | None = None

    def clone(self) -> VolumeBindingState:
        """This one: nothing in it depends on the pods of a node."""
        return self


class VolumeBinding:
    """Binds volumes as part of scheduling."""

    name: Final = NAME
    reads_pods: Final = False

    def __init__(self, handle: Handle, shape: tuple[FunctionShapePoint, ...] | None) -> None:
        self._handle = handle
        self._shape = shape
        self._binder = VolumeBinder(handle)

    def sign_pod(self, pod: PodInfo) -> Hashable | None:
        """Nothing of a pod without volumes; the others have to be judged one by one."""
        return None if pod.pod.spec.volumes else ()

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Refuses pods whose claims are missing, lost, being deleted, or not bound though they should be."""
        problem = self._claim_problem(pod.pod)
        if problem:
            return None, unresolvable(problem)
        if next(claim_references(pod.pod), None) is None:
            state.write(STATE_KEY, VolumeBindingState())
            return None, SKIP
        try:
            claims = self._binder.pod_volume_claims(pod.pod)
        except BindingError as problem_of_binder:
            return None, error(str(problem_of_binder))
        if claims.unbound_immediate:
            return None, unresolvable(UNBOUND_IMMEDIATE)
        state.write(STATE_KEY, VolumeBindingState(claims))
        return None, None

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Refuses rows that a bound volume cannot be reached from, or where a missing one cannot be had."""
        data: VolumeBindingState = state.read(STATE_KEY)
        if data.claims is None:
            return None
        finder = self._find(data.claims, nodes, rows)
        if len(data.passed) < nodes.capacity:
            data.passed = np.pad(data.passed, (0, nodes.capacity - len(data.passed)))
        serves = finder.serves
        data.passed[rows] |= serves
        data.has_static_bindings = data.has_static_bindings or finder.has_static_bindings
        return None if serves.all() else _verdict(finder, rows)

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The claims that a row cannot serve, with what is wrong with each and the volume it is about."""
        data: VolumeBindingState = state.read(STATE_KEY)
        if data.claims is None:
            return []
        finder = self._find(data.claims, nodes, np.asarray([row], np.intp))
        return [
            {
                "problem": problem.kind,
                "claim": problem.claim.metadata.name,
                "storage_class": claim_class(problem.claim),
                "volume": problem.claim.spec.volume_name,
                "requested_bytes": requested_bytes(problem.claim),
            }
            for problem in finder.problems
            if problem.where[0]
        ]

    def pre_score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Status | None:
        """Skips the score unless the feature gate StorageCapacityScoring is on."""
        if self._shape is None:
            return SKIP
        state.read(STATE_KEY)
        return None

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        """Scores the share of the chosen volumes, or of the pools, that the claims use."""
        scores = np.zeros(len(rows), np.int64)
        if self._shape is None:
            return scores
        data: VolumeBindingState = state.read(STATE_KEY)
        if data.claims is None or not len(data.passed):
            return scores
        finder = self._find(data.claims, nodes, rows)
        for index in np.flatnonzero(finder.serves & data.passed[rows]).tolist():
            scores[index] = score(self._shape, finder.pod_volumes(index))
        return scores

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """Takes the volumes for the chosen node for bound."""
        data: VolumeBindingState = state.read(STATE_KEY)
        found = self._found(data, node_name)
        if found is None:
            data.all_bound = True
            return None
        try:
            data.assumed = self._binder.assume(pod.pod, node_name, found)
        except BindingError as problem:
            return error(str(problem))
        data.all_bound = data.assumed is None
        return None

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        """Forgets what was assumed."""
        data: VolumeBindingState | None = state.get(STATE_KEY)
        if data is not None and data.assumed is not None:
            self._binder.revert(data.assumed)

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """Has the volumes bound; those that the filter found where Reserve is left out."""
        data: VolumeBindingState = state.read(STATE_KEY)
        if data.all_bound:
            return None
        plan = data.assumed or self._found(data, node_name)
        if plan is None:
            return error(f'no pod volumes found for node "{node_name}"')
        nodes = self._handle.snapshot.node_infos
        node = nodes.info(nodes.row_of[node_name]).node
        assert node is not None
        try:
            self._binder.bind(node, plan)
        except BindingError as problem:
            return error(str(problem))
        return None

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Changes of storage classes, claims, volumes, drivers and pools; new nodes and labels of nodes."""
        add_or_update = ActionType.ADD | ActionType.UPDATE
        node_change = ActionType.ADD | ActionType.UPDATE_NODE_LABEL
        if not self._handle.feature_enabled("SchedulerQueueingHints"):
            node_change |= ActionType.UPDATE_NODE_TAINT
        storage_class = ClusterEvent(EventResource.STORAGE_CLASS, add_or_update)
        claim = ClusterEvent(EventResource.PERSISTENT_VOLUME_CLAIM, add_or_update)
        csi_node = ClusterEvent(EventResource.CSI_NODE, add_or_update)
        driver = ClusterEvent(EventResource.CSI_DRIVER, ActionType.UPDATE)
        capacity = ClusterEvent(EventResource.CSI_STORAGE_CAPACITY, add_or_update)
        return (
            ClusterEventWithHint(storage_class, hints.after_storage_class_change),
            ClusterEventWithHint(claim, hints.after_claim_change),
            ClusterEventWithHint(ClusterEvent(EventResource.PERSISTENT_VOLUME, add_or_update)),
            ClusterEventWithHint(ClusterEvent(EventResource.NODE, node_change)),
            ClusterEventWithHint(csi_node, hints.after_csi_node_change),
            ClusterEventWithHint(driver, hints.after_csi_driver_change),
            ClusterEventWithHint(capacity, hints.after_storage_capacity_change),
        )

    def _claim_problem(self, pod: Pod) -> str:
        for reference in claim_references(pod):
            claim = get_claim(self._handle.lister, pod.metadata.namespace, reference.name)
            if claim is None:
                if reference.is_ephemeral:
                    return (
                        "waiting for ephemeral volume controller to create the persistentvolumeclaim "
                        f'"{reference.name}"'
                    )
                return not_found("PersistentVolumeClaim", reference.name)
            if claim.status.phase == CLAIM_LOST:
                return (
                    f'persistentvolumeclaim "{reference.name}" bound to non-existent persistentvolume '
                    f'"{claim.spec.volume_name}"'
                )
            if claim.metadata.deletion_timestamp is not None:
                return f'persistentvolumeclaim "{reference.name}" is being deleted'
            problem = not_owner_message(pod, claim) if reference.is_ephemeral else ""
            if problem:
                return problem
        return ""

    def _find(self, claims: PodVolumeClaims, nodes: NodeInfos, rows: RowIndex) -> PodVolumesFinder:
        finder = PodVolumesFinder(
            self._handle.lister,
            self._binder.volumes,
            claims,
            nodes,
            rows,
            attributes_classes=self._handle.feature_enabled("VolumeAttributesClass"),
        )
        finder.run()
        return finder

    def _found(self, data: VolumeBindingState, node_name: str) -> PodVolumes | None:
        """What the filter found for a node, made again for its one row: nothing has changed since."""
        nodes = self._handle.snapshot.node_infos
        row = nodes.row_of.get(node_name)
        if data.claims is None or row is None or row >= len(data.passed) or not data.passed[row]:
            return None
        return self._find(data.claims, nodes, np.asarray([row], np.intp)).pod_volumes(0)


def _verdict(finder: PodVolumesFinder, rows: RowIndex) -> FilterResult:
    bits = (
        (~finder.bound_reached).astype(np.int32)
        + 2 * ~finder.unbound_served
        + 4 * ~finder.storage_suffices
        + 8 * ~finder.bound_found
    )
    index = np.full(len(rows), PASSES, np.int32)
    statuses: list[Status] = []
    for combination in np.unique(bits[bits != 0]).tolist():
        reasons = [reason for place, reason in enumerate(_REASONS) if combination & (1 << place)]
        statuses.append(unresolvable(*reasons))
        index[bits == combination] = len(statuses)
    for message, failed in finder.errors.items():
        statuses.append(error(message))
        index[failed] = len(statuses)
    return FilterResult(index, tuple(statuses))


def new(args: VolumeBindingArgs | None, handle: Handle) -> VolumeBinding:
    """Makes the plugin."""
    scores = args is not None and bool(args.shape) and handle.feature_enabled("StorageCapacityScoring")
    return VolumeBinding(handle, function_shape(args.shape) if args and scores else None)
