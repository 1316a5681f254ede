"""What controllers have in common: the cluster, their queue, and keys of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.simulator.controllers.pod_util import within_run

if TYPE_CHECKING:
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue


class ControllerBase:
    """A controller of one kind of object; when it comes on, it looks at each that is there."""

    name: str
    kind: str
    kinds: frozenset[str]

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        self._cluster = cluster
        self._api = cluster.api
        self._queue = queue

    def start(self) -> None:
        """Takes all objects of its kind as new."""
        for object_ in self._api.list(self.kind):
            self.on_event(self.kind, None, object_)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has an object that is new or changed looked at."""
        if kind == self.kind and new is not None:
            self._queue.enqueue(key_of(new))

    def _wall_us(self) -> int:
        """Now, microseconds since 1970."""
        return self._cluster.clock.wall_us()

    def _in_run(self, moment: int | None) -> int:
        """A moment of the run, or its beginning (``within_run``)."""
        clock = self._cluster.clock
        return within_run(moment, clock.epoch_us, clock.wall_us())

    def _find(self, key: str, kind: str | None = None) -> Any | None:
        namespace, _, name = key.rpartition("/")
        return self._api.get(kind or self.kind, namespace, name)


def key_of(object_: Any) -> str:
    """Returns "namespace/name", or the name alone of what lives in no namespace."""
    metadata = object_.metadata
    return f"{metadata.namespace}/{metadata.name}" if metadata.namespace else str(metadata.name)


def owner_key(object_: Any | None, kind: str) -> str | None:
    """Returns the key of the controller of a kind that an object has."""
    if object_ is None:
        return None
    owner = object_.metadata.controller()
    if owner is None or owner.kind != kind:
        return None
    return f"{object_.metadata.namespace}/{owner.name}"
