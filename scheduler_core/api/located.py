"""Faults with their origin, and the errors they become once their place in the text is found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from scheduler_core.api.explain import Fault
from scheduler_core.api.field_path import FieldPath, format_path
from scheduler_core.api.positions import Place, locate
from scheduler_core.api.problems import Problem
from scheduler_core.errors import FieldError

_MAX_VALUE = 200


class Origin(NamedTuple):
    """Where an object came from."""

    source: int
    document: int
    path: FieldPath


class LocatedFault(NamedTuple):
    """A fault of an object, or of the text, with where to look for it."""

    origin: Origin
    fault: Fault | Problem
    object: str = ""
    container: str = ""
    other: Origin | None = None


class Text(NamedTuple):
    """A source as it is read, or a part of one: its name, its text as UTF-8, and how many lines come before."""

    name: str
    data: bytes
    line: int = 0


def place_faults(faults: Iterable[LocatedFault], texts: Sequence[Text]) -> tuple[FieldError, ...]:
    """Returns the faults as errors with their places, in the order of the texts."""
    located = list(faults)
    places = _places(located, texts)
    errors = [(fault.origin.source, _error(fault, texts, places)) for fault in located]
    errors.sort(key=lambda pair: (pair[0], pair[1].line or 0, pair[1].column or 0))
    return tuple(error for _, error in errors)


def _places(faults: Iterable[LocatedFault], texts: Sequence[Text]) -> dict[Origin, Place]:
    wanted: dict[int, dict[int, set[FieldPath]]] = {}
    for located in faults:
        origins = [] if isinstance(located.fault, Problem) else [_origin_of(located.origin, located.fault)]
        for origin in (*origins, *((located.other,) if located.other else ())):
            wanted.setdefault(origin.source, {}).setdefault(origin.document, set()).add(origin.path)
    return {
        Origin(source, document, path): (place[0] + texts[source].line, place[1])
        for source, documents in wanted.items()
        for (document, path), place in locate(texts[source].data, documents).items()
    }


def _error(located: LocatedFault, texts: Sequence[Text], places: dict[Origin, Place]) -> FieldError:
    origin, fault = located.origin, located.fault
    file = texts[origin.source].name
    if isinstance(fault, Problem):
        return FieldError(
            file=file,
            document=fault.document,
            line=None if fault.line is None else fault.line + texts[origin.source].line,
            column=fault.column,
            value=fault.value,
            type=fault.type,
            message=fault.message,
            object=located.object,
        )
    line, column = places.get(_origin_of(origin, fault), (None, None))
    message = fault.message
    if located.other is not None:
        first = places.get(located.other, (None, None))[0]
        message = f"already defined at {texts[located.other.source].name}" + (f":{first}" if first else "")
    return FieldError(
        file=file,
        document=origin.document,
        line=line,
        column=column,
        field=fault.field or format_path(fault.path),
        value=text_of(fault.value),
        type=fault.type,
        message=message,
        object=located.object,
        container=located.container,
        quoted=isinstance(fault.value, str),
        hint=fault.hint,
    )


def _origin_of(origin: Origin, fault: Fault) -> Origin:
    return origin._replace(path=(*origin.path, *fault.path))


def text_of(value: Any) -> str:
    """Returns a value as text, cut when long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= _MAX_VALUE else text[: _MAX_VALUE - 1] + "…"
