"""Fields that Kubernetes does not know: a quick look whether there are any, for imports of many objects."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import inspect

from scheduler_core.api.explain import unknown_fields
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.kinds import KubeObject, Untyped

MAX_LISTED = 50
"""How many different unknown fields are told of."""


class _Shape(NamedTuple):
    """The fields a structure may have, if they are known, and those that hold structures again."""

    known: frozenset[str] | None
    inner: tuple[tuple[str, bool, _Shape], ...]


class UnknownFields:
    """Collects the unknown fields of many objects: each once, with how often it was seen and where first."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], tuple[int, str]] = {}

    def look(self, value: dict[str, Any], kind: str, type_: type[KubeObject], label: str) -> None:
        """Looks at an object whose fields have the right types."""
        if type_ is Untyped or not _has_unknown(value, _shape(type_)):
            return
        for path in unknown_fields(value, type_):
            key = (kind, _without_indexes(path))
            count, first = self._seen.get(key, (0, label))
            self._seen[key] = (count + 1, first)

    def warnings(self) -> Iterator[str]:
        """Yields a sentence for each field."""
        for number, ((_, field), (count, first)) in enumerate(self._seen.items()):
            if number == MAX_LISTED:
                yield f"{len(self._seen) - MAX_LISTED} more unknown fields are not listed"
                return
            more = f" and {count - 1} more" if count > 1 else ""
            yield f'unknown field "{field}" is not read: {first}{more}'


def _without_indexes(path: FieldPath) -> str:
    return "".join("[]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


@functools.cache
def _shape(type_: Any) -> _Shape:
    inner = []
    for field in inspect.type_info(type_).fields:  # type: ignore[attr-defined]
        found = _structure(field.type)
        if found is None:
            continue
        shape = _shape(found[1])
        if shape.known is not None or shape.inner:
            inner.append((field.encode_name, found[0], shape))
    others: frozenset[str] | None = type_.other_fields
    known = None if others is None else others | frozenset(type_.__struct_encode_fields__)
    return _Shape(known, tuple(inner))


def _structure(info: inspect.Type) -> tuple[bool, Any] | None:
    """Returns the structure a field holds, and whether it holds a list of them."""
    if isinstance(info, inspect.UnionType):
        found = [each for member in info.types if (each := _structure(member)) is not None]
        return found[0] if found else None
    if isinstance(info, inspect.VarTupleType):
        inner = _structure(info.item_type)
        return None if inner is None else (True, inner[1])
    return (False, info.cls) if isinstance(info, inspect.StructType) else None


def _has_unknown(value: dict[str, Any], shape: _Shape) -> bool:
    known, inner = shape
    if known is not None and not value.keys() <= known:
        return True
    for name, is_list, below in inner:
        child = value.get(name)
        if child:
            if not is_list:
                if _has_unknown(child, below):
                    return True
            elif any(_has_unknown(item, below) for item in child):
                return True
    return False
