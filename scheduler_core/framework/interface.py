"""The extension points, and the handle through which plugins reach the rest of the scheduler.

A plugin implements the protocols of the points it serves. Points that judge nodes get the columns and the rows in
question and answer with arrays; None stands for "success" or "nothing to say" wherever a status is returned.

Source: staging/src/k8s.io/kube-scheduler/framework/interface.go and pkg/scheduler/framework/interface.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from scheduler_core.framework.cluster_event import ClusterEventWithHint
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.diagnosis import NodeToStatus
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import (
        FilterResult,
        PostFilterResult,
        PreFilterResult,
        QueuedPodInfo,
    )
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot


class Plugin(Protocol):
    """Anything the registry can make."""

    @property
    def name(self) -> str:
        """The plugin's name in configurations and statuses."""
        ...


@runtime_checkable
class EnqueueExtensions(Plugin, Protocol):
    """Says which cluster events may help a pod that this plugin refused."""

    def events_to_register(self) -> Sequence[ClusterEventWithHint]: ...


@runtime_checkable
class SignPlugin(Plugin, Protocol):
    """A plugin whose answers serve every pod with an equal signature.

    It promises that PreFilter and PreScore read the pod alone, and write nothing that an attempt changes; that the
    verdict and the raw score of a row depend on the signature and on what the columns say of that row; that a score
    that is not normalised is within 0…100 for every row, as it is held to for the first pod of a signature; that
    NormalizeScore reads the scores alone. ``reads_pods`` tells whether rows must be asked about again when the
    pods on their nodes change.
    """

    @property
    def reads_pods(self) -> bool: ...

    def sign_pod(self, pod: PodInfo) -> Hashable | None:
        """All that the plugin reads of a pod; None for a pod that it has to judge by itself."""
        ...


@runtime_checkable
class PreEnqueuePlugin(Plugin, Protocol):
    """Holds pods back from activeQ."""

    def pre_enqueue(self, pod_info: PodInfo) -> Status | None: ...


@runtime_checkable
class QueueSortPlugin(Plugin, Protocol):
    """Orders activeQ: the pod with the smallest key is popped first."""

    def sort_key(self, queued: QueuedPodInfo) -> tuple[int, ...]: ...


@runtime_checkable
class PreFilterPlugin(Plugin, Protocol):
    """Looks at the pod once, before any node."""

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]: ...


@runtime_checkable
class PreFilterExtensions(Plugin, Protocol):
    """Keeps PreFilter's data right while pods are added to or taken off a node in a dry run."""

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo) -> Status | None: ...

    def remove_pod(
        self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo
    ) -> Status | None: ...


@runtime_checkable
class FilterPlugin(Plugin, Protocol):
    """Refuses nodes. None means that every row fits."""

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None: ...


@runtime_checkable
class PostFilterPlugin(Plugin, Protocol):
    """Gets a word when no node fits."""

    def post_filter(
        self, state: CycleState, pod: PodInfo, statuses: NodeToStatus
    ) -> tuple[PostFilterResult | None, Status | None]: ...


@runtime_checkable
class PreScorePlugin(Plugin, Protocol):
    """Looks at the feasible rows once, before scoring; SKIP leaves the plugin out of the scores."""

    def pre_score(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> Status | None: ...


@runtime_checkable
class ScorePlugin(Plugin, Protocol):
    """Ranks rows: int64[len(rows)]."""

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array: ...


@runtime_checkable
class NormalizeScorePlugin(Plugin, Protocol):
    """Brings raw scores to 0…100: int64[len(rows)] → the same shape."""

    def normalize_score(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, scores: Int64Array
    ) -> Int64Array: ...


@runtime_checkable
class ReservePlugin(Plugin, Protocol):
    """Keeps books on assumed pods."""

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None: ...

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None: ...


@runtime_checkable
class PermitPlugin(Plugin, Protocol):
    """Lets a pod go on, refuses it or has it wait: (status, timeout in virtual microseconds)."""

    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> tuple[Status | None, int]: ...


@runtime_checkable
class PreBindPlugin(Plugin, Protocol):
    """Does what must be done before the binding."""

    def pre_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None: ...


@runtime_checkable
class BindPlugin(Plugin, Protocol):
    """Binds the pod; SKIP passes it to the next one."""

    def bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None: ...


@runtime_checkable
class PostBindPlugin(Plugin, Protocol):
    """Is told of a binding."""

    def post_bind(self, state: CycleState, pod: PodInfo, node_name: str) -> None: ...


class ObjectLister(Protocol):
    """Read access to the objects beside nodes and pods (the informers' listers)."""

    def get(self, kind: str, namespace: str, name: str) -> Any | None:
        """The object, or None; cluster-scoped kinds have the namespace ``""``."""
        ...

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]:
        """Objects of a kind in order of (namespace, name), of one namespace or of all."""
        ...

    def namespace_labels(self, namespace: str) -> Mapping[str, str]:
        """Labels of a namespace; empty if it does not exist."""
        ...


class Client(Protocol):
    """Write access to the API server's stand-in."""

    def bind(self, pod: PodInfo, node_name: str) -> Status | None:
        """Binds a pod to a node."""
        ...

    def delete_pod(self, key: str, reason: str) -> None:
        """Deletes a pod (preemption)."""
        ...

    def update(self, kind: str, object_: Any) -> None:
        """Replaces an object (claims and volumes)."""
        ...

    def clear_nomination(self, key: str) -> None:
        """Clears a pod's nominated node."""
        ...


class PodNominator(Protocol):
    """Pods that preemption has promised a node."""

    def nominated_pods_for_node(self, node_name: str) -> Sequence[PodInfo]: ...


class Handle(Protocol):
    """What a plugin may use of the scheduler."""

    @property
    def snapshot(self) -> Snapshot:
        """What this attempt sees of nodes."""
        ...

    @property
    def lister(self) -> ObjectLister:
        """The objects beside nodes and pods."""
        ...

    @property
    def client(self) -> Client:
        """Where writes go."""
        ...

    @property
    def nominator(self) -> PodNominator:
        """Who is nominated where."""
        ...

    def now_us(self) -> int:
        """The virtual time in microseconds since the run's start."""
        ...

    def feature_enabled(self, gate: str) -> bool:
        """Whether a feature gate is on."""
        ...

    def run_filters_on_row(self, state: CycleState, pod: PodInfo, row: int) -> Status | None:
        """All filters on one row with the nominated pods of that node counted (both passes)."""
        ...

    def run_pre_filter_add_pod(
        self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo
    ) -> Status | None:
        """Tells all PreFilter extensions of a pod that a dry run adds."""
        ...

    def run_pre_filter_remove_pod(
        self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo
    ) -> Status | None:
        """Tells all PreFilter extensions of a pod that a dry run takes away."""
        ...
