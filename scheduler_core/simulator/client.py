"""What the scheduler writes to the API server's stand-in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.meta import Condition, Time
from scheduler_core.framework.status import Status, error
from scheduler_core.framework.types import NominatingMode
from scheduler_core.trace.events import PodDeleted

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.clock import VirtualClock
    from scheduler_core.framework.types import NominatingInfo
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.object_store import ObjectStore
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.trace.sink import Tracer

SCHEDULER: Final = "scheduler"
_SCHEDULED: Final = Condition(type="PodScheduled", status="True")
_READY: Final = Condition(type="Ready", status="True")
_PREEMPTED: Final = Condition(
    type="DisruptionTarget",
    status="True",
    reason="PreemptionByScheduler",
    message="default-scheduler: preempting to accommodate a higher priority pod",
)
_replace = msgspec.structs.replace


class StoreClient:
    """Bindings, deletions, status updates; each is seen at once."""

    def __init__(
        self, store: ObjectStore, clock: VirtualClock, tracer: Tracer, api: ApiServer | None = None
    ) -> None:
        self._store = store
        self._api = api
        self._clock = clock
        self._tracer = tracer

    def bind(self, pod: PodInfo, node_name: str) -> Status | None:
        """Sets the pod's node; without a kubelet it runs from now on."""
        current = self._find(pod.key)
        if current is None or current.metadata.uid != pod.uid:
            return error(f'pods "{pod.pod.metadata.name}" not found')
        if current.spec.node_name:
            return error(
                f'pod {pod.pod.metadata.name} is already assigned to node "{current.spec.node_name}"'
            )
        conditions = _with_condition(current, _SCHEDULED)
        if self._api is not None and self._api.graceful:
            status = _replace(current.status, conditions=conditions)
        else:
            if self._api is not None and self._api.has_kubelet:
                conditions = (*conditions, _READY)  # a kubelet that comes later finds it so
            started = Time(self._clock.wall_us())
            status = _replace(current.status, phase="Running", start_time=started, conditions=conditions)
        spec = _replace(current.spec, node_name=node_name)
        self._store.put("Pod", current, spec=spec, status=status)
        return None

    def delete_pod(self, key: str, reason: str) -> None:
        """Deletes a pod: with a kubelet it gets its grace period, else it is gone at once."""
        namespace, _, name = key.partition("/")
        if self._api is not None and self._api.has_kubelet:
            self._api.wake_kubelet()
            self._preempt(self._api, self._api.get("Pod", namespace, name))
            return
        old: Pod | None = self._store.delete("Pod", namespace, name)
        if old is not None and self._api is not None:
            self._api.account.leaving(old, SCHEDULER, reason)
        if old is not None and self._tracer.on:
            self._tracer.emit(
                PodDeleted(
                    pod=key,
                    node=old.spec.node_name,
                    reason="preempted" if reason == "preempted" else "deleted",
                )
            )

    def update(self, kind: str, object_: Any) -> None:
        """Replaces an object."""
        self._store.put(kind, object_)

    def clear_nomination(self, key: str) -> None:
        """Clears a pod's nominated node."""
        pod = self._find(key)
        if pod is not None and pod.status.nominated_node_name:
            self._store.put("Pod", _replace(pod, status=_replace(pod.status, nominated_node_name="")))

    def write_failure(self, pod: Pod, message: str, *, is_error: bool, info: NominatingInfo | None) -> None:
        """Writes a failed attempt's condition and nomination, if they are new."""
        condition = Condition(
            type="PodScheduled",
            status="False",
            reason="SchedulerError" if is_error else "Unschedulable",
            message=message,
        )
        nominated = pod.status.nominated_node_name
        if info is not None and info.mode == NominatingMode.OVERRIDE:
            nominated = info.node_name
        status = _replace(
            pod.status, conditions=_with_condition(pod, condition), nominated_node_name=nominated
        )
        if status != pod.status:
            self._store.put("Pod", _replace(pod, status=status))

    def _preempt(self, api: ApiServer, victim: Pod | None) -> None:
        if victim is None:
            return
        status = _replace(victim.status, conditions=_with_condition(victim, _PREEMPTED))
        api.update_status(_replace(victim, status=status), by=SCHEDULER)
        metadata = victim.metadata
        api.delete("Pod", metadata.namespace, metadata.name, by=SCHEDULER, reason="preempted")

    def _find(self, key: str) -> Pod | None:
        namespace, _, name = key.partition("/")
        pod: Pod | None = self._store.get("Pod", namespace, name)
        return pod


def _with_condition(pod: Pod, condition: Condition) -> tuple[Condition, ...]:
    others = tuple(own for own in pod.status.conditions if own.type != condition.type)
    return (*others, condition)
