"""The handle of one profile's plugins: the snapshot, the objects, the client, and the framework itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.scheduler.nominated import filter_row_with_nominated_pods
from scheduler_core.scheduler.tie_break import SplitMix64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.clock import VirtualClock
    from scheduler_core.config.feature_gates import FeatureGates
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Client, ObjectLister
    from scheduler_core.framework.results import Verdicts
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.waiting_pods import WaitingPods
    from scheduler_core.preemption.handle import PreemptingExtender
    from scheduler_core.queue.nominator import Nominator
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot


class FrameworkHandle:
    """What ``framework.interface.Handle`` promises. ``framework`` and ``nominator`` are set by the wiring."""

    framework: Framework
    nominator: Nominator

    def __init__(
        self,
        *,
        snapshot: Snapshot,
        lister: ObjectLister,
        client: Client,
        clock: VirtualClock,
        feature_gates: FeatureGates,
        waiting_pods: WaitingPods,
        extenders: Sequence[PreemptingExtender] = (),
        preemption_offset_seed: int | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.lister = lister
        self.client = client
        self.waiting_pods = waiting_pods
        self.extenders = extenders
        self._offsets = None if preemption_offset_seed is None else SplitMix64(preemption_offset_seed)
        self._clock = clock
        self._feature_gates = feature_gates

    def now_us(self) -> int:
        """The virtual time in microseconds since the run's start."""
        return self._clock.now_us

    def feature_enabled(self, gate: str) -> bool:
        """Whether a feature gate is on."""
        return self._feature_gates.enabled(gate)

    def run_filters_on_row(self, state: CycleState, pod: PodInfo, row: int) -> Status | None:
        """All filters on one row, nominated pods counted."""
        return filter_row_with_nominated_pods(self.framework, self.snapshot, self.nominator, state, pod, row)

    def run_filters(self, state: CycleState, pod: PodInfo, rows: RowIndex) -> Verdicts:
        """All filters on rows as the snapshot shows them, without nominated pods."""
        return self.framework.run_filters(state, pod, self.snapshot.node_infos, rows)

    def preemption_offset(self, num_nodes: int) -> int:
        """The node with which a dry run starts."""
        return 0 if self._offsets is None else self._offsets.below(num_nodes)

    def has_pre_filter_extensions(self, state: CycleState) -> bool:
        """Whether a filter of this attempt follows pods that a dry run adds or removes."""
        return self.framework.has_pre_filter_extensions(state)

    def run_pre_filter_add_pod(
        self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo
    ) -> Status | None:
        """Tells all PreFilter extensions of a pod that a dry run adds."""
        return self.framework.run_pre_filter_add_pod(state, pod, added, node)

    def run_pre_filter_remove_pod(
        self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo
    ) -> Status | None:
        """Tells all PreFilter extensions of a pod that a dry run takes away."""
        return self.framework.run_pre_filter_remove_pod(state, pod, removed, node)
