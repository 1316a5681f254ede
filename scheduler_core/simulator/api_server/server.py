"""The API server's stand-in: who writes, writes here. Each write is admitted, checked, stored and seen at once.

Source: apiserver/pkg/registry/generic/registry/store.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import encode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.meta import Time
from scheduler_core.api.pod import Pod
from scheduler_core.api.scrubbing import noted_patch
from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.account import Account
from scheduler_core.simulator.api_server import deletion, errors, eviction, told
from scheduler_core.simulator.api_server.field_selectors import FieldSelector
from scheduler_core.simulator.api_server.immutable import check_update
from scheduler_core.simulator.api_server.merge_patch import merge_patch
from scheduler_core.simulator.api_server.names import NameGenerator
from scheduler_core.simulator.api_server.owners import OwnerIndex
from scheduler_core.simulator.api_server.pods_by_node import PodsByNode
from scheduler_core.simulator.api_server.validity import judged
from scheduler_core.trace.sink import Tracer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scheduler_core.api.kinds import KubeObject
    from scheduler_core.api.selectors import LabelSelector
    from scheduler_core.clock import VirtualClock
    from scheduler_core.errors import FieldError
    from scheduler_core.simulator.api_server.interface import Admission
    from scheduler_core.simulator.object_store import ObjectStore

_replace = msgspec.structs.replace
_NO_STATUS: Final = object()


class ApiServer:
    """Reads, writes and the subresources status, resize and eviction. Every refusal is an ApiError.

    The binding subresource is the scheduler's client's (``client.py``), which writes to the same store.

    ``by`` is who writes: a controller's name, ``edit`` or ``scheduler``; the trace tells it. ``graceful`` says
    whether somebody ends pods in their own time; else a deleted pod is gone at once. A run that has a kubelet
    (``has_kubelet``) has it come on when it is needed.
    """

    def __init__(
        self,
        store: ObjectStore,
        clock: VirtualClock,
        tracer: Tracer,
        admission: Admission,
        *,
        seed: int = 0,
    ) -> None:
        self.store = store
        self.clock = clock
        self.tracer = tracer
        self.admission = admission
        self.names = NameGenerator(seed)
        self.account = Account()
        self.graceful = False
        self.has_kubelet = False
        self.wake_kubelet: Callable[[], None] = lambda: None
        self.empties_namespaces = False
        self._owners = OwnerIndex(store)
        self._placed = PodsByNode(store)
        self._namespaces: set[str] = set()

    def rehearsal(self) -> ApiServer:
        """A server over a copy of the objects, of which nobody hears: to see whether writes would be taken."""
        store = self.store.copy()
        other = ApiServer(store, self.clock, Tracer(self.clock, None), self.admission.over(store))
        other.graceful = self.graceful
        other.empties_namespaces = self.empties_namespaces
        other._namespaces = set(self._namespaces)
        return other

    # Reads.

    def get(self, kind: str, namespace: str, name: str) -> Any | None:
        """The object, or None; cluster-scoped kinds have the namespace ``""``."""
        return self.store.get(kind, namespace, name)

    def require(self, kind: str, namespace: str, name: str) -> Any:
        """The object.

        Raises:
            ApiError: there is none.
        """
        found = self.store.get(kind, namespace, name)
        if found is None:
            raise errors.not_found(kind, name)
        return found

    def list(
        self,
        kind: str,
        namespace: str | None = None,
        *,
        labels: LabelSelector | Mapping[str, str] | None = None,
        fields: str = "",
    ) -> Iterable[Any]:
        """Objects in order of (namespace, name); None for ``namespace`` or ``labels`` selects all.

        Raises:
            ApiError: the kind cannot be selected by such a field.
        """
        found = self.store.list(kind, namespace)
        if fields:
            selector = FieldSelector(kind, fields)
            found = [object_ for object_ in found if selector.matches(object_)]
        if labels is None:
            return found
        if isinstance(labels, msgspec.Struct):
            return [object_ for object_ in found if labels.matches(object_.metadata.labels)]
        wanted = labels.items()
        return [object_ for object_ in found if wanted <= object_.metadata.labels.items()]

    def owned_by(self, uid: str, kind: str | None = None) -> Iterable[Any]:
        """Objects that name ``uid`` as an owner, in order of (kind, namespace, name)."""
        return self._owners.owned_by(uid, kind)

    def pods_on(self, node_name: str) -> Sequence[Pod]:
        """The pods bound to a node, in order of (namespace, name)."""
        return self._placed.on(node_name)

    # Writes.

    def observe(self, object_: KubeObject) -> Any:
        """Stores an object as it was found in a cluster: admitted before, with the status it came with."""
        self.names.note(object_.metadata.uid)
        self._namespaces.add(object_.metadata.namespace)
        return self.store.put(object_.kind, object_)

    def create(self, object_: KubeObject, *, by: str) -> Any:
        """Admits a new object and stores it."""
        kind = object_.kind
        metadata = object_.metadata
        if not metadata.name and metadata.generate_name:
            name = self.names.name(kind, metadata.namespace or "default", metadata.generate_name)
            object_ = _replace(object_, metadata=_replace(metadata, name=name))
        object_ = default_object(object_)
        metadata = object_.metadata
        if self.store.get(kind, metadata.namespace, metadata.name) is not None:
            raise errors.already_exists(kind, metadata.name)
        self._check_namespace(kind, metadata.namespace, metadata.name)
        now = Time(self.clock.wall_us() // MICROSECONDS * MICROSECONDS)
        object_ = _replace(object_, metadata=_replace(metadata, creation_timestamp=now, generation=1))
        try:
            admitted = self.admission.admit(object_)
        except errors.ApiError as refusal:
            self.account.refused(object_, by, refusal.message)
            told.refused(self.tracer, object_, by, refusal)
            raise
        self.account.admitted(object_)
        metadata = admitted.object.metadata
        made = _replace(admitted.object, metadata=_replace(metadata, uid=self.names.uid(metadata.uid)))
        told.created(self.tracer, made, by, admitted.fields)
        return self.store.put(kind, made)

    def update(
        self, object_: KubeObject, *, by: str, resize: bool = False, wrong: Sequence[FieldError] = ()
    ) -> Any:
        """Replaces all but the status. A stale ``resourceVersion`` is a conflict; an empty one is none.

        Args:
            object_: the new one
            by: who writes
            resize: through a pod's subresource of that name, which alone may change what containers ask for
            wrong: what is wrong with the object in itself; controllers write nothing that is wrong
        """
        old = self._current(object_)
        new = object_
        status = getattr(old, "status", _NO_STATUS)
        if status is not _NO_STATUS:
            new = _replace(new, status=status)
        metadata, before = new.metadata, old.metadata
        changes: dict[str, Any] = {
            "uid": before.uid,
            "creation_timestamp": before.creation_timestamp,
            "deletion_timestamp": before.deletion_timestamp,
            "deletion_grace_period_seconds": before.deletion_grace_period_seconds,
            "generation": before.generation,
        }
        new = default_object(_replace(new, metadata=_replace(metadata, **changes)))
        check_update(old, new, wrong, resize=resize)
        new = self.admission.admit_update(old, new)
        if getattr(old, "spec", None) != getattr(new, "spec", None):
            new = _replace(new, metadata=_replace(new.metadata, generation=before.generation + 1))
        if _same(old, new):
            return old
        told.updated(self.tracer, old, new, by)
        return self._store(old, new, by)

    def update_status(self, object_: KubeObject, *, by: str) -> Any:
        """Replaces the status only."""
        old = self._current(object_)
        status = getattr(object_, "status", None)
        if status == old.status:
            return old
        return self._store(old, _replace(old, status=status), by)

    def patch(self, kind: str, namespace: str, name: str, patch: Mapping[str, Any], *, by: str) -> Any:
        """Applies a JSON merge patch (RFC 7386) to all but the status; what comes of it has to be valid."""
        old = self.require(kind, namespace, name)
        plain = encode_object(old)
        return self.replace(merge_patch(plain, noted_patch(plain, patch)), by=by)

    def replace(self, raw: Mapping[str, Any], *, by: str, resize: bool = False) -> Any:
        """Replaces all but the status of an object by a plain one, which has to be valid."""
        metadata = raw["metadata"]
        old = self.require(raw["kind"], metadata.get("namespace", ""), metadata["name"])
        object_, wrong = judged(raw, old)
        return self.update(object_, by=by, resize=resize, wrong=wrong)

    def delete(
        self,
        kind: str,
        namespace: str,
        name: str,
        *,
        by: str,
        grace_seconds: int | None = None,
        propagation: str = "Background",
        uid: str | None = None,
        reason: str = "deleted",
    ) -> None:
        """Deletes an object, or has its deletion begin where a finalizer or a grace period stands before it."""
        object_ = self.require(kind, namespace, name)
        if uid is not None and uid != object_.metadata.uid:
            why = (
                f"Precondition failed: UID in precondition: {uid}, UID in object meta: {object_.metadata.uid}"
            )
            raise errors.conflict(kind, name, why)
        deletion.delete(self, object_, by=by, grace_seconds=grace_seconds, how=propagation, reason=reason)

    def evict(self, namespace: str, name: str, *, by: str, grace_seconds: int | None = None) -> None:
        """Deletes a pod if its disruption budget allows."""
        eviction.evict(self, namespace, name, by=by, grace_seconds=grace_seconds)

    def remove(self, object_: KubeObject, by: str, reason: str = "deleted") -> None:
        """Takes an object out of the store, whatever stands before it."""
        metadata = object_.metadata
        self.store.delete(object_.kind, metadata.namespace, metadata.name)
        if isinstance(object_, Pod):
            self.account.leaving(object_, by, reason)
        told.deleted(self.tracer, object_, by, deletion.reason_of(object_, reason))

    def _store(self, old: Any, new: Any, by: str) -> Any:
        stored = self.store.put(old.kind, new)
        if deletion.is_over(stored):
            self.remove(stored, by)
        return stored

    def _current(self, object_: KubeObject) -> Any:
        metadata = object_.metadata
        old = self.require(object_.kind, metadata.namespace, metadata.name)
        version = metadata.resource_version
        stale = version and version != old.metadata.resource_version
        if stale or (metadata.uid and metadata.uid != old.metadata.uid):
            raise errors.conflict(object_.kind, metadata.name)
        return old

    def _check_namespace(self, kind: str, namespace: str, name: str) -> None:
        """Holds what the NamespaceLifecycle plugin holds; a namespace that came with objects counts as there."""
        if not namespace:
            return
        found = self.store.get("Namespace", "", namespace)
        if found is None and namespace not in self._namespaces:
            raise errors.not_found("Namespace", namespace)
        if found is not None and found.metadata.deletion_timestamp is not None:
            why = f"unable to create new content in namespace {namespace} because it is being terminated"
            raise errors.forbidden(kind, name, why)


def _same(old: Any, new: Any) -> bool:
    version = old.metadata.resource_version
    return bool(old == _replace(new, metadata=_replace(new.metadata, resource_version=version)))
