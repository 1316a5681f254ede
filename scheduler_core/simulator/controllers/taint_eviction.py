"""Pods are deleted from nodes whose NoExecute taints they do not tolerate, or no longer tolerate.

Taints that a node came with were there before the pods that run on it: only what comes in the run evicts.

Source: pkg/controller/tainteviction/taint_eviction.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.meta import Condition
from scheduler_core.api.taints import NO_EXECUTE
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.pod_util import (
    DISRUPTION_TARGET,
    TRUE,
    is_finished,
    now,
    with_condition,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.taints import Taint, Toleration
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

FOREVER: Final = -1


class TaintEvictionController(ControllerBase):
    """Times evictions by taints."""

    name = "taint-eviction-controller"
    kind = "Node"
    kinds = frozenset({"Node", "Pod"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._events = EventRecorder(cluster, self.name)
        self._since: dict[str, int] = {}
        self._due: dict[str, int] = {}

    def start(self) -> None:
        """Takes the taints that are there for settled."""

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has the pods of a node with other taints looked at, and a pod that was just bound."""
        if kind == "Node":
            if old is not None and new is not None and _no_execute(old) != _no_execute(new):
                for pod in self._api.pods_on(new.metadata.name):
                    self._queue.enqueue(key_of(pod))
        elif new is None:
            if old is not None and self._due:
                self._forget(key_of(old))
        elif old is not None and new.spec.node_name and new.spec.node_name != old.spec.node_name:
            node = self._api.get("Node", "", new.spec.node_name)
            if node is not None and _no_execute(node):
                self._queue.enqueue(key_of(new))

    def sync(self, key: str) -> None:
        """Deletes a pod whose time is over, or finds out when it will be."""
        pod: Pod | None = self._find(key, "Pod")
        if pod is None or is_finished(pod) or pod.metadata.deletion_timestamp is not None:
            self._forget(key)
            return
        node = self._api.get("Node", "", pod.spec.node_name)
        taints = _no_execute(node) if node is not None else ()
        if not taints:
            self._cancel(key, pod)
            return
        now_us = self._cluster.clock.now_us
        seconds = tolerated_seconds(taints, pod.spec.tolerations)
        if seconds == FOREVER:
            self._cancel(key, pod)
            return
        since_us = self._since.setdefault(key, now_us)
        due_us = since_us + seconds * MICROSECONDS
        self._due[key] = due_us
        if due_us <= now_us:
            self._evict(key, pod)
        else:
            self._queue.enqueue_after(key, due_us - now_us)

    def _evict(self, key: str, pod: Pod) -> None:
        self._forget(key)
        self._events.tell(pod, "TaintManagerEviction", f"Marking for deletion Pod {pod.key}")
        told = Condition(
            type=DISRUPTION_TARGET,
            status=TRUE,
            reason="DeletionByTaintManager",
            message="Taint manager: deleting due to NoExecute taint",
            last_transition_time=now(self._wall_us()),
        )
        status = replace(pod.status, conditions=with_condition(pod.status.conditions, told))
        self._api.update_status(replace(pod, status=status), by=self.name)
        metadata = pod.metadata
        self._api.delete("Pod", metadata.namespace, metadata.name, by=self.name)

    def _cancel(self, key: str, pod: Pod) -> None:
        if key in self._due:
            self._events.tell(pod, "TaintManagerEviction", f"Cancelling deletion of Pod {pod.key}")
        self._forget(key)

    def _forget(self, key: str) -> None:
        self._due.pop(key, None)
        self._since.pop(key, None)


def tolerated_seconds(taints: Sequence[Taint], tolerations: Sequence[Toleration]) -> int:
    """Returns for how long a pod puts up with taints: 0 not at all, -1 for ever."""
    used = []
    for taint in taints:
        toleration = next((own for own in tolerations if own.tolerates(taint)), None)
        if toleration is None:
            return 0
        used.append(toleration)
    limited = [own.toleration_seconds for own in used if own.toleration_seconds is not None]
    return max(min(limited), 0) if limited else FOREVER


def _no_execute(node: Node) -> tuple[Taint, ...]:
    return tuple(taint for taint in node.spec.taints if taint.effect == NO_EXECUTE)
