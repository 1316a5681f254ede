"""The two walks: one to find every text, one to put the new ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler_core.api.decode import encode_object
from scheduler_core.api.kinds import KubeObject, Untyped, object_key
from scheduler_core.api.pod import Pod
from scheduler_core.api.redaction.tokens import new_texts
from scheduler_core.api.redaction.walk import Walk

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9.-]")


class Redaction:
    """New names for a cluster, and its objects under them.

    Args:
        objects: all that are to go together, also those of later steps; defaults need not be filled in.
        keep: texts that stay, such as those a scheduler configuration mentions.
    """

    def __init__(self, objects: Iterable[KubeObject], keep: Iterable[str] = ()) -> None:
        self._texts: set[str] = set()
        finder = Walk(self._find)
        derived: dict[str, tuple[str, str]] = {}
        for obj in objects:
            if isinstance(obj, Untyped):
                continue
            finder.object(obj.kind, _plain(obj))
            if isinstance(obj, Pod):
                derived.update(_derived_claims(obj))
        kept = frozenset(text for text in keep if not _NOT_IN_NAMES.search(text))
        self.names = new_texts(self._texts, kept)
        for claim, (pod, volume) in derived.items():
            if claim in self.names:
                self.names[claim] = f"{self.names[pod]}-{self.names[volume]}"
        self._writer = Walk(self.names.__getitem__)

    def _find(self, text: str) -> str:
        self._texts.add(text)
        return text

    def redacted(self, obj: KubeObject) -> dict[str, Any] | None:
        """Returns the plain form of one of the objects under its new name, or None where it cannot be shown."""
        if isinstance(obj, Untyped):
            return None
        return self._writer.object(obj.kind, _plain(obj))

    def key(self, key: str) -> str:
        """Returns the new name of "Kind/namespace/name" or "namespace/name"."""
        kind, *names = key.split("/") if key[:1].isupper() else ["", *key.split("/")]
        renamed = "/".join(self.names.get(name, name) for name in names)
        return f"{kind}/{renamed}" if kind else renamed


def _plain(obj: KubeObject) -> dict[str, Any]:
    """The plain form with a uid: one that follows from the name must go on to mean the same object."""
    metadata = obj.metadata
    if not metadata.uid and obj.kind in ("PersistentVolume", "PersistentVolumeClaim", "Pod"):
        namespace = (metadata.namespace or "default") if obj.kind != "PersistentVolume" else ""
        uid = "uid-" + object_key(obj.kind, namespace, metadata.name).replace("/", "-", 1)
        obj = msgspec.structs.replace(obj, metadata=msgspec.structs.replace(metadata, uid=uid))
    return encode_object(obj)


def _derived_claims(pod: Pod) -> dict[str, tuple[str, str]]:
    """The names of claims made for ephemeral volumes, which follow from the pod's name and the volume's."""
    name = pod.metadata.name
    return {
        f"{name}-{volume.name}": (name, volume.name)
        for volume in pod.spec.volumes
        if volume.ephemeral is not None
    }
