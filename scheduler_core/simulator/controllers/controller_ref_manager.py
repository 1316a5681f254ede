"""Who manages what: owners take in orphans that they select, and let go what they no longer select.

Source: pkg/controller/controller_ref_manager.go, ClaimObject, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scheduler_core.api.meta import OwnerReference
from scheduler_core.api.selectors import LabelSelector, SelectorError
from scheduler_core.simulator.controllers.base import key_of, owner_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from scheduler_core.simulator.api_server.server import ApiServer


def controller_ref(owner: Any) -> OwnerReference:
    """Returns what an object says of the controller that manages it."""
    return OwnerReference(
        api_version=owner.api_version,
        kind=owner.kind,
        name=owner.metadata.name,
        uid=owner.metadata.uid,
        controller=True,
        block_owner_deletion=True,
    )


def selects(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """Returns whether a workload's selector matches; one that is empty, absent or unusable matches nothing."""
    if selector is None or selector.is_empty():
        return False
    if not selector.match_expressions:
        return selector.match_labels.items() <= labels.items()
    try:
        return selector.matches(labels)
    except SelectorError:
        return False


class ControllerRefManager:
    """Finds what the owners of one kind manage, without a look at all objects each time.

    Args:
        api: where the objects are
        kind: of the owners
        owned_kind: of what they manage
        selector_of: gives the selector of an owner
    """

    def __init__(
        self, api: ApiServer, kind: str, owned_kind: str, selector_of: Callable[[Any], LabelSelector | None]
    ) -> None:
        self._api = api
        self._kind = kind
        self._owned_kind = owned_kind
        self._selector_of = selector_of
        self._by_label: dict[tuple[str, str, str], dict[str, None]] = {}
        self._without_label: dict[str, dict[str, None]] = {}
        self._orphans: dict[str, dict[str, None]] = {}
        for object_ in api.list(owned_kind):
            self._note_orphan(object_)

    def on_owner(self, old: Any | None, new: Any | None) -> None:
        """Follows the owners' selectors."""
        if old is not None and new is not None and self._selector_of(old) == self._selector_of(new):
            return
        if old is not None:
            self._place(old).pop(key_of(old), None)
        if new is not None:
            self._place(new)[key_of(new)] = None

    def on_owned(self, old: Any | None, new: Any | None) -> Iterator[str]:
        """Yields the keys of the owners that a change concerns: before, after, and who may take an orphan in."""
        before, after = owner_key(old, self._kind), owner_key(new, self._kind)
        if before is not None and before != after:
            yield before
        if after is not None:
            yield after
        self._forget_orphan(old, new)
        if new is not None and self._note_orphan(new) and _may_be_taken(old, new):
            yield from self._selecting(new)

    def claim(self, owner: Any, *, by: str) -> list[Any]:
        """Returns what an owner manages, in order of names, after orphans were taken in and others let go."""
        uid = owner.metadata.uid
        selector = self._selector_of(owner)
        found = []
        for object_ in tuple(self._api.owned_by(uid, self._owned_kind)):
            ref = object_.metadata.controller()
            if ref is None or ref.uid != uid:
                continue
            if selects(selector, object_.metadata.labels):
                found.append(object_)
            elif owner.metadata.deletion_timestamp is None and object_.metadata.deletion_timestamp is None:
                kept = tuple(own for own in object_.metadata.owner_references if own.uid != uid)
                self._write(object_, kept, by)
            else:
                found.append(object_)
        if owner.metadata.deletion_timestamp is None:
            found += self._adopt(owner, selector, by)
        return found

    def _adopt(self, owner: Any, selector: LabelSelector | None, by: str) -> list[Any]:
        namespace = owner.metadata.namespace
        taken = []
        for name in sorted(self._orphans.get(namespace, ())):
            object_ = self._api.get(self._owned_kind, namespace, name)
            if object_ is None or object_.metadata.deletion_timestamp is not None:
                continue
            if selects(selector, object_.metadata.labels) and not _has_ended(object_):
                refs = (*object_.metadata.owner_references, controller_ref(owner))
                taken.append(self._write(object_, refs, by))
        return taken

    def _write(self, object_: Any, refs: tuple[OwnerReference, ...], by: str) -> Any:
        metadata = replace(object_.metadata, owner_references=refs)
        return self._api.update(replace(object_, metadata=metadata), by=by)

    def _selecting(self, object_: Any) -> Iterator[str]:
        namespace, labels = object_.metadata.namespace, object_.metadata.labels
        candidates = dict(self._without_label.get(namespace, {}))
        for name, value in labels.items():
            candidates |= self._by_label.get((namespace, name, value), {})
        for key in sorted(candidates):
            owner = self._api.get(self._kind, namespace, key.rpartition("/")[2])
            if owner is not None and selects(self._selector_of(owner), labels):
                yield key

    def _place(self, owner: Any) -> dict[str, None]:
        selector = self._selector_of(owner)
        namespace = owner.metadata.namespace
        if selector is not None and selector.match_labels:
            name = min(selector.match_labels)
            return self._by_label.setdefault((namespace, name, selector.match_labels[name]), {})
        return self._without_label.setdefault(namespace, {})

    def _note_orphan(self, object_: Any) -> bool:
        if object_.metadata.controller() is not None:
            return False
        self._orphans.setdefault(object_.metadata.namespace, {})[object_.metadata.name] = None
        return True

    def _forget_orphan(self, old: Any | None, new: Any | None) -> None:
        if old is not None and (new is None or new.metadata.controller() is not None):
            self._orphans.get(old.metadata.namespace, {}).pop(old.metadata.name, None)


def _may_be_taken(old: Any | None, new: Any) -> bool:
    return old is None or old.metadata.labels != new.metadata.labels or old.metadata.controller() is not None


def _has_ended(object_: Any) -> bool:
    return getattr(object_.status, "phase", "") in ("Succeeded", "Failed")
