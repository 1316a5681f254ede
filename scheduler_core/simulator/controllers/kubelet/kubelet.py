"""The kubelets: they start what is bound to their nodes, say when it is ready, end it, and end it when told to.

Source: pkg/kubelet/kubelet.go, SyncPod, SyncTerminatingPod, MaxCrashLoopBackOff; pkg/kubelet/status/status_manager.go,
v1.34.1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.containers import ALWAYS
from scheduler_core.api.pod import PENDING, RUNNING
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase, key_of
from scheduler_core.simulator.controllers.event_recorder import EventRecorder
from scheduler_core.simulator.controllers.kubelet import status
from scheduler_core.simulator.controllers.kubelet.annotations import (
    READY_DELAY,
    RUN_TIME,
    START_DELAY,
    STOP_TIME,
    AnnotationError,
    check,
    duration_of,
    exit_code_of,
    has_annotations,
    is_kubelet_stopped,
)
from scheduler_core.simulator.controllers.pod_util import (
    CONTAINERS_READY,
    has_condition,
    is_finished,
    is_ready,
    now,
)
from scheduler_core.trace.events import PodFinished, PodStarted

if TYPE_CHECKING:
    from scheduler_core.api.meta import Time
    from scheduler_core.api.pod import Pod, PodStatus
    from scheduler_core.scheduler.tie_break import SplitMix64
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

FIRST_BACKOFF_US: Final = 10 * MICROSECONDS
LONGEST_BACKOFF_US: Final = 300 * MICROSECONDS
FAILED_TO_START: Final = "CreateContainerConfigError"
DEADLINE: Final = "DeadlineExceeded"
DEADLINE_MESSAGE: Final = "Pod was active on the node longer than the specified deadline"


@dataclass
class _Life:
    """What comes next for a pod, in virtual µs; None: never."""

    uid: str
    random: SplitMix64
    start_us: int | None = None
    ready_us: int | None = None
    end_us: int | None = None
    deadline_us: int | None = None
    stop_us: int | None = None
    runs: int = 0


class Kubelet(ControllerBase):
    """Leads the lives of all bound pods. Pods that run already go on as they are, unless they say otherwise."""

    name: str = "kubelet"
    kind: str = "Pod"
    kinds: frozenset[str] = frozenset({"Pod", "Node"})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._lives: dict[str, _Life] = {}
        self._heard_again: set[str] = set()
        self._events = EventRecorder(cluster, self.name)

    def start(self) -> None:
        """Comes on: from now on pods end in their own time."""
        self._api.graceful = True
        super().start()

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has a bound pod looked at that has something before it."""
        if kind == "Node":
            if (
                old is not None
                and new is not None
                and is_kubelet_stopped(old)
                and not is_kubelet_stopped(new)
            ):
                for pod in self._api.pods_on(new.metadata.name):
                    self._heard_again.add(key_of(pod))
                    self._queue.enqueue(key_of(pod))
            return
        if new is None:
            if old is not None and self._lives:
                self._lives.pop(key_of(old), None)
        elif new.spec.node_name and _has_future(new):
            self._queue.enqueue(key_of(new))

    def sync(self, key: str) -> None:
        """Does what is due for a pod."""
        pod: Pod | None = self._find(key)
        if pod is None or not pod.spec.node_name or is_finished(pod):
            self._lives.pop(key, None)
            if pod is not None and pod.metadata.deletion_timestamp is not None:
                self._remove(pod)
            return
        node = self._api.get("Node", "", pod.spec.node_name)
        if node is None or is_kubelet_stopped(node):
            return
        life = self._lives.get(key)
        if life is None or life.uid != pod.metadata.uid:
            life = self._lives[key] = self._begin(pod)
        if pod.metadata.deletion_timestamp is not None:
            self._stop(key, pod, life)
            return
        try:
            self._live(key, pod, life)
        except AnnotationError as error:
            self._refuse(pod, str(error))

    # A pod's life.

    def _begin(self, pod: Pod) -> _Life:
        uid = pod.metadata.uid
        life = _Life(uid, self._cluster.random(f"kubelet/{uid}"))
        now_us = self._cluster.clock.now_us
        try:
            check(pod, self._cluster.random(f"kubelet/{uid}"))
        except AnnotationError as error:
            self._refuse(pod, str(error))
            return life
        if pod.status.phase == PENDING:
            life.start_us = _after(now_us, duration_of(pod, START_DELAY, life.random))
        else:
            life.runs = max((own.restart_count for own in pod.status.container_statuses), default=0)
            if RUN_TIME in pod.metadata.annotations:
                life.end_us = _after(now_us, duration_of(pod, RUN_TIME, life.random))
            if READY_DELAY in pod.metadata.annotations and not is_ready(pod):
                life.ready_us = _after(now_us, duration_of(pod, READY_DELAY, life.random))
        if pod.spec.active_deadline_seconds is not None:
            life.deadline_us = now_us + pod.spec.active_deadline_seconds * MICROSECONDS
        return life

    def _live(self, key: str, pod: Pod, life: _Life) -> None:
        now_us = self._cluster.clock.now_us
        if _is_due(life.deadline_us, now_us):
            self._finish(pod, succeeded=False, reason=DEADLINE, message=DEADLINE_MESSAGE)
            return
        if _is_due(life.end_us, now_us):
            life.end_us, life.ready_us = None, None
            self._end_run(pod, life)
        elif _is_due(life.start_us, now_us):
            life.start_us = None
            self._start_run(pod, life)
        elif _is_due(life.ready_us, now_us):
            life.ready_us = None
            self._write(pod, status.ready(pod, self._now()))
        elif key in self._heard_again and has_condition(pod.status.conditions, CONTAINERS_READY):
            self._write(pod, status.ready(pod, self._now()))
        self._heard_again.discard(key)
        due = [at for at in (life.start_us, life.ready_us, life.end_us, life.deadline_us) if at is not None]
        if due:
            self._queue.enqueue_after(key, max(min(due) - now_us, 0))

    def _start_run(self, pod: Pod, life: _Life) -> None:
        now_us = self._cluster.clock.now_us
        life.ready_us = _after(now_us, duration_of(pod, READY_DELAY, life.random))
        life.end_us = _after(now_us, duration_of(pod, RUN_TIME, life.random))
        ready = life.ready_us == now_us
        if ready:
            life.ready_us = None
        self._write(pod, status.started(pod, self._now(), ready=ready))
        if self._cluster.tracer.on:
            self._cluster.tracer.emit(PodStarted(pod=pod.key, node=pod.spec.node_name))

    def _end_run(self, pod: Pod, life: _Life) -> None:
        succeeded = exit_code_of(pod, life.runs) == 0
        policy = pod.spec.restart_policy
        if policy == ALWAYS or (policy == "OnFailure" and not succeeded):
            backoff_us = min(FIRST_BACKOFF_US << min(life.runs, 5), LONGEST_BACKOFF_US)
            life.start_us = self._cluster.clock.now_us + backoff_us
            life.runs += 1
            self._write(pod, status.restarting(pod, self._now()))
        else:
            self._finish(pod, succeeded=succeeded)

    def _stop(self, key: str, pod: Pod, life: _Life) -> None:
        """A pod that was deleted ends within its grace period; then the kubelet takes it out of the API."""
        now_us = self._cluster.clock.now_us
        grace_us = (pod.metadata.deletion_grace_period_seconds or 0) * MICROSECONDS
        if pod.status.phase == PENDING:
            grace_us = 0
        try:
            wanted = duration_of(pod, STOP_TIME, life.random) if life.stop_us is None else None
        except AnnotationError:
            wanted = None
        latest = now_us + min(grace_us, grace_us if wanted is None else wanted)
        life.stop_us = latest if life.stop_us is None else min(life.stop_us, latest)
        if life.stop_us > now_us:
            self._queue.enqueue_after(key, life.stop_us - now_us)
            return
        self._lives.pop(key, None)
        self._finish(pod, succeeded=pod.status.phase == RUNNING and _ends_well(pod, life.runs))
        self._remove(pod)

    # Writes.

    def _finish(self, pod: Pod, *, succeeded: bool, reason: str = "", message: str = "") -> None:
        self._lives.pop(pod.key, None)
        self._write(
            pod, status.finished(pod, self._now(), succeeded=succeeded, reason=reason, message=message)
        )
        if self._cluster.tracer.on:
            self._cluster.tracer.emit(
                PodFinished(
                    pod=pod.key, node=pod.spec.node_name, phase="Succeeded" if succeeded else "Failed"
                )
            )

    def _refuse(self, pod: Pod, message: str) -> None:
        self._events.warn(pod, FAILED_TO_START, message)
        self._write(pod, replace(pod.status, reason=FAILED_TO_START, message=message))

    def _remove(self, pod: Pod) -> None:
        metadata = pod.metadata
        if self._find(pod.key) is not None:
            self._api.delete("Pod", metadata.namespace, metadata.name, by=self.name, grace_seconds=0)

    def _write(self, pod: Pod, new: PodStatus) -> None:
        current = self._find(pod.key)
        if current is not None:
            self._api.update_status(replace(current, status=new), by=self.name)

    def _now(self) -> Time:
        return now(self._wall_us())


def _has_future(pod: Pod) -> bool:
    """Whether the kubelet has anything to do for a bound pod."""
    if pod.status.phase == PENDING or pod.metadata.deletion_timestamp is not None:
        return True
    if is_finished(pod):
        return False
    return pod.spec.active_deadline_seconds is not None or has_annotations(pod)


def _ends_well(pod: Pod, run: int) -> bool:
    try:
        return exit_code_of(pod, run) == 0
    except AnnotationError:
        return True


def _after(now_us: int, delay_us: int | None) -> int | None:
    return None if delay_us is None else now_us + delay_us


def _is_due(moment: int | None, now_us: int) -> bool:
    return moment is not None and moment <= now_us
