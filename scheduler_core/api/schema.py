"""What a manifest may say, read off the types: fields of each kind by path, their values, their meaning in a line."""

from __future__ import annotations

import types
import typing
from functools import cache
from typing import Any, get_args, get_origin

import msgspec

from scheduler_core.api.kinds import KINDS, Untyped
from scheduler_core.api.meanings import MEANINGS, VALUES
from scheduler_core.api.meta import KubeStruct, Time
from scheduler_core.api.quantity import Quantity


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field.

    Args:
        type: text, number, flag, quantity, time, any, or the name of a type in ``Schema.types``
        form: whether it is one, a list or a map of them
        values: what a text may be
        doc: the meaning
        is_read: whether a simulation looks at it
    """

    type: str
    form: typing.Literal["one", "list", "map"] = "one"
    values: tuple[str, ...] = ()
    doc: str = ""
    is_read: bool = True


class Kind(msgspec.Struct, frozen=True):
    """A kind: how to write its version, and the type of its objects."""

    api_version: str
    type: str
    namespaced: bool
    doc: str


class Schema(msgspec.Struct, frozen=True):
    """All kinds that are read, and the types that they are made of."""

    kinds: dict[str, Kind]
    types: dict[str, dict[str, Field]]


@cache
def manifest_schema() -> Schema:
    """Returns what manifests may say."""
    kinds: dict[str, Kind] = {}
    found: dict[str, dict[str, Field]] = {}
    for info in KINDS:
        if info.type is Untyped:
            continue
        version = f"{info.groups[0]}/" if info.groups[0] else ""
        api_version = next(
            field.default for field in msgspec.structs.fields(info.type) if field.name == "api_version"
        )
        kinds[info.kind] = Kind(
            api_version=str(api_version) or f"{version}{info.versions[0]}",
            type=info.type.__name__,
            namespaced=info.namespaced,
            doc=_first_line(info.type),
        )
        _collect(info.type, found)
    return Schema(kinds, found)


def _collect(type_: type[KubeStruct], found: dict[str, dict[str, Field]]) -> None:
    name = type_.__name__
    if name in found:
        return
    fields: dict[str, Field] = {}
    found[name] = fields
    hints = typing.get_type_hints(type_)
    for field in msgspec.structs.fields(type_):
        form, inner = _unwrapped(hints[field.name])
        key = f"{name}.{field.encode_name}"
        is_struct = isinstance(inner, type) and issubclass(inner, KubeStruct)
        fields[field.encode_name] = Field(
            type=inner.__name__ if is_struct else _word(inner),
            form=form,
            values=VALUES.get(key, ()),
            doc=MEANINGS.get(key) or (_first_line(inner) if is_struct else ""),
        )
        if is_struct:
            _collect(inner, found)
    for other in sorted(type_.other_fields or ()):
        fields.setdefault(
            other, Field(type="any", doc="Kept, and not looked at by scheduling.", is_read=False)
        )


def _unwrapped(hint: Any) -> tuple[typing.Literal["one", "list", "map"], Any]:
    """Returns a field's form and what it is one of, several of or a map to."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (typing.Union, types.UnionType):
        given = [each for each in args if each is not type(None)]
        return _unwrapped(given[0]) if len(given) == 1 else ("one", str)
    if origin is tuple:
        return "list", _unwrapped(args[0])[1]
    if origin is dict:
        return "map", _unwrapped(args[1])[1]
    return "one", hint


def _word(inner: Any) -> str:
    for type_, word in ((bool, "flag"), (Quantity, "quantity"), (Time, "time"), (str, "text")):
        if inner is type_:
            return word
    return "number" if isinstance(inner, type) and issubclass(inner, int | float) else "any"


def _first_line(type_: type) -> str:
    text = (type_.__doc__ or "").strip().split("\n\n", 1)[0]
    return " ".join(text.split())
