"""What a check changes in the cluster: objects to apply, objects to delete, and where each stands in the files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.api.field_path import FieldPath, format_path
from scheduler_core.api.located import Origin
from scheduler_core.api.positions import Place, locate
from scheduler_core.checks.verdict import Location
from scheduler_core.checks.workload_size import MAKE_PODS

if TYPE_CHECKING:
    from scheduler_core.api.collect import LoadedObject
    from scheduler_core.api.manifest import Source


class Change(NamedTuple):
    """Manifests to apply, and keys of objects to delete.

    What makes pods is applied last, so that namespaces, classes, quotas and claims are there in time, in whatever
    file they stand; otherwise the order is that of the files.

    Args:
        apply: the objects, in the order of the files.
        delete: "Kind/namespace/name".
        origins: where each object comes from, by its key.
        texts: the files, as read.
    """

    apply: tuple[LoadedObject, ...] = ()
    delete: tuple[str, ...] = ()
    origins: Mapping[str, Origin] = {}
    texts: tuple[Source, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the objects that are applied."""
        return frozenset(item.key for item in self.apply)

    @property
    def first(self) -> tuple[LoadedObject, ...]:
        """What is applied first: namespaces, then all else that makes no pods."""
        others = [item for item in self.apply if item.kind not in MAKE_PODS]
        return tuple(sorted(others, key=lambda item: item.kind != "Namespace"))

    @property
    def arriving(self) -> tuple[LoadedObject, ...]:
        """What makes pods, in the order of the files."""
        return tuple(item for item in self.apply if item.kind in MAKE_PODS)

    def find(self, key: str) -> LoadedObject | None:
        """Returns the object of the manifests with this key."""
        return next((item for item in self.apply if item.key == key), None)


class FieldRef(NamedTuple):
    """A field of an object of the manifests."""

    key: str
    path: FieldPath


def locations(change: Change, refs: Iterable[FieldRef]) -> dict[FieldRef, Location]:
    """Returns where fields stand; a field that is not there is placed at what it would be in."""
    wanted: dict[int, dict[int, dict[FieldPath, list[FieldRef]]]] = {}
    for ref in refs:
        origin = change.origins.get(ref.key)
        if origin is not None:
            path = (*origin.path, *ref.path)
            paths = wanted.setdefault(origin.source, {}).setdefault(origin.document, {})
            paths.setdefault(path, []).append(ref)
    found: dict[FieldRef, Location] = {}
    for source, documents in wanted.items():
        name, text = change.texts[source].name, change.texts[source].text
        if not isinstance(text, str | bytes):
            continue
        data = text.encode() if isinstance(text, str) else text
        for (document, at), place in locate(data, documents).items():
            for ref in documents[document].get(at, ()):
                found[ref] = _location(name, place, ref)
    return found


def _location(file: str, place: Place, ref: FieldRef) -> Location:
    return Location(file=file, line=place[0], column=place[1], field=format_path(ref.path), object=ref.key)


def in_order(change: Change, order: Sequence[int] | None) -> tuple[LoadedObject, ...]:
    """Returns the objects in the order in which they are applied.

    Args:
        change: the objects.
        order: of those that make pods; None: that of the files.
    """
    arriving = change.arriving
    return (*change.first, *(arriving if order is None else (arriving[index] for index in order)))
