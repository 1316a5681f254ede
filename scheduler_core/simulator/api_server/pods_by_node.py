"""Which pods are on a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.object_store import ObjectStore


class PodsByNode:
    """Follows a store from the moment that somebody asks; a run in which nobody does pays nothing."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._pods: dict[str, dict[tuple[str, str], None]] | None = None

    def on(self, node_name: str) -> list[Pod]:
        """Returns the pods bound to a node, in order of (namespace, name)."""
        keys = sorted(self._known().get(node_name, ()))
        return [pod for key in keys if (pod := self._store.get("Pod", *key)) is not None]

    def _known(self) -> dict[str, dict[tuple[str, str], None]]:
        if self._pods is None:
            self._pods = {}
            for pod in self._store.list("Pod"):
                self._on_event("Pod", None, pod)
            self._store.listen(self._on_event)
        return self._pods

    def _on_event(self, kind: str, old: Any, new: Any) -> None:
        if kind != "Pod" or self._pods is None:
            return
        before = old.spec.node_name if old is not None else ""
        after = new.spec.node_name if new is not None else ""
        if before == after:
            return
        metadata = (new or old).metadata
        key = (metadata.namespace, metadata.name)
        if before:
            self._pods.get(before, {}).pop(key, None)
        if after:
            self._pods.setdefault(after, {})[key] = None
