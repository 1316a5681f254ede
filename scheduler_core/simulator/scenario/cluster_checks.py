"""What is wrong with edits of a given cluster: names that are neither there nor made by an edit before.

Pods, and what controllers make, may come and go during a run, so that they are looked for when their edit is due.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.explain import Fault
from scheduler_core.api.kinds import find_kind
from scheduler_core.errors import NOT_FOUND
from scheduler_core.simulator.scenario import edits
from scheduler_core.simulator.scenario.references import ZONE, parse_reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scheduler_core.api.kinds import KubeObject

_MADE_BY_CONTROLLERS: Final = frozenset(
    {"Pod", "ReplicaSet", "Job", "PersistentVolume", "PersistentVolumeClaim"}
)
_NO_SUCH: Final = "neither in the cluster nor made by an edit before"


def check_against(
    numbered: Sequence[tuple[int, edits.AnyEdit]], objects: Iterable[KubeObject]
) -> Iterator[tuple[int, Fault]]:
    """Yields faults with the number of their edit.

    Args:
        numbered: edits in the order of their times.
        objects: of the cluster as the run begins.
    """
    known: set[tuple[str, str, str]] = set()
    labels: list[Mapping[str, str]] = []
    for object_ in objects:
        metadata = object_.metadata
        info = find_kind(object_.api_version, object_.kind)
        namespaced = info is not None and info.namespaced
        namespace = (metadata.namespace or "default") if namespaced else ""
        known.add((object_.kind, namespace, metadata.name))
        if object_.kind == "Node":
            labels.append(metadata.labels)
    open_names = False
    for index, edit in numbered:
        for fault in _faults(edit, known, labels, open_names=open_names):
            yield index, fault
        open_names = open_names or (isinstance(edit, edits.AddNodes) and not edit.name)
        _learn(edit, known, labels)


def _faults(
    edit: edits.AnyEdit,
    known: set[tuple[str, str, str]],
    labels: list[Mapping[str, str]],
    *,
    open_names: bool,
) -> Iterator[Fault]:
    if isinstance(edit, edits.NodeEdit):
        for number, name in enumerate(edit.nodes):
            if ("Node", "", name) not in known and not open_names:
                yield Fault(("nodes", number), name, NOT_FOUND, f"no node of that name: {_NO_SUCH}")
        if edit.zone and not any(own.get(ZONE) == edit.zone for own in labels):
            yield Fault(("zone",), edit.zone, NOT_FOUND, f"no node has the label {ZONE}={edit.zone}")
        if edit.selector and not any(edit.selector.items() <= own.items() for own in labels):
            text = ",".join(f"{key}={value}" for key, value in sorted(edit.selector.items()))
            yield Fault(("selector",), text, NOT_FOUND, "no node has these labels")
    elif isinstance(edit, edits.AddNodes):
        if ("Node", "", edit.like) not in known and not open_names:
            yield Fault(("like",), edit.like, NOT_FOUND, f"no node of that name: {_NO_SUCH}")
    elif isinstance(edit, _WITH_OBJECT):
        reference = parse_reference(edit.object)
        if reference.kind not in _MADE_BY_CONTROLLERS and tuple(reference) not in known:
            if reference.kind == "Node" and open_names:
                return
            message = f"no {reference.kind} of that name: {_NO_SUCH}"
            yield Fault(("object",), edit.object, NOT_FOUND, message)


_WITH_OBJECT: Final = (
    edits.MergePatch,
    edits.Delete,
    edits.Scale,
    edits.SetImage,
    edits.SetRequests,
    edits.SetTarget,
    edits.Label,
)


def _learn(edit: edits.AnyEdit, known: set[tuple[str, str, str]], labels: list[Mapping[str, str]]) -> None:
    """Notes what an edit adds."""
    if isinstance(edit, edits.Apply):
        for raw in edit.objects:
            known.add(_place(raw))
            if raw.get("kind") == "Node":
                labels.append((raw.get("metadata") or {}).get("labels") or {})
    elif isinstance(edit, edits.AddNodes):
        labels.append(edit.labels)
        if edit.name:
            # The numbers begin after the highest that is taken, so that none beyond these is made.
            for number in range(1, len(known) + edit.count + 2):
                known.add(("Node", "", edit.name.replace("{n}", str(number))))
    elif isinstance(edit, edits.Label) and edit.labels:
        labels.append(edit.labels)
    elif isinstance(edit, edits.Observe):
        known.add(_place(edit.object))
        if edit.object.get("kind") == "Node":
            labels.append((edit.object.get("metadata") or {}).get("labels") or {})


def _place(raw: Mapping[str, Any]) -> tuple[str, str, str]:
    metadata = raw.get("metadata") or {}
    info = find_kind(str(raw.get("apiVersion", "")), str(raw.get("kind", "")))
    namespaced = info is not None and info.namespaced
    namespace = str(metadata.get("namespace") or "default") if namespaced else ""
    return str(raw.get("kind")), namespace, str(metadata.get("name"))
