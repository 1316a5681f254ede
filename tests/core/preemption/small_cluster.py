"""A cluster of a few nodes with the real cache, runtime and plugins, and no queue: enough for preemption."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.decode import decode_object
from scheduler_core.cache.cache import SchedulerCache
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.diagnosis import NodeToStatus
from scheduler_core.framework.runtime import Framework
from scheduler_core.framework.waiting_pods import WaitingPods
from scheduler_core.plugins import default_preemption, node_ports, priority_sort, taint_toleration
from scheduler_core.plugins.node_resources import fit
from scheduler_core.queue.nominator import Nominator
from scheduler_core.scheduler.nominated import filter_row_with_nominated_pods
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.snapshot.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scheduler_core.config.plugin_args import DefaultPreemptionArgs
    from scheduler_core.framework.results import Verdicts
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import PostFilterResult
    from scheduler_core.plugins.default_preemption import DefaultPreemption
    from scheduler_core.preemption.handle import PreemptingExtender
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import RowIndex


def node(name: str, cpu: str = "4", *, taints: Sequence[dict[str, str]] = ()) -> Any:
    """A node with room for ``cpu`` and 110 pods."""
    return decode_object(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
            "spec": {"taints": list(taints)},
            "status": {"allocatable": {"cpu": cpu, "memory": "64Gi", "pods": "110"}},
        }
    )


def pod(
    name: str,
    *,
    priority: int = 0,
    cpu: str = "1",
    on: str = "",
    started: str | None = "2026-01-01T00:00:00Z",
    labels: Mapping[str, str] | None = None,
    **status: Any,
) -> Any:
    """A pod, bound where ``on`` names a node; ``status`` and the keys of ``spec`` may be given besides."""
    spec = status.pop("spec", {})
    metadata = status.pop("metadata", {})
    if on and started:
        status["startTime"] = started
    return decode_object(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": name,
                "namespace": "default",
                "uid": f"uid-{name}",
                "labels": labels or {"app": name},
                **metadata,
            },
            "spec": {
                "nodeName": on,
                "priority": priority,
                "containers": [{"name": "main", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}],
                **spec,
            },
            "status": status,
        }
    )


def budget(name: str, selector: Any, *, allowed: int = 0, disrupted: Sequence[str] = ()) -> Any:
    """A disruption budget of the namespace default."""
    return decode_object(
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"selector": selector},
            "status": {
                "disruptionsAllowed": allowed,
                "disruptedPods": dict.fromkeys(disrupted, "2026-01-01T00:00:00Z"),
            },
        }
    )


class Objects:
    """Lists disruption budgets; nothing else is there."""

    def __init__(self, budgets: Sequence[Any]) -> None:
        self._budgets = budgets

    def get(self, kind: str, namespace: str, name: str) -> Any | None:
        return None

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]:
        return self._budgets if kind == "PodDisruptionBudget" else ()

    def namespace_labels(self, namespace: str) -> Mapping[str, str]:
        return {"kubernetes.io/metadata.name": namespace}


class SmallCluster:
    """Nodes and pods, and the handle and client of one profile at once."""

    def __init__(
        self,
        nodes: Sequence[Any],
        pods: Sequence[Any] = (),
        *,
        budgets: Sequence[Any] = (),
        extenders: Sequence[PreemptingExtender] = (),
        plugins: Sequence[Any] | None = None,
        offset: int = 0,
    ) -> None:
        self.cache = SchedulerCache()
        self.snapshot = Snapshot(self.cache.axis)
        self.lister = Objects(budgets)
        self.client = self
        self.nominator = Nominator(lambda _: True)
        self.waiting_pods = WaitingPods()
        self.extenders = extenders
        self.offset = offset
        self.deleted: list[str] = []
        self.cleared: list[str] = []
        self.num_filter_calls = 0
        filters = (
            [taint_toleration.new(None, self), node_ports.new(None, self), fit.new(None, self)]
            if plugins is None
            else list(plugins)
        )
        points = {"queueSort": [priority_sort.new(None, self)]}
        for point, method in (("preFilter", "pre_filter"), ("filter", "filter")):
            points[point] = [plugin for plugin in filters if hasattr(plugin, method)]
        self.framework = Framework("default-scheduler", points, {})
        for item in nodes:
            self.cache.add_node(item)
        self.bound: dict[str, PodInfo] = {}
        for item in pods:
            pod_info = PodInfo(item, self.cache.axis)
            self.bound[pod_info.key] = pod_info
            self.cache.add_pod(pod_info, item.spec.node_name)
        self.cache.update_snapshot(self.snapshot)

    # What a test does.

    def pod_info(self, item: Any) -> PodInfo:
        return PodInfo(item, self.cache.axis)

    def row(self, name: str) -> int:
        return self.snapshot.node_infos.row_of[name]

    def pre_filter(self, preemptor: PodInfo) -> CycleState:
        state = CycleState()
        self.framework.run_pre_filter(state, preemptor, self.snapshot.node_infos)
        return state

    def statuses(self, state: CycleState, preemptor: PodInfo) -> NodeToStatus:
        """What the filters say of each node, nominated pods counted."""
        statuses = NodeToStatus()
        nodes = self.snapshot.node_infos
        for row in nodes.order.tolist():
            status = self.run_filters_on_row(state, preemptor, row)
            if status is not None:
                statuses.set(nodes.names[row], status)
        return statuses

    def preempt(
        self, item: Any, args: DefaultPreemptionArgs | None = None
    ) -> tuple[PostFilterResult | None, Status | None, CycleState]:
        """One attempt of a pod that fits nowhere, from PreFilter to PostFilter."""
        plugin: DefaultPreemption = default_preemption.new(args, self)
        preemptor = self.pod_info(item)
        state = self.pre_filter(preemptor)
        statuses = self.statuses(state, preemptor)
        assert len(statuses) == len(self.snapshot), "the pod fits somewhere"
        result, status = plugin.post_filter(state, preemptor, statuses)
        return result, status, state

    # The handle.

    def now_us(self) -> int:
        return 0

    def feature_enabled(self, gate: str) -> bool:
        return gate != "SchedulerAsyncPreemption"

    def preemption_offset(self, num_nodes: int) -> int:
        return self.offset % num_nodes

    def run_filters_on_row(self, state: CycleState, pod: PodInfo, row: int) -> Status | None:
        return filter_row_with_nominated_pods(self.framework, self.snapshot, self.nominator, state, pod, row)

    def run_filters(self, state: CycleState, pod: PodInfo, rows: RowIndex) -> Verdicts:
        self.num_filter_calls += 1
        return self.framework.run_filters(state, pod, self.snapshot.node_infos, rows)

    def has_pre_filter_extensions(self, state: CycleState) -> bool:
        return any(
            hasattr(plugin, "add_pod") and plugin.name not in state.skip_filter_plugins
            for plugin in self.framework.pre_filter_plugins
        )

    def run_pre_filter_add_pod(
        self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo
    ) -> Status | None:
        return self.framework.run_pre_filter_add_pod(state, pod, added, node)

    def run_pre_filter_remove_pod(
        self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo
    ) -> Status | None:
        return self.framework.run_pre_filter_remove_pod(state, pod, removed, node)

    # The client.

    def bind(self, pod: PodInfo, node_name: str) -> Status | None:
        raise NotImplementedError

    def update(self, kind: str, object_: Any) -> None:
        raise NotImplementedError

    def delete_pod(self, key: str, reason: str) -> None:
        self.deleted.append(key)
        self.cache.remove_pod(self.bound.pop(key).uid)
        self.cache.update_snapshot(self.snapshot)

    def clear_nomination(self, key: str) -> None:
        self.cleared.append(key)
