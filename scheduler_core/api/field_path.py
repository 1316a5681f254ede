"""Paths of fields as Kubernetes writes them: spec.containers[0].resources.requests[cpu]."""

from __future__ import annotations

from typing import TypeAlias


class MapKey(str):
    """The key of a map entry, as against the name of a field."""

    __slots__ = ()


FieldPath: TypeAlias = tuple[str | int, ...]


def format_path(path: FieldPath) -> str:
    """Returns the path as text: fields after dots, indexes and map keys in brackets."""
    text = ""
    for part in path:
        if isinstance(part, int | MapKey):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text
