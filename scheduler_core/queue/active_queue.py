"""activeQ with the pods in flight and the events that happened meanwhile.

Source: pkg/scheduler/backend/queue/active_queue.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scheduler_core.queue.heap import PodHeap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from scheduler_core.framework.cluster_event import ClusterEvent
    from scheduler_core.framework.types import QueuedPodInfo


class InFlightEvent(NamedTuple):
    """A cluster event with the objects it is about."""

    event: ClusterEvent
    old: Any
    new: Any


class ActiveQueue:
    """Pods to be tried next, and those being tried.

    Every event is kept once, in a list that grows while pods are in flight; a pod in flight remembers where the
    list ended when it was popped.
    """

    __slots__ = ("_events", "_first_event", "_in_flight", "heap")

    def __init__(self, sort_key: Callable[[QueuedPodInfo], tuple[int, ...]]) -> None:
        self.heap = PodHeap(sort_key)
        self._in_flight: dict[str, int] = {}
        self._events: list[InFlightEvent] = []
        self._first_event = 0

    @property
    def in_flight(self) -> Iterable[str]:
        """Uids of the pods being tried."""
        return self._in_flight.keys()

    def take(self, queued: QueuedPodInfo) -> None:
        """Puts a popped pod in flight."""
        self._in_flight[queued.uid] = self._first_event + len(self._events)

    def is_in_flight(self, uid: str) -> bool:
        """Whether the pod is being tried."""
        return uid in self._in_flight

    def events_of(self, uid: str) -> Sequence[InFlightEvent]:
        """Events since the pod was popped.

        Raises:
            KeyError: the pod is not in flight.
        """
        return self._events[self._in_flight[uid] - self._first_event :]

    def add_event(self, event: ClusterEvent, old: Any, new: Any) -> None:
        """Keeps an event if any pod is in flight."""
        if self._in_flight:
            self._events.append(InFlightEvent(event, old, new))

    def done(self, uid: str) -> None:
        """Ends a pod's flight and drops the events that nobody in flight can need."""
        if self._in_flight.pop(uid, None) is None:
            return
        if not self._in_flight:
            self._first_event += len(self._events)
            self._events.clear()
            return
        oldest = min(self._in_flight.values())
        del self._events[: oldest - self._first_event]
        self._first_event = oldest
