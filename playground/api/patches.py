"""Two ways to say what is to change in an object: JSON merge patch (RFC 7396) and JSON patch (RFC 6902)."""

from __future__ import annotations

import copy
from typing import Any

from playground.api.errors import UnprocessableError

MERGE_PATCH, JSON_PATCH = "application/merge-patch+json", "application/json-patch+json"
MAX_OPERATIONS = 1000
NEEDS = {
    "add": ("value",),
    "remove": (),
    "replace": ("value",),
    "move": ("from",),
    "copy": ("from",),
    "test": ("value",),
}


def merge_patched(target: Any, patch: Any) -> Any:
    """Returns a value with a merge patch applied: null takes a field away, lists are replaced whole.

    Args:
        target: JSON; not changed.
        patch: JSON.
    """
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge_patched(result.get(name), value)
    return result


def json_patched(target: Any, operations: Any) -> Any:
    """Returns a value with the operations of a JSON patch applied, all or none.

    Args:
        target: JSON; not changed.
        operations: of the patch.

    Raises:
        UnprocessableError: an operation cannot be done; it says which.
    """
    if not isinstance(operations, list) or len(operations) > MAX_OPERATIONS:
        raise UnprocessableError(f"A JSON patch is a list of at most {MAX_OPERATIONS} operations.")
    document = [copy.deepcopy(target)]
    for number, operation in enumerate(operations):
        try:
            _apply(document, operation)
        except _Impossible as error:
            raise UnprocessableError(f"Operation {number} of the JSON patch: {error}") from None
    if not document:
        raise UnprocessableError("The JSON patch takes the whole object away; DELETE does that.")
    return document[0]


class _Impossible(Exception):
    """Why an operation cannot be done."""


def _apply(document: list[Any], operation: Any) -> None:
    if not isinstance(operation, dict) or operation.get("op") not in NEEDS:
        raise _Impossible(f"op must be one of {', '.join(NEEDS)}.")
    name = operation["op"]
    missing = [field for field in ("path", *NEEDS[name]) if field not in operation]
    if missing:
        raise _Impossible(f"{name} needs {missing[0]}.")
    path = _keys(operation["path"])
    if name == "test":
        if _get(document, path) != operation["value"]:
            raise _Impossible(f"{operation['path']} is not what the test says.")
        return
    if name in ("remove", "replace"):
        _take(document, path)
    value = operation.get("value")
    if name in ("move", "copy"):
        source = _keys(operation["from"])
        if name == "move" and path[: len(source)] == source and path != source:
            raise _Impossible("a value cannot be moved into itself.")
        value = copy.deepcopy(_get(document, source))
        if name == "move":
            _take(document, source)
    if name != "remove":
        _put(document, path, value)


def _keys(pointer: Any) -> list[str]:
    """Returns a JSON pointer's parts; the document itself is the one item of a list, hence the leading 0."""
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise _Impossible("a path is a JSON pointer, like /spec/replicas.")
    return ["0", *(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])]


def _get(document: Any, keys: list[str]) -> Any:
    for key in keys:
        if isinstance(document, dict) and key in document:
            document = document[key]
        elif isinstance(document, list):
            document = document[_index(document, key, len(document) - 1)]
        else:
            raise _Impossible(f"there is no {key!r} in the path.")
    return document


def _index(items: list[Any], key: str, last: int) -> int:
    if not (key.isascii() and key.isdigit() and len(key) < 8) or (key != "0" and key[0] == "0"):
        raise _Impossible(f"{key!r} is no index of a list.")
    if int(key) > last:
        raise _Impossible(f"the list has no item {key}.")
    return int(key)


def _take(document: list[Any], keys: list[str]) -> None:
    holder, key = _get(document, keys[:-1]), keys[-1]
    if isinstance(holder, list):
        holder.pop(_index(holder, key, len(holder) - 1))
    elif isinstance(holder, dict) and key in holder:
        del holder[key]
    else:
        raise _Impossible(f"there is no {key!r} in the path.")


def _put(document: list[Any], keys: list[str], value: Any) -> None:
    holder, key = _get(document, keys[:-1]), keys[-1]
    if len(keys) == 1:
        document[:] = [value]
    elif isinstance(holder, list):
        holder.insert(len(holder) if key == "-" else _index(holder, key, len(holder)), value)
    elif isinstance(holder, dict):
        holder[key] = value
    else:
        raise _Impossible(f"{key!r} cannot be put there.")
