"""Paths of fields as Kubernetes writes them: spec.containers[0].resources.requests[cpu]."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias


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


def without(value: Any, paths: Iterable[FieldPath]) -> Any:
    """Returns a copy of a plain value in which the fields at some paths are absent; items of lists stay."""
    copy = value
    for path in paths:
        if path and isinstance(path[-1], str):
            copy = _without(copy, path)
    return copy


def _without(value: Any, path: FieldPath) -> Any:
    first, rest = path[0], path[1:]
    if isinstance(value, dict) and first in value:
        if not rest:
            return {key: inner for key, inner in value.items() if key != first}
        return {**value, first: _without(value[first], rest)}
    if isinstance(value, list) and isinstance(first, int) and first < len(value):
        return [*value[:first], _without(value[first], rest), *value[first + 1 :]]
    return value
