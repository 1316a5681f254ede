"""Nodes of which nothing is heard, or which say that they are not ready, are tainted.

NoSchedule follows every condition at once; NoExecute, which evicts, comes to one node in 10 s in each zone, more slowly
where most of a large zone is gone, and to none where everything is gone. What nodes came with stays as it is.

Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go; cmd/kube-controller-manager/app/options defaults,
v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.meta import Condition
from scheduler_core.api.taints import NO_EXECUTE, NO_SCHEDULE, Taint
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.kubelet.annotations import is_kubelet_stopped
from scheduler_core.simulator.controllers.node_zones import Limiter, zone_of
from scheduler_core.simulator.controllers.pod_util import (
    FALSE,
    READY,
    TRUE,
    UNKNOWN,
    condition_of,
    has_condition,
    is_finished,
    now,
    with_condition,
)

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

GRACE_US: Final = 50 * MICROSECONDS
"""How long nothing may be heard of a node."""
PERIOD_US: Final = 5 * MICROSECONDS
NOT_READY: Final = "node.kubernetes.io/not-ready"
UNREACHABLE: Final = "node.kubernetes.io/unreachable"
UNSCHEDULABLE: Final = "node.kubernetes.io/unschedulable"
_PRESSURES: Final = {
    "MemoryPressure": "node.kubernetes.io/memory-pressure",
    "DiskPressure": "node.kubernetes.io/disk-pressure",
    "NetworkUnavailable": "node.kubernetes.io/network-unavailable",
    "PIDPressure": "node.kubernetes.io/pid-pressure",
}
_BY_READY: Final = {FALSE: NOT_READY, UNKNOWN: UNREACHABLE}
_OWN_KEYS: Final = frozenset({NOT_READY, UNREACHABLE, UNSCHEDULABLE, *_PRESSURES.values()})
_SILENT: Final = ("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")


class NodeLifecycleController(ControllerBase):
    """Watches nodes, marks those that are lost, and taints."""

    name = "node-lifecycle-controller"
    kind = "Node"
    kinds = frozenset({"Node"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._events = EventRecorder(cluster, self.name)
        self._silent_since: dict[str, int] = {}
        self._limiter = Limiter()

    def start(self) -> None:
        """Takes nodes as they are; only those of which nothing is heard are watched from now on."""
        for node in self._api.list("Node"):
            self._limiter.note(node)
            if is_kubelet_stopped(node):
                self._queue.enqueue(node.metadata.name)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has a node looked at whose conditions, cordon or kubelet changed."""
        if new is None:
            if old is not None:
                self._silent_since.pop(old.metadata.name, None)
                self._limiter.forget(old)
            return
        if self._limiter.note(new):
            for name in self._limiter.lost():
                self._queue.enqueue(name)
        if old is None:
            if is_kubelet_stopped(new):
                self._queue.enqueue(new.metadata.name)
            return
        if (
            old.status.conditions != new.status.conditions
            or old.spec.unschedulable != new.spec.unschedulable
            or is_kubelet_stopped(old) != is_kubelet_stopped(new)
        ):
            self._queue.enqueue(new.metadata.name)

    def sync(self, key: str) -> None:
        """Marks a node as lost when its time is over, as found when it is heard of again, and taints it."""
        node: Node | None = self._find(key)
        if node is None:
            return
        node = self._marked(node)
        taints = [own for own in node.spec.taints if own.effect != NO_SCHEDULE or own.key not in _OWN_KEYS]
        taints += self._no_schedule(node)
        wanted = self._with_no_execute(key, node, taints)
        if wanted != node.spec.taints:
            self._api.update(replace(node, spec=replace(node.spec, taints=wanted)), by=self.name)

    # Conditions.

    def _marked(self, node: Node) -> Node:
        name, now_us = node.metadata.name, self._cluster.clock.now_us
        ready = condition_of(node.status.conditions, READY)
        is_lost = ready is not None and ready.status == UNKNOWN
        if not is_kubelet_stopped(node):
            was_silent = self._silent_since.pop(name, None) is not None
            return self._heard_again(node) if was_silent and is_lost else node
        if name not in self._silent_since:
            self._silent_since[name] = now_us
        due_us = -(-(self._silent_since[name] + GRACE_US) // PERIOD_US) * PERIOD_US
        if is_lost or now_us < due_us:
            if not is_lost:
                self._queue.enqueue_after(name, due_us - now_us)
            return node
        at = now(self._wall_us())
        conditions = node.status.conditions
        for type_ in _SILENT:
            told = Condition(
                type=type_,
                status=UNKNOWN,
                reason="NodeStatusUnknown",
                message="Kubelet stopped posting node status.",
                last_transition_time=at,
            )
            conditions = with_condition(conditions, told)
        self._events.tell(node, "NodeNotReady", f"Node {name} status is now: NodeNotReady")
        lost: Node = self._api.update_status(
            replace(node, status=replace(node.status, conditions=conditions)), by=self.name
        )
        self._mark_pods(name)
        return lost

    def _heard_again(self, node: Node) -> Node:
        at = now(self._wall_us())
        conditions = node.status.conditions
        for type_ in _SILENT:
            told = Condition(
                type=type_,
                status=TRUE if type_ == READY else FALSE,
                reason="KubeletReady" if type_ == READY else "KubeletHasNoPressure",
                message="kubelet is posting ready status" if type_ == READY else "",
                last_transition_time=at,
            )
            conditions = with_condition(conditions, told)
        self._events.tell(node, "NodeReady", f"Node {node.metadata.name} status is now: NodeReady")
        found: Node = self._api.update_status(
            replace(node, status=replace(node.status, conditions=conditions)), by=self.name
        )
        return found

    def _mark_pods(self, node_name: str) -> None:
        """The pods of a lost node are not ready, whatever they are."""
        for pod in self._api.pods_on(node_name):
            ready = condition_of(pod.status.conditions, READY)
            if is_finished(pod) or ready is None or ready.status != TRUE:
                continue
            told = replace(ready, status=FALSE, last_transition_time=now(self._wall_us()))
            conditions = with_condition(pod.status.conditions, told)
            self._api.update_status(
                replace(pod, status=replace(pod.status, conditions=conditions)), by=self.name
            )

    # Taints.

    def _no_schedule(self, node: Node) -> list[Taint]:
        ready = condition_of(node.status.conditions, READY)
        keys = [_BY_READY[ready.status]] if ready is not None and ready.status in _BY_READY else []
        keys += [key for type_, key in _PRESSURES.items() if has_condition(node.status.conditions, type_)]
        if node.spec.unschedulable:
            keys.append(UNSCHEDULABLE)
        kept = {
            own.key: own for own in node.spec.taints if own.effect == NO_SCHEDULE and own.key in _OWN_KEYS
        }
        at = now(self._wall_us())
        return [kept.get(key) or Taint(key=key, effect=NO_SCHEDULE, time_added=at) for key in keys]

    def _with_no_execute(self, name: str, node: Node, taints: list[Taint]) -> tuple[Taint, ...]:
        ready = condition_of(node.status.conditions, READY)
        key = _BY_READY.get(ready.status) if ready is not None else None
        present = [own for own in taints if own.effect == NO_EXECUTE and own.key in (NOT_READY, UNREACHABLE)]
        others = tuple(own for own in taints if own not in present)
        if key is None:
            return others
        is_stopped = self._limiter.is_stopped()
        if present and not is_stopped:
            kept = present[0]
            if kept.key != key:
                kept = Taint(key=key, effect=NO_EXECUTE, time_added=now(self._wall_us()))
            return (*others, kept)
        wait_us = None if is_stopped else self._limiter.wait_us(zone_of(node), self._cluster.clock.now_us)
        if wait_us is None:
            self._events.warn(
                node,
                "EvictionsStopped",
                "no pods are evicted while no node of the cluster or most of a zone is ready",
            )
            return others
        if wait_us:
            self._queue.enqueue_after(name, wait_us)
            return others
        return (*others, Taint(key=key, effect=NO_EXECUTE, time_added=now(self._wall_us())))
