"""Claims and volumes as the scheduler assumes them to be, until the API server says something newer.

Upstream keeps a copy of what the informer said and puts assumed objects over it; here the lister is asked
each time, and an assumed object counts as long as the lister still has the object it was made from.

Source: pkg/scheduler/util/assumecache/assume_cache.go, AssumeCache, and
pkg/scheduler/framework/plugins/volumebinding/assume_cache.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from scheduler_core.api.storage import PersistentVolume, PersistentVolumeClaim
from scheduler_core.plugins.helper.volumes import volume_class

if TYPE_CHECKING:
    from scheduler_core.framework.interface import ObjectLister

T = TypeVar("T", PersistentVolume, PersistentVolumeClaim)


class _Assumed(NamedTuple):
    """An assumed object and the one in the API server that it replaces."""

    object: PersistentVolume | PersistentVolumeClaim
    replaces: PersistentVolume | PersistentVolumeClaim


class AssumeCache(Generic[T]):
    """Objects of one kind by (namespace, name); volumes have the namespace ""."""

    __slots__ = ("_assumed", "_lister", "kind")

    def __init__(self, lister: ObjectLister, kind: str) -> None:
        self.kind = kind
        self._lister = lister
        self._assumed: dict[tuple[str, str], _Assumed] = {}

    def get(self, namespace: str, name: str) -> T | None:
        """The object as it is assumed to be, or None if there is none."""
        current = self.get_from_api(namespace, name)
        key = (namespace, name)
        assumed = self._assumed.get(key)
        if assumed is None:
            return current
        if assumed.replaces is not current and assumed.replaces != current:
            del self._assumed[key]
            return current
        found: T = assumed.object  # type: ignore[assignment]
        return found

    def get_from_api(self, namespace: str, name: str) -> T | None:
        """The object as the API server has it, or None."""
        found: T | None = self._lister.get(self.kind, namespace, name)
        return found

    def objects(self) -> list[T]:
        """All objects as they are assumed to be, in order of (namespace, name)."""
        found: list[T] = list(self._lister.list(self.kind))
        if self._assumed:
            found = [self.get(item.metadata.namespace, item.metadata.name) or item for item in found]
        return found

    def assume(self, item: T) -> bool:
        """Takes ``item`` for true.

        Returns: whether the API server has an object that it can replace
        """
        metadata = item.metadata
        current = self.get_from_api(metadata.namespace, metadata.name)
        if current is None:
            return False
        self._assumed[metadata.namespace, metadata.name] = _Assumed(item, current)
        return True

    def restore(self, item: T) -> None:
        """Goes back to what the API server says of ``item``."""
        self._assumed.pop((item.metadata.namespace, item.metadata.name), None)


def volumes_of_class(cache: AssumeCache[PersistentVolume], class_name: str) -> list[PersistentVolume]:
    """The volumes of a storage class, in order of their names."""
    return [volume for volume in cache.objects() if volume_class(volume) == class_name]
