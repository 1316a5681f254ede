"""A namespace that is deleted takes along all that is in it, and goes when that has gone.

Source: pkg/controller/namespace/deletion/namespaced_resources_deleter.go, Delete, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scheduler_core.api.kinds import KINDS
from scheduler_core.simulator.controllers.base import ControllerBase

if TYPE_CHECKING:
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

NAMESPACED = tuple(info.kind for info in KINDS if info.namespaced)


class NamespaceController(ControllerBase):
    """Empties namespaces."""

    name = "namespace-controller"
    kind = "Namespace"
    kinds = frozenset({"Namespace", *NAMESPACED})

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._terminating: set[str] = set()

    def start(self) -> None:
        """Comes on: from now on a namespace is emptied before it goes."""
        self._api.empties_namespaces = True
        super().start()

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has a namespace looked at that is being deleted, again whenever something in it has gone."""
        if kind == self.kind:
            if new is None:
                self._terminating.discard(old.metadata.name if old is not None else "")
            elif new.metadata.deletion_timestamp is not None:
                self._terminating.add(new.metadata.name)
                self._queue.enqueue(new.metadata.name)
        elif new is None and old is not None and old.metadata.namespace in self._terminating:
            self._queue.enqueue(old.metadata.namespace)

    def sync(self, key: str) -> None:
        """Deletes what is in the namespace; takes the finalizer away when there is nothing."""
        namespace = self._api.get(self.kind, "", key)
        if namespace is None or namespace.metadata.deletion_timestamp is None:
            return
        left = 0
        for kind in NAMESPACED:
            for object_ in tuple(self._api.list(kind, key)):
                left += 1
                if object_.metadata.deletion_timestamp is None:
                    self._api.delete(kind, key, object_.metadata.name, by=self.name, propagation="Background")
        if left == 0:
            spec = replace(namespace.spec, finalizers=())
            self._api.update(replace(namespace, spec=spec), by=self.name)
