"""Which events are worth another attempt for a pod: QueueingHints by profile.

Source: pkg/scheduler/backend/queue/scheduling_queue.go, isPodWorthRequeuing, v1.34.1
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scheduler_core.framework.cluster_event import ClusterEvent, QueueingHint, event_names

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


_HINT_NAMES: Final = {QueueingHint.QUEUE: "Queue", QueueingHint.SKIP: "QueueSkip"}


class Cause(NamedTuple):
    """What moves a pod: the event's label, what the plugins say of it, and the event during an attempt that told."""

    event: str
    hints: dict[str, str] = {}
    in_flight_event: str = ""


class RegisteredHint(NamedTuple):
    """An event that a plugin of a profile registered, and how it judges it (None: it always helps)."""

    event: ClusterEvent
    plugin: str
    hint: QueueingHintFn | None


class QueueingHints:
    """The registrations of all profiles."""

    __slots__ = ("_by_profile", "_interested", "_plugins")

    def __init__(self, by_profile: Mapping[str, Sequence[RegisteredHint]]) -> None:
        self._by_profile = by_profile
        self._interested: dict[ClusterEvent, dict[str, list[RegisteredHint]]] = {}
        self._plugins: dict[ClusterEvent, frozenset[str]] = {}

    def is_of_interest(self, event: ClusterEvent) -> bool:
        """Whether any plugin registered for the event."""
        return event.is_wildcard or bool(self._registered_for(event))

    def plugins_interested_in(self, event: ClusterEvent) -> frozenset[str]:
        """Names of the plugins that registered for the event, in any profile."""
        found = self._plugins.get(event)
        if found is None:
            registrations = self._registered_for(event).values()
            found = frozenset(registered.plugin for hints in registrations for registered in hints)
            self._plugins[event] = found
        return found

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

    def said(self, queued: QueuedPodInfo, event: ClusterEvent, old: Any, new: Any) -> dict[str, str]:
        """What each plugin that refused the pod says of an event: "Queue" or "QueueSkip".

        Asked again, for the trace alone, of pods that move: so the many that stay cost nothing more.
        """
        rejectors = queued.unschedulable_plugins | queued.pending_plugins
        pod = queued.pod_info.pod
        said: dict[str, str] = {}
        for registered in self._registered_for(event).get(pod.spec.scheduler_name, ()):
            if registered.plugin not in rejectors or said.get(registered.plugin) == "Queue":
                continue
            hint = QueueingHint.QUEUE if registered.hint is None else registered.hint(pod, old, new)
            said[registered.plugin] = _HINT_NAMES[hint]
        return said

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

    def strategy_in_flight(
        self, queued: QueuedPodInfo, events: Iterable[InFlightEvent]
    ) -> tuple[QueueingStrategy, InFlightEvent | None]:
        """What the events during an attempt mean for the pod that comes back from it, and which of them told."""
        if not queued.unschedulable_plugins and not queued.pending_plugins:
            return QueueingStrategy.AFTER_BACKOFF, None
        best, told = QueueingStrategy.SKIP, None
        for in_flight in events:
            strategy = self.strategy(queued, *in_flight)
            if strategy > best:
                best, told = strategy, in_flight
        return best, told

    def waits_for(self) -> dict[str, tuple[str, ...]]:
        """Plugin → the events that it registered, in words; profiles with the same plugin register the same."""
        events: dict[str, list[ClusterEvent]] = {}
        for hints in self._by_profile.values():
            for registered in hints:
                events.setdefault(registered.plugin, []).append(registered.event)
        return {plugin: event_names(found) for plugin, found in events.items()}
