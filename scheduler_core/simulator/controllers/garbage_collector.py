"""What nobody owns any more goes, and owners wait for their dependents where they are told to.

An owner that was never seen (the dump does not list it) is taken to be there.

Source: pkg/controller/garbagecollector/{garbagecollector,graph_builder}.go, attemptToDeleteItem, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scheduler_core.api.kinds import KINDS, object_key
from scheduler_core.simulator.api_server.deletion import FOREGROUND, ORPHAN
from scheduler_core.simulator.controllers.base import ControllerBase
from scheduler_core.simulator.controllers.event_recorder import EventRecorder

if TYPE_CHECKING:
    from scheduler_core.api.meta import OwnerReference
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue


class GarbageCollector(ControllerBase):
    """Deletes dependents of what is gone; takes finalizers away that wait for dependents."""

    name = "garbage-collector-controller"
    kind = ""
    kinds = frozenset(info.kind for info in KINDS)

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        super().__init__(cluster, queue)
        self._gone: set[str] = set()
        self._waiting: dict[str, str] = {}
        self._events = EventRecorder(cluster, self.name)

    def start(self) -> None:
        """Takes what is there for balanced."""

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Has looked at the dependents of what is gone, and at what waits for its dependents."""
        if new is None:
            self._on_gone(old)
        elif new.metadata.deletion_timestamp is not None and _waits(new):
            key = _key(new)
            self._waiting[new.metadata.uid] = key
            self._queue.enqueue(key)
        elif self._gone and old is None and self._has_gone_owner(new):
            self._queue.enqueue(_key(new))

    def sync(self, key: str) -> None:
        """Brings one object on its way."""
        kind, _, rest = key.partition("/")
        namespace, _, name = rest.rpartition("/")
        object_ = self._api.get(kind, namespace, name)
        if object_ is None:
            return
        metadata = object_.metadata
        if metadata.deletion_timestamp is not None and ORPHAN in metadata.finalizers:
            self._orphan_dependents(object_)
        elif metadata.deletion_timestamp is not None and FOREGROUND in metadata.finalizers:
            self._await_dependents(object_)
        elif metadata.deletion_timestamp is None and metadata.owner_references:
            self._attempt_to_delete(object_)

    def _on_gone(self, old: Any) -> None:
        uid = old.metadata.uid
        self._waiting.pop(uid, None)
        for owner in old.metadata.owner_references:
            if owner.uid in self._waiting:
                self._queue.enqueue(self._waiting[owner.uid])
        self._gone.add(uid)
        for dependent in tuple(self._api.owned_by(uid)):
            if dependent is not None:  # it is itself, on its way out of the store
                self._queue.enqueue(_key(dependent))

    def _has_gone_owner(self, object_: Any) -> bool:
        return any(owner.uid in self._gone for owner in object_.metadata.owner_references)

    def _orphan_dependents(self, object_: Any) -> None:
        uid = object_.metadata.uid
        for dependent in tuple(self._api.owned_by(uid)):
            self._write_owners(
                dependent, tuple(own for own in dependent.metadata.owner_references if own.uid != uid)
            )
        self._drop_finalizer(object_, ORPHAN)

    def _await_dependents(self, object_: Any) -> None:
        """Deletes the dependents; the object itself goes once none is left that it has to wait for."""
        uid = object_.metadata.uid
        dependents = [own for own in self._api.owned_by(uid) if own.metadata.uid != uid]
        blocking = [own for own in dependents if _blocks(own, uid)]
        if not blocking:
            self._drop_finalizer(object_, FOREGROUND)
            return
        for dependent in dependents:
            if dependent.metadata.deletion_timestamp is None:
                self._queue.enqueue(_key(dependent))

    def _attempt_to_delete(self, object_: Any) -> None:
        metadata = object_.metadata
        solid, dangling, waiting = self._sorted_owners(metadata.owner_references, metadata.namespace)
        if solid:
            if dangling or waiting:
                self._write_owners(object_, tuple(solid))
            return
        if not dangling and not waiting:
            return
        how = "Background"
        if waiting and any(own.metadata.uid != metadata.uid for own in self._api.owned_by(metadata.uid)):
            object_ = self._broken_cycle(object_)
            how = "Foreground"
        self._api.delete(
            object_.kind,
            metadata.namespace,
            metadata.name,
            by=self.name,
            propagation=how,
            uid=metadata.uid,
        )

    def _sorted_owners(
        self, owners: tuple[OwnerReference, ...], namespace: str
    ) -> tuple[list[OwnerReference], list[OwnerReference], list[OwnerReference]]:
        """Owners that are there, that are gone, and that wait for their dependents to go."""
        solid: list[OwnerReference] = []
        dangling: list[OwnerReference] = []
        waiting: list[OwnerReference] = []
        for owner in owners:
            if owner.uid in self._gone:
                dangling.append(owner)
                continue
            found = self._api.get(owner.kind, namespace, owner.name) or self._api.get(
                owner.kind, "", owner.name
            )
            is_waiting = (
                found is not None
                and found.metadata.uid == owner.uid
                and found.metadata.deletion_timestamp is not None
                and FOREGROUND in found.metadata.finalizers
            )
            (waiting if is_waiting else solid).append(owner)
        return solid, dangling, waiting

    def _broken_cycle(self, object_: Any) -> Any:
        """An object whose dependent is one of those that wait for it blocks nobody from now on."""
        uid = object_.metadata.uid
        circular = [own for own in self._api.owned_by(uid) if own.metadata.uid in self._waiting]
        if not circular:
            return object_
        names = ", ".join(f"{own.kind}/{own.metadata.name}" for own in circular)
        message = (
            f"owner references form a cycle: {names} waits for its dependent and depends on it; "
            "the dependent no longer blocks its owner"
        )
        self._events.warn(object_, "OwnerCycle", message)
        owners = tuple(replace(own, block_owner_deletion=False) for own in object_.metadata.owner_references)
        changed = self._write_owners(object_, owners)
        for owner in owners:
            if owner.uid in self._waiting:
                self._queue.enqueue(self._waiting[owner.uid])
        return changed

    def _write_owners(self, object_: Any, owners: tuple[OwnerReference, ...]) -> Any:
        metadata = replace(object_.metadata, owner_references=owners)
        return self._api.update(replace(object_, metadata=metadata), by=self.name)

    def _drop_finalizer(self, object_: Any, finalizer: str) -> None:
        kept = tuple(own for own in object_.metadata.finalizers if own != finalizer)
        self._api.update(replace(object_, metadata=replace(object_.metadata, finalizers=kept)), by=self.name)


def _key(object_: Any) -> str:
    return object_key(object_.kind, object_.metadata.namespace, object_.metadata.name)


def _waits(object_: Any) -> bool:
    finalizers = object_.metadata.finalizers
    return FOREGROUND in finalizers or ORPHAN in finalizers


def _blocks(dependent: Any, uid: str) -> bool:
    return any(own.uid == uid and own.block_owner_deletion for own in dependent.metadata.owner_references)
