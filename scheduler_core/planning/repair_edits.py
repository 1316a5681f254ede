"""Changes that repair as edits of a scenario: what one would do with kubectl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.decode import encode_object
from scheduler_core.api.pod import Pod, PodStatus
from scheduler_core.planning.new_nodes import new_node_edits
from scheduler_core.planning.trial import key_of
from scheduler_core.simulator.api_server.merge_patch import merge_patch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.planning.changes import Change
    from scheduler_core.planning.what_if import End

_RESIZABLE: Final = frozenset({"cpu", "memory"})
_PATCHABLE: Final = frozenset({"tolerations", "gates"})
"""What the API server lets be changed of a pod that waits."""
_replace = msgspec.structs.replace


def edits_of(changes: Sequence[Change], end: End, key: str, at: str = "") -> tuple[dict[str, Any], ...]:
    """The changes as edits.

    A pod that waits can be resized, tolerate more and lose its gates; for anything else of its spec it is replaced.

    Args:
        changes: all of them
        end: of the run that goes on with these edits
        key: the pod to be repaired, as namespace/name
        at: when, since the start of the run; at once by default
    """
    own = [change for change in changes if change.object.startswith("Pod/")]
    edits = [edit for change in changes if change not in own for edit in _edits(change, end)]
    edits += _of_the_pod(own, end.pods[key])
    return tuple({**edit, "at": at} for edit in edits) if at else tuple(edits)


def _edits(change: Change, end: End) -> Iterator[dict[str, Any]]:
    for key in change.evict:
        yield {"kind": "delete", "object": f"Pod/{key}", "graceSeconds": 0}
    if change.add_like:
        yield from new_node_edits(end, change.add_like, 1, "")
    elif change.kind == "uncordon":
        yield {"kind": "uncordon", "nodes": [change.object.partition("/")[2]]}
    elif change.kind == "labels":
        labels = change.patch["metadata"]["labels"]
        given = {key: value for key, value in labels.items() if value is not None}
        taken = [key for key, value in labels.items() if value is None]
        fields = {"labels": given, "remove": taken}
        yield {
            "kind": "label",
            "object": change.object,
            **{key: value for key, value in fields.items() if value},
        }


def _of_the_pod(changes: Sequence[Change], pod: Pod) -> list[dict[str, Any]]:
    edits: list[dict[str, Any]] = []
    for change in changes:
        resized = _resized(change, pod) if change.kind == "requests" else None
        if resized is not None:
            edits += resized
        elif change.kind in _PATCHABLE:
            edits.append({"kind": "mergePatch", "object": change.object, "patch": change.patch})
        else:
            return _replaced(changes, pod)
    return edits


def _resized(change: Change, pod: Pod) -> list[dict[str, Any]] | None:
    """A lower request as a resize; None where a resource cannot be resized."""
    edits = []
    before = encode_object(pod)["spec"]["containers"]
    for old, new in zip(before, change.patch["spec"]["containers"], strict=True):
        fields = {}
        for field in ("requests", "limits"):
            own = old.get("resources", {}).get(field, {})
            wanted = new.get("resources", {}).get(field, {})
            changed = {name: amount for name, amount in wanted.items() if own.get(name) != amount}
            if not changed.keys() <= _RESIZABLE:
                return None
            if changed:
                fields[field] = changed
        if fields:
            edits.append({"kind": "setRequests", "object": change.object, "container": new["name"], **fields})
    return edits


def _replaced(changes: Sequence[Change], pod: Pod) -> list[dict[str, Any]]:
    metadata = _replace(pod.metadata, uid="", resource_version="", generation=0, creation_timestamp=None)
    raw = encode_object(_replace(pod, metadata=metadata, status=PodStatus()))
    for change in changes:
        raw = merge_patch(raw, change.patch)
    return [
        {"kind": "delete", "object": f"Pod/{key_of(pod)}", "graceSeconds": 0},
        {"kind": "apply", "objects": [raw]},
    ]
