"""Where things stand in a JSON text that is known to be well formed."""

from __future__ import annotations

import json
import re
from collections.abc import Set
from typing import Any, NamedTuple

from scheduler_core.api.field_path import FieldPath

_TOKEN = re.compile(r'[{}\[\],]|"(?:[^"\\]++|\\.)*+"|[^\s{}\[\],:"]+', re.DOTALL)


class Scan(NamedTuple):
    """What was found: the index of each wanted value that is there, and of each key that stands twice."""

    places: dict[FieldPath, int]
    duplicates: list[tuple[int, str]]


class _Level:
    """A map or list that is open."""

    __slots__ = ("at", "in_map", "keys")

    def __init__(self, in_map: bool) -> None:
        self.in_map = in_map
        self.at: Any = None if in_map else -1
        self.keys: set[str] = set()


def scan(text: str, wanted: Set[FieldPath] = frozenset()) -> Scan:
    """Returns the places of the wanted values, and of the keys that repeat one before."""
    found = Scan({}, [])
    depths = {len(path) for path in wanted}
    levels: list[_Level] = []
    expect_key = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == ",":
            expect_key = levels[-1].in_map
        elif token in "}]":
            levels.pop()
            expect_key = False
        elif expect_key:
            _key(levels[-1], json.loads(token), match.start(), found)
            expect_key = False
        else:
            if levels and not levels[-1].in_map:
                levels[-1].at += 1
            if len(levels) in depths:
                path = tuple(level.at for level in levels)
                if path in wanted:
                    found.places.setdefault(path, match.start())
            if token in "{[":
                levels.append(_Level(token == "{"))
                expect_key = token == "{"
    return found


def _key(level: _Level, key: str, index: int, found: Scan) -> None:
    if key in level.keys:
        found.duplicates.append((index, key))
    level.keys.add(key)
    level.at = key
