"""The two walks: one to find every text, one to put the new ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler_core.api.batch import Job
from scheduler_core.api.decode import convert, encode_object, to_plain, without_nulls
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.kinds import KubeObject, Untyped, object_key
from scheduler_core.api.pod import Pod, PodTemplateSpec
from scheduler_core.api.redaction.tokens import new_texts
from scheduler_core.api.redaction.walk import Walk
from scheduler_core.api.workloads import ControllerRevision, StatefulSet

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
        numbered: list[StatefulSet] = []
        for obj in objects:
            if isinstance(obj, Untyped):
                continue
            finder.object(obj.kind, _plain(obj))
            if isinstance(obj, Pod):
                derived.update(_derived_claims(obj))
            elif isinstance(obj, StatefulSet):
                numbered.append(obj)
        kept = frozenset(text for text in keep if not _NOT_IN_NAMES.search(text))
        self.names = new_texts(self._texts, kept)
        self._name_numbered(numbered)
        for claim, (pod, volume) in derived.items():
            if claim in self.names:
                self.names[claim] = f"{self.names[pod]}-{self.names[volume]}"
        self._writer = Walk(self.names.__getitem__)

    def _name_numbered(self, stateful_sets: Iterable[StatefulSet]) -> None:
        """Names the pods of stateful sets, and their claims, after their sets again: controllers know them by that."""
        by_name = {own.metadata.name: own for own in stateful_sets}
        for text in self._texts:
            head, hyphen, number = text.rpartition("-")
            if not hyphen or not number.isdecimal():
                continue
            if head in by_name:
                self.names[text] = f"{self.names[head]}-{number}"
                continue
            for name, own in by_name.items():
                for template in own.spec.volume_claim_templates:
                    if head == f"{template.metadata.name}-{name}":
                        new = self.names[template.metadata.name]
                        self.names[text] = f"{new}-{self.names[name]}-{number}"

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
    if not metadata.uid and isinstance(obj, Job):
        obj = default_object(obj)  # its selector follows from the uid too
    elif not metadata.uid and obj.kind in ("PersistentVolume", "PersistentVolumeClaim", "Pod"):
        namespace = (metadata.namespace or "default") if obj.kind != "PersistentVolume" else ""
        uid = "uid-" + object_key(obj.kind, namespace, metadata.name).replace("/", "-", 1)
        obj = msgspec.structs.replace(obj, metadata=msgspec.structs.replace(metadata, uid=uid))
    if isinstance(obj, ControllerRevision):
        obj = msgspec.structs.replace(obj, data=_template_only(obj.data))
    return encode_object(obj)


def _template_only(data: dict[str, Any]) -> dict[str, Any]:
    """What a revision holds of the fields that scheduling reads; of other kinds of sets, nothing."""
    template = (data.get("spec") or {}).get("template")
    if not isinstance(template, dict):
        return {}
    patch = {name: item for name, item in template.items() if name == "$patch"}
    return {"spec": {"template": {**to_plain(convert(without_nulls(template), PodTemplateSpec)), **patch}}}


def _derived_claims(pod: Pod) -> dict[str, tuple[str, str]]:
    """The names of claims made for ephemeral volumes, which follow from the pod's name and the volume's."""
    name = pod.metadata.name
    return {
        f"{name}-{volume.name}": (name, volume.name)
        for volume in pod.spec.volumes
        if volume.ephemeral is not None
    }
