"""DynamicResources: lets pods without resource claims through; says of others that they are not simulated.

**Source**: pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, DynamicResources, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.framework.cycle_state import NOT_FOUND
from scheduler_core.framework.status import SKIP, error, unresolvable, unschedulable
from scheduler_core.plugins.names import DYNAMIC_RESOURCES

if TYPE_CHECKING:
    from collections.abc import Hashable

    from scheduler_core.config.plugin_args import DynamicResourcesArgs
    from scheduler_core.framework.cluster_event import ClusterEventWithHint
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.diagnosis import NodeToStatus
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import FilterResult, PostFilterResult, PreFilterResult
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = DYNAMIC_RESOURCES
STATE_KEY: Final = NAME

ERR_REASON_NOT_SIMULATED: Final = "resource claims are not simulated yet"
NO_NEW_CLAIMS: Final = "no new claims to deallocate"


class DynamicResourcesState:
    """Says that PreFilter was reached."""

    __slots__ = ()

    def clone(self) -> DynamicResourcesState:
        """This one: there is nothing in it."""
        return self


class DynamicResources:
    """Stands in for the allocation of devices."""

    name: Final = NAME
    reads_pods: Final = False

    def sign_pod(self, pod: PodInfo) -> Hashable | None:
        """Nothing of a pod without claims; the others have to be judged one by one."""
        return None if pod.pod.spec.resource_claims else ()

    def pre_enqueue(self, pod_info: PodInfo) -> Status | None:
        """Holds no pod back."""
        return None

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Skips pods without claims and refuses the others."""
        state.write(STATE_KEY, DynamicResourcesState())
        if pod.pod.spec.resource_claims:
            return None, unresolvable(ERR_REASON_NOT_SIMULATED)
        return None, SKIP

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Lets every row pass that PreFilter did not refuse."""
        state.read(STATE_KEY)
        return None

    def post_filter(
        self, state: CycleState, pod: PodInfo, statuses: NodeToStatus
    ) -> tuple[PostFilterResult | None, Status | None]:
        """Has no claim to free, and says so; an error where PreFilter was not reached, as upstream."""
        if state.get(STATE_KEY) is None:
            return None, error(NOT_FOUND)
        return None, unschedulable(NO_NEW_CLAIMS)

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """Has no claim to reserve."""
        state.read(STATE_KEY)
        return None

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        """Has no claim to give back."""

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """Has no claim to write."""
        state.read(STATE_KEY)
        return None

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Nothing: no event makes a refused pod schedulable here."""
        return ()


def new(args: DynamicResourcesArgs | None, handle: Handle) -> DynamicResources:
    """Makes the plugin."""
    return DynamicResources()
