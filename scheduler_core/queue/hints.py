"""Which events are worth another attempt for a pod: QueueingHints by profile.

Source: pkg/scheduler/backend/queue/scheduling_queue.go, isPodWorthRequeuing, v1.34.1
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from scheduler_core.framework.cluster_event import ClusterEvent, QueueingHint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scheduler_core.framework.cluster_event import QueueingHintFn
    from scheduler_core.framework.types import QueuedPodInfo
    from scheduler_core.queue.active_queue import InFlightEvent


class QueueingStrategy(IntEnum):
    """Where a pod goes after an event."""

    SKIP = 0
    AFTER_BACKOFF = 1
    IMMEDIATELY = 2


class RegisteredHint(NamedTuple):
    """An event that a plugin of a profile registered, and how it judges it (None: it always helps)."""

    event: ClusterEvent
    plugin: str
    hint: QueueingHintFn | None


class QueueingHints:
    """The registrations of all profiles."""

    __slots__ = ("_by_profile", "_interested")

    def __init__(self, by_profile: Mapping[str, Sequence[RegisteredHint]]) -> None:
        self._by_profile = by_profile
        self._interested: dict[ClusterEvent, dict[str, list[RegisteredHint]]] = {}

    def is_of_interest(self, event: ClusterEvent) -> bool:
        """Whether any plugin registered for the event."""
        return event.is_wildcard or bool(self._registered_for(event))

    def events_of(self, scheduler_name: str, plugin: str) -> tuple[ClusterEvent, ...]:
        """The events that a plugin registered."""
        hints = self._by_profile.get(scheduler_name, ())
        return tuple(registered.event for registered in hints if registered.plugin == plugin)

    def strategy(self, queued: QueuedPodInfo, event: ClusterEvent, old: Any, new: Any) -> QueueingStrategy:
        """What an event means for a pod, by the hints of the plugins that refused it."""
        rejectors = queued.unschedulable_plugins | queued.pending_plugins
        if not rejectors:
            return QueueingStrategy.AFTER_BACKOFF
        if event.is_wildcard:
            is_for_other = new is not None and new.metadata.uid != queued.uid
            return QueueingStrategy.SKIP if is_for_other else QueueingStrategy.AFTER_BACKOFF
        strategy = QueueingStrategy.SKIP
        pod = queued.pod_info.pod
        for registered in self._registered_for(event).get(pod.spec.scheduler_name, ()):
            if registered.plugin not in rejectors:
                continue
            if registered.hint is not None and registered.hint(pod, old, new) == QueueingHint.SKIP:
                continue
            if registered.plugin in queued.pending_plugins:
                return QueueingStrategy.IMMEDIATELY
            strategy = QueueingStrategy.AFTER_BACKOFF
        return strategy

    def _registered_for(self, event: ClusterEvent) -> dict[str, list[RegisteredHint]]:
        """The registrations that match an event, by profile; profiles without any are left out."""
        found = self._interested.get(event)
        if found is None:
            found = {}
            for profile, hints in self._by_profile.items():
                matching = [registered for registered in hints if registered.event.matches(event)]
                if matching:
                    found[profile] = matching
            self._interested[event] = found
        return found

    def strategy_in_flight(self, queued: QueuedPodInfo, events: Iterable[InFlightEvent]) -> QueueingStrategy:
        """What the events during an attempt mean for the pod that comes back from it."""
        if not queued.unschedulable_plugins and not queued.pending_plugins:
            return QueueingStrategy.AFTER_BACKOFF
        strategies = (self.strategy(queued, event, old, new) for event, old, new in events)
        return max(strategies, default=QueueingStrategy.SKIP)
