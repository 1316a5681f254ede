"""Where fields stand in a source: a second reading, made only when there is something to point at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, TypeAlias

import yaml

from scheduler_core.api.documents import is_json
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.json_reader import envelope, json_texts, list_items
from scheduler_core.api.json_scanner import scan
from scheduler_core.api.problems import Lines, Problem
from scheduler_core.api.yaml_events import read_events
from scheduler_core.api.yaml_scalars import key_text, resolve_scalar

Place: TypeAlias = tuple[int, int]
_ITEMS = "items"


def locate(data: bytes, wanted: Mapping[int, Iterable[FieldPath]]) -> dict[tuple[int, FieldPath], Place]:
    """Returns line and column, from 1, of each wanted path of each document.

    A field that is not there, or came from another place by a merge key, is placed at what it would be in.
    """
    paths = {document: _with_parents(some) for document, some in wanted.items()}
    found = _locate_json(data, paths) if is_json(data) else _locate_yaml(data.decode("utf-8"), paths)
    result = {}
    for document, some in wanted.items():
        for path in some:
            for length in range(len(path), -1, -1):
                place = found.get((document, path[:length]))
                if place is not None:
                    result[document, path] = place
                    break
    return result


def _with_parents(paths: Iterable[FieldPath]) -> frozenset[FieldPath]:
    return frozenset(path[:length] for path in paths for length in range(len(path) + 1))


def _locate_json(data: bytes, wanted: Mapping[int, Set[FieldPath]]) -> dict[tuple[int, FieldPath], Place]:
    found: dict[tuple[int, FieldPath], Place] = {}
    lines = Lines(data)
    for number, (start, end) in enumerate(json_texts(data), start=1):
        if number not in wanted:
            continue
        text = data[start:end]
        for offset, prefix, piece, inner in _pieces(text, wanted[number]):
            decoded = piece.decode("utf-8")
            for path, index in scan(decoded, inner).places.items():
                place = lines.place(start + offset + len(decoded[:index].encode()))
                found[number, prefix + path] = place
    return found


def _pieces(text: bytes, wanted: Set[FieldPath]) -> Iterable[tuple[int, FieldPath, bytes, Set[FieldPath]]]:
    """Yields the parts of a JSON text to look into, the items of a List or all of it, and what to look for."""
    fields = envelope(text)
    if fields is None or any(path and path[0] != _ITEMS for path in wanted):
        yield 0, (), text, wanted
        return
    by_item: dict[Any, set[FieldPath]] = {}
    for path in wanted:
        if len(path) > 1:
            by_item.setdefault(path[1], set()).add(path[2:])
    yield text.index(b"{"), (), b"{}", frozenset([()])
    for index, (offset, item) in enumerate(list_items(text, fields)):
        if index in by_item:
            yield offset, (_ITEMS, index), item, by_item[index]


class _Level:
    """A map or list that is open."""

    __slots__ = ("at", "expects_key", "in_map")

    def __init__(self, in_map: bool) -> None:
        self.in_map = in_map
        self.expects_key = in_map
        self.at: Any = None if in_map else -1


def _locate_yaml(text: str, wanted: Mapping[int, Set[FieldPath]]) -> dict[tuple[int, FieldPath], Place]:
    found: dict[tuple[int, FieldPath], Place] = {}
    levels: list[_Level] = []
    paths: Set[FieldPath] = frozenset()
    for document, offset, event in read_events(text):
        kind = type(event)
        if kind is yaml.DocumentStartEvent or isinstance(event, Problem):
            levels, paths = [], wanted.get(document, frozenset())
        elif not paths:
            continue
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            levels.pop()
        elif kind in _VALUES and _is_value(levels, event):
            path = tuple(level.at for level in levels)
            if path in paths:
                found.setdefault((document, path), _place(offset, event))
        if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            levels.append(_Level(kind is yaml.MappingStartEvent))
    return found


_VALUES = (yaml.ScalarEvent, yaml.AliasEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent)


def _place(offset: int, event: Any) -> Place:
    mark = event.start_mark
    return offset + mark.line + 1, mark.column + 1


def _is_value(levels: list[_Level], event: Any) -> bool:
    """Moves on to the next key or item; returns whether the event begins a value, not a key."""
    if not levels:
        return True
    level = levels[-1]
    if not level.in_map:
        level.at += 1
        return True
    level.expects_key = not level.expects_key
    if level.expects_key:
        return True
    level.at = None
    if type(event) is yaml.ScalarEvent:
        level.at = key_text(resolve_scalar(event.value, event.tag, event.implicit[0]))
    return False
