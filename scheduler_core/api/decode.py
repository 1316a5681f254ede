"""From plain JSON values to the types, and back.

`decode_object` is the fast way and stops at the first fault; `explain` walks the value and finds them all.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from scheduler_core.api.kinds import KubeObject, Untyped, find_kind
from scheduler_core.api.meta import KubeStruct, Time, parse_time
from scheduler_core.api.quantity import Quantity, parse_quantity

T = TypeVar("T")


def convert(value: Any, type_: type[T]) -> T:
    """Returns a plain value without nulls as a type of ours.

    Raises:
        msgspec.ValidationError: at the first fault.
    """
    return msgspec.convert(value, type_, dec_hook=decode_hook)


def decode_object(raw: Mapping[str, Any]) -> KubeObject:
    """Returns the typed object of a plain one, nulls allowed; kinds without a type become `Untyped`.

    Raises:
        msgspec.ValidationError: at the first fault.
    """
    value = without_nulls(raw)
    info = find_kind(value.get("apiVersion", ""), value.get("kind", ""))
    return convert_object(value, info.type if info else Untyped)


def decode_json_object(data: bytes) -> KubeObject:
    """Returns the typed object of a JSON text: `decode_object` of what it says, without the plain object between.

    Raises:
        msgspec.DecodeError: at the first fault.
    """
    info = None
    if _NULL not in data:
        head = _HEAD.decode(data)
        info = find_kind(head.api_version, head.kind)
    if info is None:
        return decode_object(msgspec.json.decode(data))
    found: KubeObject = _decoder(info.type).decode(data)
    return found


class _Head(KubeStruct, frozen=True, kw_only=True):
    """What says which type an object has."""

    api_version: str = ""
    kind: str = ""


_NULL = b"null"
_HEAD = msgspec.json.Decoder(_Head)


@functools.cache
def _decoder(type_: type[KubeObject]) -> msgspec.json.Decoder[KubeObject]:
    return msgspec.json.Decoder(type_, dec_hook=decode_hook)


def convert_object(value: dict[str, Any], type_: type[KubeObject]) -> KubeObject:
    """Returns a plain object without nulls as the type of its kind."""
    if type_ is Untyped:
        return convert({**value, "content": value}, Untyped)
    return convert(value, type_)


def encode_object(obj: KubeObject) -> dict[str, Any]:
    """Returns the plain form of a typed object; what its type does not hold is not in it."""
    if isinstance(obj, Untyped):
        return {**obj.content, "metadata": to_plain(obj.metadata)}
    return {"apiVersion": obj.api_version, "kind": obj.kind, **to_plain(obj)}


def to_plain(value: KubeStruct) -> dict[str, Any]:
    """Returns the JSON value of a struct, fields at their default left out."""
    result: dict[str, Any] = msgspec.to_builtins(value, enc_hook=encode_hook)
    return result


def decode_hook(type_: Any, value: Any) -> Any:
    """Reads the types msgspec does not know; those of other packages say how by `from_json`."""
    if type_ is Quantity:
        return parse_quantity(value)
    if type_ is Time:
        if not isinstance(value, str):
            raise ValueError(f"expected a time as text, got {describe(value)}")
        return parse_time(value)
    return type_.from_json(value)


def encode_hook(value: Any) -> Any:
    """Writes the types msgspec does not know."""
    if isinstance(value, Quantity | Time):
        return str(value)
    raise NotImplementedError(type(value))


def without_nulls(value: Any) -> Any:
    """Returns a copy in which a field or item that is null is absent."""
    kind = type(value)
    if kind is str or kind is int:
        return value
    if kind is dict or isinstance(value, Mapping):
        return {
            key: item if type(item) is str else without_nulls(item)
            for key, item in value.items()
            if item is not None
        }
    if isinstance(value, list | tuple):
        return [without_nulls(item) for item in value if item is not None]
    return value


def drop_nulls(value: Any) -> None:
    """Takes the fields and items that are null out of a value whose parts are not shared, in place."""
    pending = [value]
    while pending:
        node = pending.pop()
        children: Any
        if type(node) is dict:
            children = node.values()
            if None in children:
                for key in [key for key, item in node.items() if item is None]:
                    del node[key]
        elif type(node) is list:
            if None in node:
                node[:] = [item for item in node if item is not None]
            children = node
        else:
            continue
        for child in children:
            kind = type(child)
            if kind is dict or kind is list:
                pending.append(child)


def describe(value: Any) -> str:
    """Returns what a JSON value is, in a word or two."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list | tuple) else "an object"


def fields_of(type_: type[KubeStruct]) -> Iterator[tuple[str, str]]:
    """Yields the attribute and the JSON name of each field."""
    yield from zip(type_.__struct_fields__, type_.__struct_encode_fields__, strict=True)
