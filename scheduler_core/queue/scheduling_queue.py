"""The scheduling queue: which pod is tried next, and where a pod waits until then.

Source: pkg/scheduler/backend/queue/scheduling_queue.go, PriorityQueue, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from scheduler_core.framework.cluster_event import (
    BACKOFF_COMPLETE_LABEL,
    FORCE_ACTIVATE,
    POD_ADD_LABEL,
    SCHEDULE_ATTEMPT_FAILURE_LABEL,
    UNSCHEDULABLE_TIMEOUT,
)
from scheduler_core.framework.types import QueuedPodInfo
from scheduler_core.queue.active_queue import ActiveQueue
from scheduler_core.queue.backoff_queue import BackoffQueue
from scheduler_core.queue.hints import Cause, QueueingStrategy
from scheduler_core.queue.nominator import Nominator
from scheduler_core.trace.events import PodDequeued, PodEnqueued

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scheduler_core.api.pod import Pod
    from scheduler_core.clock import VirtualClock
    from scheduler_core.framework.cluster_event import ClusterEvent
    from scheduler_core.framework.interface import PreEnqueuePlugin
    from scheduler_core.queue.hints import QueueingHints
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.trace.events import QueueName
    from scheduler_core.trace.sink import Tracer

POD_UPDATE_LABEL: Final = "UnscheduledPodUpdate"
_POD_ADD: Final = Cause(POD_ADD_LABEL)
_POD_UPDATE: Final = Cause(POD_UPDATE_LABEL)
_FAILURE: Final = Cause(SCHEDULE_ATTEMPT_FAILURE_LABEL)
_BACKOFF_COMPLETE: Final = Cause(BACKOFF_COMPLETE_LABEL)
_FORCE_ACTIVATE: Final = Cause(FORCE_ACTIVATE.label)


class SchedulingQueue:
    """activeQ, backoffQ and the unschedulable pods (gated ones among them). A pod stands in one of them.

    As in v1.34.1, one whose update brings two events may stand in backoffQ and among the unschedulable ones, if
    nothing is popped from backoffQ early (feature gate SchedulerPopFromBackoffQ off).
    """

    def __init__(
        self,
        clock: VirtualClock,
        tracer: Tracer,
        *,
        sort_key: Callable[[QueuedPodInfo], tuple[int, ...]],
        hints: QueueingHints,
        pre_enqueue: Mapping[str, Sequence[PreEnqueuePlugin]],
        is_nominable: Callable[[PodInfo], bool],
        initial_backoff_us: int,
        max_backoff_us: int,
        pop_from_backoff: bool = True,
    ) -> None:
        self._clock = clock
        self._tracer = tracer
        self._hints = hints
        self._pre_enqueue = pre_enqueue
        self._pop_from_backoff = pop_from_backoff
        self.active = ActiveQueue(sort_key)
        self.backoff = BackoffQueue(
            clock,
            sort_key,
            initial_us=initial_backoff_us,
            max_us=max_backoff_us,
            pop_before_end=pop_from_backoff,
        )
        self.unschedulable: dict[str, QueuedPodInfo] = {}
        self.nominator = Nominator(is_nominable)

    # Pods come, change and go.

    def add(self, pod_info: PodInfo) -> None:
        """Takes in a new pending pod."""
        self._move_to_active(QueuedPodInfo(pod_info, self._clock.now_us), _POD_ADD)

    def update(self, old: PodInfo, new: PodInfo, events: Sequence[ClusterEvent]) -> None:
        """Takes over a changed pending pod; ``events`` are what changed in it that matters to scheduling."""
        uid = new.uid
        if self.active.is_in_flight(uid):
            for event in events:
                self.active.add_event(event, old.pod, new.pod)
            return
        for heap in (self.active.heap, self.backoff):
            queued = heap.get(uid)
            if queued is not None:
                queued.pod_info = new
                heap.add(queued)
                self.nominator.update(old, new)
                return
        queued = self.unschedulable.get(uid)
        if queued is None:
            self._move_to_active(QueuedPodInfo(new, self._clock.now_us), _POD_UPDATE)
            return
        queued.pod_info = new
        self.nominator.update(old, new)
        for event in events:
            strategy = self._hints.strategy(queued, event, old.pod, new.pod)
            if strategy == QueueingStrategy.SKIP:
                self.unschedulable[uid] = queued  # again, where an event before put it into backoffQ alone
                self._count_skip(queued, event)
            elif self._requeue(queued, strategy, self._cause(queued, event, old.pod, new.pod)) and (
                self._pop_from_backoff or uid in self.active.heap
            ):
                break

    def delete(self, pod_info: PodInfo, reason: str = "deleted") -> None:
        """Drops a pod that was deleted or bound."""
        uid = pod_info.uid
        self.nominator.delete(uid)
        found = self.active.heap.delete(uid) or self.backoff.delete(uid)
        found = self.unschedulable.pop(uid, None) is not None or found
        if found and self._tracer.on:
            self._tracer.emit(
                PodDequeued(pod=pod_info.key, reason="bound" if reason == "bound" else "deleted")
            )

    def where(self, uid: str) -> tuple[QueueName | Literal[""], QueuedPodInfo | None]:
        """The queue that a pod stands in, and the pod; ("", None) for one that is in none."""
        if (queued := self.active.heap.get(uid)) is not None:
            return "active", queued
        if (queued := self.backoff.get(uid)) is not None:
            return "backoff", queued
        if (queued := self.unschedulable.get(uid)) is not None:
            return ("gated" if queued.gated else "unschedulable"), queued
        return "", None

    def waits_for(self) -> dict[str, tuple[str, ...]]:
        """Plugin → the cluster events that may help a pod it refused, in words."""
        return self._hints.waits_for()

    # The cycle takes a pod and gives it back.

    def has_next(self) -> bool:
        """Whether a pod can be popped."""
        return bool(self.active.heap) or (self._pop_from_backoff and bool(self.backoff.refused))

    def pop(self) -> QueuedPodInfo | None:
        """Takes the head of activeQ, or of backoffQ when activeQ is empty, and counts the attempt."""
        queued = self.active.heap.pop()
        if queued is None and self._pop_from_backoff:
            queued = self.backoff.refused.pop()
        if queued is None:
            return None
        queued.attempts += 1
        queued.backoff_until_us = None
        queued.unschedulable_plugins.clear()
        queued.pending_plugins.clear()
        queued.gating_plugin = ""
        self.active.take(queued)
        return queued

    def done(self, uid: str) -> None:
        """Ends the flight of a pod."""
        self.active.done(uid)

    def add_unschedulable(self, queued: QueuedPodInfo) -> None:
        """Takes back a pod whose attempt failed, to where the events since then say (AddUnschedulableIfNotPresent).

        Where a pod of the same name was created anew during the attempt, it is that one that comes back; if it
        waits already, it stays where it is.
        """
        if queued.uid != queued.pod_info.uid:
            self.active.done(queued.uid)
            queued.uid = queued.pod_info.uid
        if self.where(queued.uid)[1] is not None:
            self.active.done(queued.uid)
            return
        if queued.unschedulable_plugins or queued.pending_plugins:
            queued.unschedulable_count += 1
            queued.consecutive_errors_count = 0
        else:
            queued.consecutive_errors_count += 1
        queued.timestamp_us = self._clock.now_us
        queued.backoff_until_us = None
        strategy = (
            QueueingStrategy.AFTER_BACKOFF
        )  # also for one that failed when its flight was over: in binding
        cause = _FAILURE
        if self.active.is_in_flight(queued.uid):
            events = self.active.events_of(queued.uid)
            strategy, told = self._hints.strategy_in_flight(queued, events)
            if told is not None and self._tracer.on:
                cause = Cause(_FAILURE.event, self._hints.said(queued, *told), told.event.label)
        self._requeue(queued, strategy, cause)
        self.active.done(queued.uid)

    # Events move pods.

    def move_all(
        self,
        event: ClusterEvent,
        old: Any,
        new: Any,
        pre_check: Callable[[PodInfo], bool] | None = None,
    ) -> None:
        """Moves every unschedulable pod that ``event`` may help (MoveAllToActiveOrBackoffQueue)."""
        if not self._hints.is_of_interest(event):
            return
        queued = self.unschedulable.values()
        self._move(event, old, new, [q for q in queued if pre_check is None or pre_check(q.pod_info)])

    def assigned_pod_changed(self, event: ClusterEvent, old: Pod | None, new: Pod) -> None:
        """Does the same for a pod that was bound or changed, passing over those whose plugins have no interest in it.

        With queueing hints, v1.34.1 calls MoveAllToActiveOrBackoffQueue here, too: AssignedPodAdded and
        AssignedPodUpdated, which look for affinity terms first, are not called.
        """
        plugins = self._hints.plugins_interested_in(event)
        pods = [
            queued
            for queued in self.unschedulable.values()
            if not plugins.isdisjoint(queued.unschedulable_plugins)
            or not plugins.isdisjoint(queued.pending_plugins)
            or not (queued.unschedulable_plugins or queued.pending_plugins)
        ]
        self._move(event, old, new, pods)

    def activate(self, uid: str, pod: Pod) -> None:
        """Moves a pod to activeQ at once, or has it moved when it comes back from its attempt."""
        queued = self.unschedulable.get(uid) or self.backoff.get(uid)
        if queued is None:
            if self.active.is_in_flight(uid):
                self.active.add_event(FORCE_ACTIVATE, None, pod)
            return
        from_backoff = self.backoff.delete(uid)
        self._move_to_active(queued, _FORCE_ACTIVATE, from_backoff=from_backoff)

    def flush_backoff_completed(self) -> None:
        """Moves the pods whose backoff is over to activeQ."""
        for queued in self.backoff.pop_completed():
            self._move_to_active(queued, _BACKOFF_COMPLETE, from_backoff=True)

    def flush_unschedulable_leftover(self, max_us: int) -> None:
        """Moves the pods that were unschedulable for longer than ``max_us``."""
        now = self._clock.now_us
        old = [queued for queued in self.unschedulable.values() if now - queued.timestamp_us > max_us]
        if old:
            self._move(UNSCHEDULABLE_TIMEOUT, None, None, old)

    def _move(self, event: ClusterEvent, old: Any, new: Any, pods: Sequence[QueuedPodInfo]) -> None:
        if not (pods or self.active.in_flight) or not self._hints.is_of_interest(event):
            return
        for queued in pods:
            if queued.gated and not any(own.matches(event) for own in queued.gating_plugin_events):
                continue
            strategy = self._hints.strategy(queued, event, old, new)
            if strategy == QueueingStrategy.SKIP:
                self._count_skip(queued, event)
            else:
                self._requeue(queued, strategy, self._cause(queued, event, old, new))
        self.active.add_event(event, old, new)

    def _cause(self, queued: QueuedPodInfo, event: ClusterEvent, old: Any, new: Any) -> Cause:
        if not self._tracer.on:
            return _FAILURE  # nobody reads it
        return Cause(event.label, self._hints.said(queued, event, old, new))

    def _count_skip(self, queued: QueuedPodInfo, event: ClusterEvent) -> None:
        """Counts an event that was not worth an attempt: said once, when the pod moves, not each time."""
        if self._tracer.on:
            queued.skipped_events[event.label] = queued.skipped_events.get(event.label, 0) + 1

    # Where a pod goes.

    def _requeue(self, queued: QueuedPodInfo, strategy: QueueingStrategy, cause: Cause) -> bool:
        """Puts a pod where ``strategy`` says; whether it left the unschedulable pods."""
        if strategy == QueueingStrategy.SKIP:
            self._keep_unschedulable(queued, cause)
            return False
        if strategy == QueueingStrategy.AFTER_BACKOFF and self.backoff.is_backing_off(queued):
            return self._move_to_backoff(queued, cause)
        return self._move_to_active(queued, cause)

    def _move_to_active(self, queued: QueuedPodInfo, cause: Cause, *, from_backoff: bool = False) -> bool:
        if not (self._pop_from_backoff and from_backoff):
            self._run_pre_enqueue(queued)
        if queued.gated:
            if queued.uid not in self.unschedulable:
                self._keep_unschedulable(queued, cause)
            return False
        if queued.initial_attempt_us is None:
            queued.initial_attempt_us = self._clock.now_us
        self.unschedulable.pop(queued.uid, None)
        self.backoff.delete(queued.uid)
        self.active.heap.add(queued)
        if cause.event in (POD_ADD_LABEL, POD_UPDATE_LABEL):
            self.nominator.add(queued.pod_info, None)
        self._trace(queued, "active", cause)
        return True

    def _move_to_backoff(self, queued: QueuedPodInfo, cause: Cause) -> bool:
        if self._pop_from_backoff:
            self._run_pre_enqueue(queued)
            if queued.gated:
                if queued.uid not in self.unschedulable:
                    self._keep_unschedulable(queued, cause)
                return False
        self.unschedulable.pop(queued.uid, None)
        self.backoff.add(queued)
        self._trace(queued, "backoff", cause)
        return True

    def _keep_unschedulable(self, queued: QueuedPodInfo, cause: Cause) -> None:
        self.unschedulable[queued.uid] = queued
        self._trace(queued, "gated" if queued.gated else "unschedulable", cause)

    def _run_pre_enqueue(self, queued: QueuedPodInfo) -> None:
        scheduler_name = queued.pod_info.pod.spec.scheduler_name
        plugins = self._pre_enqueue.get(scheduler_name, ())
        for plugin in sorted(plugins, key=lambda plugin: plugin.name != queued.gating_plugin):
            status = plugin.pre_enqueue(queued.pod_info)
            if status is not None and not status.is_success:
                queued.unschedulable_plugins.add(plugin.name)
                queued.gating_plugin = plugin.name
                queued.gating_plugin_events = self._hints.events_of(scheduler_name, plugin.name)
                return
        queued.gating_plugin = ""

    def _trace(self, queued: QueuedPodInfo, queue: QueueName, cause: Cause) -> None:
        if not self._tracer.on:
            return
        self._tracer.emit(
            PodEnqueued(
                pod=queued.key,
                queue=queue,
                event=cause.event,
                priority=queued.pod_info.priority,
                attempts=queued.attempts,
                backoff_until_us=self.backoff.end_us(queued) if queue == "backoff" else None,
                plugins=tuple(sorted(queued.unschedulable_plugins | queued.pending_plugins)),
                hints=cause.hints,
                in_flight_event=cause.in_flight_event,
                skipped_events=queued.skipped_events,
            )
        )
        queued.skipped_events = {}
