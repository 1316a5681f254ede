"""Who owns what: objects by the uid of an owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.simulator.object_store import ObjectStore


class OwnerIndex:
    """Follows a store from the moment that somebody asks; a run in which nobody does pays nothing."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._dependents: dict[str, dict[tuple[str, str, str], None]] | None = None

    def owned_by(self, uid: str, kind: str | None = None) -> Iterable[Any]:
        """Objects that name ``uid`` as an owner, in order of (kind, namespace, name)."""
        found = self._known().get(uid, {})
        for key in sorted(found):
            if kind is None or key[0] == kind:
                yield self._store.get(*key)

    def _known(self) -> dict[str, dict[tuple[str, str, str], None]]:
        if self._dependents is None:
            self._dependents = {}
            for info in KINDS:
                for object_ in self._store.list(info.kind):
                    self._on_event(info.kind, None, object_)
            self._store.listen(self._on_event)
        return self._dependents

    def _on_event(self, kind: str, old: Any, new: Any) -> None:
        before = old.metadata.owner_references if old is not None else ()
        after = new.metadata.owner_references if new is not None else ()
        if before is after or before == after:
            return
        assert self._dependents is not None
        metadata = (new or old).metadata
        key = (kind, metadata.namespace, metadata.name)
        for owner in before:
            self._dependents.get(owner.uid, {}).pop(key, None)
        for owner in after:
            self._dependents.setdefault(owner.uid, {})[key] = None
