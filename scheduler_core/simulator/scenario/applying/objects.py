"""Edits of objects as such: apply, merge patch, delete, label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import encode_object, without_nulls
from scheduler_core.api.kinds import find_kind
from scheduler_core.api.node import Node
from scheduler_core.api.scrubbing import scrub
from scheduler_core.simulator.api_server.validity import checked
from scheduler_core.simulator.scenario.applying.three_way import three_way
from scheduler_core.simulator.scenario.references import Reference, parse_reference

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.scenario import edits

EDIT: Final = "edit"
"""Who writes, where the trace asks."""
_SERVER_S: Final = (
    "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "managedFields", "selfLink",
)  # fmt: skip

LastApplied = dict[Reference, Any]
"""What was written of an object the last time."""


def apply(api: ApiServer, edit: edits.Apply, last_applied: LastApplied) -> None:
    """Creates what is not there, and changes what is."""
    for raw in edit.objects:
        apply_object(api, raw, last_applied)


def apply_object(api: ApiServer, raw: Mapping[str, Any], last_applied: LastApplied) -> None:
    """Creates or changes one object."""
    written = without_nulls(raw)
    scrub(written)
    metadata = written.get("metadata", {})
    written["metadata"] = {name: item for name, item in metadata.items() if name not in _SERVER_S}
    status = written.get("status")
    if written["kind"] != "Node":
        written.pop("status", None)
    place = place_of(written)
    current = api.get(*place) if place.name else None
    if current is None:
        api.create(checked(written), by=EDIT)
    else:
        plain = encode_object(current)
        last = last_applied.get(place)
        spec = {name: item for name, item in written.items() if name != "status"}
        merged = three_way(last, {**plain}, spec)
        merged["metadata"] |= {"resourceVersion": "", "uid": current.metadata.uid}
        api.replace(merged, by=EDIT)
        if isinstance(current, Node) and status:
            _set_node_status(api, place, three_way(None, plain.get("status"), status))
    last_applied[place] = written


def merge_patch(api: ApiServer, edit: edits.MergePatch) -> None:
    """Merges a patch into an object, and for a node into its status too."""
    place = parse_reference(edit.object)
    api.patch(*place, {name: item for name, item in edit.patch.items() if name != "status"}, by=EDIT)
    status = edit.patch.get("status")
    if place.kind == "Node" and isinstance(status, dict):
        current = encode_object(api.require(*place)).get("status")
        _set_node_status(api, place, three_way(None, current, without_nulls(status)))


def delete(api: ApiServer, edit: edits.Delete) -> None:
    """Deletes an object."""
    api.delete(
        *parse_reference(edit.object),
        by=EDIT,
        grace_seconds=edit.grace_seconds,
        propagation=edit.propagation,
    )


def label(api: ApiServer, edit: edits.Label) -> None:
    """Sets and removes labels."""
    labels: dict[str, Any] = {**edit.labels, **dict.fromkeys(edit.remove)}
    api.patch(*parse_reference(edit.object), {"metadata": {"labels": labels}}, by=EDIT)


def place_of(raw: Mapping[str, Any]) -> Reference:
    """Returns which object a plain one is."""
    metadata = raw.get("metadata") or {}
    info = find_kind(str(raw.get("apiVersion", "")), str(raw.get("kind", "")))
    namespaced = info is not None and info.namespaced
    namespace = str(metadata.get("namespace") or "default") if namespaced else ""
    return Reference(str(raw.get("kind")), namespace, str(metadata.get("name") or ""))


def _set_node_status(api: ApiServer, place: Reference, status: Any) -> None:
    """A node's status is its kubelet's; here the edit speaks for it."""
    node = api.require(*place)
    wanted = checked({**encode_object(node), "status": status})
    api.update_status(msgspec.structs.replace(node, status=wanted.status), by=EDIT)  # type: ignore[union-attr]
