"""Pods whose node is gone, or out of service, are deleted by force: no kubelet will.

Only nodes that go during the run count: a dump may leave nodes out.

Source: pkg/controller/podgc/gc_controller.go, gcOrphaned, gcTerminating, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.meta import Condition
from scheduler_core.api.pod import FAILED
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase
from scheduler_core.simulator.controllers.pod_util import (
    DISRUPTION_TARGET,
    READY,
    TRUE,
    condition_of,
    is_finished,
    now,
    with_condition,
)

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod

PERIOD_US: Final = 20 * MICROSECONDS
QUARANTINE_US: Final = 2 * PERIOD_US
OUT_OF_SERVICE: Final = "node.kubernetes.io/out-of-service"


class PodGCController(ControllerBase):
    """Looks every 20 s of virtual time for pods without a node."""

    name = "pod-garbage-collector-controller"
    kind = "Node"
    kinds = frozenset({"Node"})

    def start(self) -> None:
        """Takes the nodes that are there for all there were."""

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has a node that went looked at after its quarantine, one out of service at the next look."""
        now_us = self._cluster.clock.now_us
        next_look_us = -(-now_us // PERIOD_US) * PERIOD_US - now_us
        if new is None and old is not None:
            self._queue.enqueue_after(old.metadata.name, next_look_us + QUARANTINE_US)
        elif new is not None and any(taint.key == OUT_OF_SERVICE for taint in new.spec.taints):
            self._queue.enqueue_after(new.metadata.name, next_look_us)

    def sync(self, key: str) -> None:
        """Deletes the pods of a node that has not come back, or that is marked as out of service."""
        node: Node | None = self._api.get("Node", "", key)
        pods = self._api.pods_on(key)
        if node is None:
            for pod in pods:
                self._force_delete(pod, "PodGC: node no longer exists")
        elif (ready := condition_of(node.status.conditions, READY)) is not None and ready.status != TRUE:
            for pod in pods:
                if pod.metadata.deletion_timestamp is not None:
                    self._force_delete(pod, "")

    def _force_delete(self, pod: Pod, why: str) -> None:
        if not is_finished(pod):
            conditions = pod.status.conditions
            if why:
                at = now(self._wall_us())
                told = Condition(
                    type=DISRUPTION_TARGET,
                    status=TRUE,
                    reason="DeletionByPodGC",
                    message=why,
                    last_transition_time=at,
                )
                conditions = with_condition(conditions, told)
            status = replace(pod.status, phase=FAILED, conditions=conditions)
            self._api.update_status(replace(pod, status=status), by=self.name)
        metadata = pod.metadata
        self._api.delete("Pod", metadata.namespace, metadata.name, by=self.name, grace_seconds=0)
