"""YAML into plain values, one per document, without building anything that an alias bomb could blow up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from scheduler_core.api.limits import MAX_PROBLEMS, Limits
from scheduler_core.api.problems import Document, LimitExceeded, Problem
from scheduler_core.api.progress import Progress
from scheduler_core.api.yaml_events import read_events
from scheduler_core.api.yaml_scalars import key_text, resolve_plain, resolve_scalar
from scheduler_core.errors import DUPLICATE, SYNTAX

# What a value weighs beside its text, in bytes, when an alias repeats it.
_NODE_WEIGHT = 8
_MERGE = "<<"
# The items of a List, or shallower: there it is told how far reading is.
_ITEM_DEPTH = 2


class _Frame:
    """A map or list being filled."""

    __slots__ = ("anchor", "key", "list", "map", "merged", "merging", "weight")

    def __init__(self, anchor: str | None, is_map: bool) -> None:
        self.anchor = anchor
        self.map: Any = {} if is_map else None
        self.list: Any = None if is_map else []
        self.key: str | None = None
        self.merging = False
        self.merged: set[str] = set()
        self.weight = _NODE_WEIGHT


def read_yaml(text: str, limits: Limits, progress: Progress) -> Iterator[Document]:
    """Yields every document of a text, also empty ones.

    Raises:
        LimitExceeded: before the memory is spent.
    """
    builder = _Builder(limits, progress)
    for document, offset, event in read_events(text):
        if isinstance(event, Problem):
            builder.problems.append(event)
            yield builder.finish(document)
        elif type(event) is yaml.DocumentEndEvent:
            yield builder.finish(document)
        else:
            builder.feed(document, offset, event)


class _Builder:
    """Puts the values of one document after the other together from their events."""

    def __init__(self, limits: Limits, progress: Progress) -> None:
        self.limits = limits
        self.progress = progress
        self.nodes = 0
        self.problems: list[Problem] = []
        self._clear()

    def _clear(self) -> None:
        self.root: Any = None
        self.stack: list[_Frame] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open_anchors: set[str] = set()
        self.expansion = 0

    def finish(self, number: int) -> Document:
        """Returns the document and makes ready for the next; a faulty document gives no value."""
        problems = tuple(self.problems)
        document = Document(number, None if problems else self.root, problems)
        self.problems = []
        self._clear()
        return document

    def feed(self, document: int, offset: int, event: Any) -> None:
        """Takes one event inside a document."""
        self.document, self.offset, self.event = document, offset, event
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open(event.anchor, kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._close()
        elif kind is yaml.AliasEvent:
            self._alias(event.anchor)

    def _scalar(self, event: Any) -> None:
        text = event.value
        if len(text) > self.limits.scalar:
            raise self._limit(f"a text is longer than {self.limits.scalar} bytes")
        if event.tag is None and event.implicit[0]:
            value = resolve_plain(text)
            is_merge = text == _MERGE
        else:
            value = resolve_scalar(text, event.tag, event.implicit[0])
            is_merge = False
        weight = _NODE_WEIGHT + len(text)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, weight)
        self._add(value, weight, is_merge)

    def _open(self, anchor: str | None, is_map: bool) -> None:
        if len(self.stack) >= self.limits.depth:
            raise self._limit(f"more than {self.limits.depth} maps and lists in each other")
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.map is not None and frame.key is None and not frame.merging:
            self._problem(SYNTAX, "a map or list cannot be a key")
        if anchor is not None:
            self.open_anchors.add(anchor)
        self.stack.append(_Frame(anchor, is_map))

    def _close(self) -> None:
        frame = self.stack.pop()
        if len(self.stack) <= _ITEM_DEPTH:
            self.progress.at = self.event.end_mark.index
        value = frame.map if frame.map is not None else frame.list
        if frame.anchor is not None:
            self.open_anchors.discard(frame.anchor)
            self.anchors[frame.anchor] = (value, frame.weight)
        self._add(value, frame.weight, False)

    def _alias(self, anchor: str) -> None:
        value, weight = self.anchors.get(anchor, (None, _NODE_WEIGHT))
        if anchor in self.open_anchors:
            self._problem(SYNTAX, f"anchor {anchor!r} contains itself")
        elif anchor not in self.anchors:
            self._problem(SYNTAX, f"unknown anchor {anchor!r} referenced")
        self.expansion += weight
        if self.expansion > self.limits.expansion:
            raise self._limit(f"aliases repeat more than {self.limits.expansion} bytes in one document")
        self._add(value, weight, False)

    def _add(self, value: Any, weight: int, is_merge: bool) -> None:
        """Puts a finished value where it belongs: as a key, a value, an item or the document."""
        self._count()
        if not self.stack:
            self.root = value
            return
        frame = self.stack[-1]
        frame.weight += weight
        if frame.map is None:
            frame.list.append(value)
        elif frame.merging:
            frame.merging = False
            self._merge(frame, value)
        elif frame.key is not None:
            frame.map[frame.key] = value
            frame.key = None
        elif is_merge:
            frame.merging = True
        else:
            self._key(frame, key_text(value))

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            raise self._limit(f"more than {self.limits.nodes} values")

    def _key(self, frame: _Frame, key: str) -> None:
        self.nodes -= 1  # Its value counts.
        if key in frame.map and key not in frame.merged:
            self._problem(DUPLICATE, f"the key {key!r} stands twice in the same map", key)
        frame.merged.discard(key)
        frame.key = key

    def _merge(self, frame: _Frame, value: Any) -> None:
        """Takes over other maps' entries where the merge key stands, as kubectl does; later entries win."""
        maps = value if isinstance(value, list) else [value]
        if not all(isinstance(item, dict) for item in maps):
            self._problem(SYNTAX, "map merge requires map or sequence of maps as the value")
            return
        for other in reversed(maps):
            frame.map.update(other)
            frame.merged.update(other)

    def _problem(self, type_: str, message: str, value: str = "") -> None:
        if len(self.problems) >= MAX_PROBLEMS:
            return
        line, column = self._place()
        self.problems.append(Problem(type_, message, self.document, line, column, value))

    def _limit(self, message: str) -> LimitExceeded:
        return LimitExceeded(message, self.document, *self._place())

    def _place(self) -> tuple[int, int]:
        mark = self.event.start_mark
        return self.offset + mark.line + 1, mark.column + 1
