"""What controllers say of objects: the events that `kubectl get events` shows.

Source: client-go/tools/record/event.go, k8s.io/client-go v0.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.kinds import object_key
from scheduler_core.trace.events import EventRecorded

if TYPE_CHECKING:
    from scheduler_core.simulator.controllers.interface import Cluster


class EventRecorder:
    """Writes events to the trace; the same one in a row about an object is written once."""

    def __init__(self, cluster: Cluster, by: str) -> None:
        self._tracer = cluster.tracer
        self._by = by
        self._last: dict[str, tuple[str, str]] = {}

    def warn(self, object_: Any, reason: str, message: str) -> None:
        """Says that something is not as it should be."""
        self._record(object_, reason, message, warning=True)

    def tell(self, object_: Any, reason: str, message: str) -> None:
        """Says that something has happened."""
        self._record(object_, reason, message, warning=False)

    def _record(self, object_: Any, reason: str, message: str, *, warning: bool) -> None:
        metadata = object_.metadata
        key = object_key(object_.kind, metadata.namespace, metadata.name)
        if self._last.get(key) == (reason, message):
            return
        self._last[key] = (reason, message)
        if self._tracer.on:
            self._tracer.emit(
                EventRecorded(object=key, by=self._by, reason=reason, message=message, warning=warning)
            )
