"""All that is wrong with a value that does not fit its type, each fault with its path."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import inspect

from scheduler_core.api.decode import decode_hook, describe
from scheduler_core.api.field_path import FieldPath, MapKey, format_path
from scheduler_core.api.hints import quantity_hint
from scheduler_core.api.meta import KubeStruct
from scheduler_core.api.quantity import Quantity
from scheduler_core.errors import DECODE


class Fault(NamedTuple):
    """One thing wrong in an object: where, with what value, and why."""

    path: FieldPath
    value: Any
    type: str
    message: str
    field: str = ""
    hint: str = ""


def explain(value: Any, type_: type[KubeStruct]) -> Iterator[Fault]:
    """Yields every place where a plain value without nulls does not fit a type."""
    yield from _check(value, _type_info(type_), ())


def unknown_fields(value: Any, type_: type[KubeStruct]) -> Iterator[FieldPath]:
    """Yields the path of every field that the Kubernetes type does not have, where we know all it has."""
    yield from _unknown(value, _type_info(type_), ())


def unknown_field(path: FieldPath) -> Fault:
    """Returns the fault of a field that Kubernetes does not know."""
    return Fault(path, path[-1], DECODE, f'strict decoding error: unknown field "{format_path(path)}"')


@functools.cache
def _type_info(type_: type[KubeStruct]) -> inspect.Type:
    return inspect.type_info(type_)


def _check(value: Any, info: inspect.Type, path: FieldPath) -> Iterator[Fault]:
    if isinstance(info, inspect.UnionType):
        yield from _check_union(value, info, path)
    elif isinstance(info, inspect.StructType):
        if isinstance(value, dict):
            for field in info.fields:
                if field.encode_name in value:
                    yield from _check(value[field.encode_name], field.type, (*path, field.encode_name))
        else:
            yield _mismatch(path, value, "an object")
    elif isinstance(info, inspect.DictType):
        if isinstance(value, dict):
            for key, item in value.items():
                yield from _check(item, info.value_type, (*path, MapKey(key)))
        else:
            yield _mismatch(path, value, "an object")
    elif isinstance(info, inspect.VarTupleType):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from _check(item, info.item_type, (*path, index))
        else:
            yield _mismatch(path, value, "a list")
    else:
        yield from _check_scalar(value, info, path)


def _check_scalar(value: Any, info: inspect.Type, path: FieldPath) -> Iterator[Fault]:
    if isinstance(info, inspect.IntType):
        if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
            yield _mismatch(path, value, _integer_name(info))
        elif (info.ge is not None and value < info.ge) or (info.le is not None and value > info.le):
            yield Fault(
                path, value, DECODE, f"expected {_integer_name(info)}, the number is out of its range"
            )
    elif isinstance(info, inspect.CustomType):
        try:
            decode_hook(info.cls, value)
        except ValueError as error:
            hint = quantity_hint(value) if info.cls is Quantity else ""
            yield Fault(path, value, DECODE, str(error), hint=hint)
    elif isinstance(info, inspect.BoolType):
        if not isinstance(value, bool):
            yield _mismatch(path, value, "a boolean")
    elif isinstance(info, inspect.FloatType):
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield _mismatch(path, value, "a number")
    elif isinstance(info, inspect.StrType) and not isinstance(value, str):
        yield _mismatch(path, value, "a string")


def _check_union(value: Any, info: inspect.UnionType, path: FieldPath) -> Iterator[Fault]:
    """Unions are "T or absent" and "integer or string"; null never comes here."""
    types = [member for member in info.types if not isinstance(member, inspect.NoneType)]
    if len(types) == 1:
        yield from _check(value, types[0], path)
        return
    faults = [list(_check(value, member, path)) for member in types]
    if all(faults):
        yield faults[0][0] if isinstance(value, int) else _mismatch(path, value, "an integer or a string")


def _mismatch(path: FieldPath, value: Any, expected: str) -> Fault:
    message = f"expected {expected}, got {describe(value)}"
    if expected == "a string" and isinstance(value, bool | int | float):
        message += ": quote it"
    return Fault(path, value, DECODE, message)


def _integer_name(info: inspect.IntType) -> str:
    return "an integer (int32)" if info.le == 2**31 - 1 else "an integer (int64)"


def _unknown(value: Any, info: inspect.Type, path: FieldPath) -> Iterator[FieldPath]:
    if isinstance(info, inspect.UnionType):
        for member in info.types:
            yield from _unknown(value, member, path)
    elif isinstance(info, inspect.VarTupleType) and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unknown(item, info.item_type, (*path, index))
    elif isinstance(info, inspect.StructType) and isinstance(value, dict):
        others: frozenset[str] | None = getattr(info.cls, "other_fields", None)
        known = {field.encode_name: field for field in info.fields}
        for name, item in value.items():
            if name in known:
                yield from _unknown(item, known[name].type, (*path, name))
            elif others is not None and name not in others:
                yield (*path, name)
