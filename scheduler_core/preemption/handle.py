"""What preemption uses of the scheduler beyond what every plugin may.

Source: pkg/scheduler/framework/interface.go, Handle, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from scheduler_core.framework.interface import Handle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scheduler_core.extender.wire import Victims
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.results import Verdicts
    from scheduler_core.framework.waiting_pods import WaitingPods
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo


class PreemptingExtender(Protocol):
    """An extender as preemption sees it."""

    supports_preemption: bool
    is_ignorable: bool

    def is_interested(self, pod: PodInfo) -> bool:
        """Whether the extender manages a resource of the pod."""
        ...

    def process_preemption(
        self, pod: PodInfo, victims: Mapping[str, Victims], nodes: NodeInfos
    ) -> dict[str, Victims]:
        """The candidates that the extender leaves.

        Raises:
            ExtenderError: the extender could not be asked.
        """
        ...


class PreemptionHandle(Handle, Protocol):
    """The handle with what preemption needs."""

    extenders: Sequence[PreemptingExtender]
    waiting_pods: WaitingPods

    def preemption_offset(self, num_nodes: int) -> int:
        """The node with which a dry run starts: 0 … num_nodes - 1."""
        ...

    def run_filters(self, state: CycleState, pod: PodInfo, rows: RowIndex) -> Verdicts:
        """All filters on rows as the snapshot shows them, without nominated pods."""
        ...

    def has_pre_filter_extensions(self, state: CycleState) -> bool:
        """Whether a filter of this attempt follows pods that a dry run adds or removes."""
        ...
