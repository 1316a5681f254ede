"""The cluster as a run left it, in plain objects: what the run changed is written into what was imported.

Fields that no type of ours holds come back as they came.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from scheduler_core.api.decode import encode_object
from scheduler_core.api.defaulting import default_object
from scheduler_core.api.kinds import KINDS
from scheduler_core.api.unread import is_noted

if TYPE_CHECKING:
    from scheduler_core.api.collect import LoadedObject
    from scheduler_core.simulator.object_store import ObjectStore

_OWN_NAMESPACES: Final = frozenset({"default", "kube-system"})


def end_state(loaded: Iterable[LoadedObject], store: ObjectStore) -> list[dict[str, Any]]:
    """Returns the objects of a store: those that were loaded first, in their order, then those the run made.

    Args:
        loaded: what the run began with.
        store: the run's.
    """
    result, known = [], set()
    for item in loaded:
        before = default_object(item.object)
        metadata = before.metadata
        place = (item.kind, metadata.namespace, metadata.name)
        after = store.get(*place)
        known.add(place)
        if after is not None:
            version = metadata.resource_version
            after = replace(after, metadata=replace(after.metadata, resource_version=version))
            result.append(_patched(item.raw, encode_object(before), encode_object(after)))
    for info in KINDS:
        for obj in store.list(info.kind):
            metadata = obj.metadata
            is_ours = info.kind == "Namespace" and metadata.name in _OWN_NAMESPACES
            if (info.kind, metadata.namespace, metadata.name) not in known and not is_ours:
                result.append(encode_object(obj))
    return result


def _patched(raw: Any, before: Any, after: Any) -> Any:
    """Returns a plain value with the difference between two of its typed forms applied."""
    if before == after:
        return raw
    if isinstance(raw, dict) and isinstance(before, dict) and isinstance(after, dict):
        patched = {name: item for name, item in raw.items() if name in after or name not in before}
        for name, item in after.items():
            if name not in before:
                patched[name] = item
            elif before[name] != item:
                patched[name] = _patched(raw.get(name), before[name], item)
        template = patched.get("template")
        if isinstance(template, dict) and not is_noted(template):  # other fields than those that came
            patched["template"] = after["template"]
        return patched
    if _same_length(raw, before, after):
        return [_patched(*items) for items in zip(raw, before, after, strict=True)]
    return after


def _same_length(*values: Any) -> bool:
    return all(isinstance(value, list | tuple) for value in values) and len({*map(len, values)}) == 1
