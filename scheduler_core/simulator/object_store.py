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
        self.resource_version = 0

    def listen(self, listener: Listener) -> None:
        """Has ``listener`` told of every change, in the order of the changes."""
        self._listeners.append(listener)

    def get(self, kind: str, namespace: str, name: str) -> Any | None:
        """The object, or None; cluster-scoped kinds have the namespace ``""``."""
        return self._objects.get(kind, {}).get((namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]:
        """Objects of a kind in order of (namespace, name), of one namespace or of all."""
        objects = self._objects.get(kind, {})
        return [objects[key] for key in sorted(objects) if namespace is None or key[0] == namespace]

    def namespace_labels(self, namespace: str) -> Mapping[str, str]:
        """Labels of a namespace; empty if it does not exist."""
        found = self.get("Namespace", "", namespace)
        return found.metadata.labels if found is not None else _NO_LABELS

    def put(self, kind: str, object_: Any) -> Any:
        """Creates or replaces an object.

        Returns: the object as stored, with its resource version
        """
        self.resource_version += 1
        metadata = msgspec.structs.replace(object_.metadata, resource_version=str(self.resource_version))
        stored = msgspec.structs.replace(object_, metadata=metadata)
        objects = self._objects.setdefault(kind, {})
        key = (metadata.namespace, metadata.name)
        old = objects.get(key)
        objects[key] = stored
        for listener in self._listeners:
            listener(kind, old, stored)
        return stored

    def delete(self, kind: str, namespace: str, name: str) -> Any | None:
        """Deletes an object at once.

        Returns: what it was, or None if there was none
        """
        old = self._objects.get(kind, {}).pop((namespace, name), None)
        if old is not None:
            self.resource_version += 1
            for listener in self._listeners:
                listener(kind, old, None)
        return old
