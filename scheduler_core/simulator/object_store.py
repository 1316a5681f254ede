"""The API server's stand-in: objects, resource versions, and watch events in order.

Edits and controllers write here; the scheduler's event handlers and the controllers listen here. No other way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Listener = Callable[[str, Any, Any], None]
    """(kind, old object or None, new object or None)"""

_NO_LABELS: Final[dict[str, str]] = {}


class ObjectStore:
    """Kind → (namespace, name) → object. Objects are immutable; a write replaces them."""

    def __init__(self) -> None:
        self._objects: dict[str, dict[tuple[str, str], Any]] = {}
        self._listeners: list[Listener] = []
        self._sorted: dict[tuple[str, str | None], tuple[Any, ...]] = {}
        self.resource_version = 0

    def copy(self) -> ObjectStore:
        """A store with the same objects, to which nobody listens."""
        other = ObjectStore()
        other._objects = {kind: dict(objects) for kind, objects in self._objects.items()}
        other._sorted = dict(self._sorted)
        other.resource_version = self.resource_version
        return other

    def listen(self, listener: Listener) -> None:
        """Has ``listener`` told of every change, in the order of the changes."""
        self._listeners.append(listener)

    def get(self, kind: str, namespace: str, name: str) -> Any | None:
        """The object, or None; cluster-scoped kinds have the namespace ``""``."""
        return self._objects.get(kind, {}).get((namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]:
        """Objects of a kind in order of (namespace, name), of one namespace or of all."""
        found = self._sorted.get((kind, namespace))
        if found is None:
            objects = self._objects.get(kind, {})
            keys = objects if namespace is None else [key for key in objects if key[0] == namespace]
            found = self._sorted[kind, namespace] = tuple(map(objects.__getitem__, sorted(keys)))
        return found

    def namespace_labels(self, namespace: str) -> Mapping[str, str]:
        """Labels of a namespace; empty if it does not exist."""
        found = self.get("Namespace", "", namespace)
        return found.metadata.labels if found is not None else _NO_LABELS

    def put(self, kind: str, object_: Any, **changes: Any) -> Any:
        """Creates or replaces an object, with ``changes`` of its fields.

        Returns: the object as stored, with its resource version
        """
        self.resource_version += 1
        metadata = msgspec.structs.replace(object_.metadata, resource_version=str(self.resource_version))
        stored = msgspec.structs.replace(object_, metadata=metadata, **changes)
        objects = self._objects.setdefault(kind, {})
        key = (metadata.namespace, metadata.name)
        old = objects.get(key)
        objects[key] = stored
        self._forget_sorted(kind, metadata.namespace)
        for listener in self._listeners:
            listener(kind, old, stored)
        return stored

    def delete(self, kind: str, namespace: str, name: str) -> Any | None:
        """Deletes an object at once.

        Returns: what it was, or None if there was none
        """
        old = self._objects.get(kind, {}).pop((namespace, name), None)
        if old is not None:
            self._forget_sorted(kind, namespace)
            self.resource_version += 1
            for listener in self._listeners:
                listener(kind, old, None)
        return old

    def _forget_sorted(self, kind: str, namespace: str) -> None:
        self._sorted.pop((kind, None), None)
        self._sorted.pop((kind, namespace), None)
