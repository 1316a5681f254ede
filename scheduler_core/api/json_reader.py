"""JSON into plain values: one text or several in a row; of a List each item is read on its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from scheduler_core.api.decode import drop_nulls
from scheduler_core.api.json_scanner import scan
from scheduler_core.api.limits import MAX_PROBLEMS, Limits
from scheduler_core.api.problems import Document, Item, LimitExceeded, Lines, Problem
from scheduler_core.api.progress import Progress
from scheduler_core.errors import DUPLICATE, SYNTAX

_BYTE = re.compile(r" ?\(byte (\d+)\)")
_PATH_HINT = re.compile(r" - at `[^`]*`")
_SPACED_COLON = re.compile(rb'"[ \t\r\n]+:')
_ITEMS = "items"
_BLANKS = " \t\r\n"

_Envelope = dict[str, msgspec.Raw]


def read_json(
    data: bytes, limits: Limits, progress: Progress, *, keep_nulls: bool = False
) -> Iterator[Document]:
    """Yields every JSON text in the data.

    Raises:
        LimitExceeded: before the memory is spent.
    """
    if data.count(b",") + data.count(b"{") + data.count(b"[") > limits.nodes:
        raise LimitExceeded(f"more than {limits.nodes} values")
    lines = Lines(data)
    for number, (start, end) in enumerate(json_texts(data), start=1):
        yield _Text(data, start, end, number, limits, lines, keep_nulls=keep_nulls).read(progress)


def read_value(text: bytes, number: int, limits: Limits) -> Item:
    """Reads one value that stands by itself; places are told from its beginning."""
    return _Text(text, 0, len(text), number, limits, Lines(text)).decode(0, text)


def json_texts(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields where each JSON text begins and ends; the last one may be faulty."""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        if "trailing characters" in str(error):
            yield from _texts_in_a_row(data)
            return
    except RecursionError:
        pass
    yield 0, len(data)


def envelope(data: bytes) -> _Envelope | None:
    """Returns the fields of a List whose items can be read one by one, else None."""
    try:
        fields = msgspec.json.decode(data, type=_Envelope)
    except (msgspec.DecodeError, RecursionError):
        return None
    items = fields.get(_ITEMS)
    return fields if items is not None and memoryview(items)[0] == ord("[") else None


def list_items(data: bytes, fields: _Envelope, max_items: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Yields the offset in the data and the text of each item of a List.

    Raises:
        LimitExceeded: at once, when there are too many.
    """
    position = data.index(bytes(fields[_ITEMS]))
    raws = msgspec.json.decode(fields[_ITEMS], type=list[msgspec.Raw])
    if max_items is not None and len(raws) > max_items:
        raise LimitExceeded(f"more than {max_items} objects")
    for raw in raws:
        item = bytes(raw)
        position = data.index(item, position)
        yield position, item
        position += len(item)


class _Text:
    """One JSON text of a source."""

    def __init__(
        self,
        data: bytes,
        start: int,
        end: int,
        number: int,
        limits: Limits,
        lines: Lines,
        *,
        keep_nulls: bool = False,
    ) -> None:
        self.lines = lines
        self.start = start
        self.text = data[start:end] if (start, end) != (0, len(data)) else data
        self.number = number
        self.limits = limits
        self.keep_nulls = keep_nulls

    def read(self, progress: Progress) -> Document:
        fields = envelope(self.text)
        if fields is None:
            item = self.decode(0, self.text)
            return Document(self.number, item.value, item.problems)
        duplicates: tuple[Problem, ...] = ()
        counted = len(fields) + sum(bytes(value).count(b'":') for value in fields.values())
        if counted != self.text.count(b'":'):
            duplicates = self._duplicates(0, self.text)
        header = {key: msgspec.json.decode(value) for key, value in fields.items() if key != _ITEMS}
        return Document(self.number, header, duplicates, self._items(fields, progress))

    def _items(self, fields: _Envelope, progress: Progress) -> Iterator[Item]:
        for offset, item in list_items(self.text, fields, self.limits.objects):
            progress.at = self.start + offset
            yield self.decode(offset, item)

    def decode(self, offset: int, text: bytes) -> Item:
        """Reads one value; repeated keys show by their being fewer when written again."""
        try:
            value = msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            return Item(None, (self._syntax(offset, text, error),))
        except RecursionError:
            raise self._limit(offset, f"more than {self.limits.depth} maps and lists in each other") from None
        if text.count(b"{") + text.count(b"[") > self.limits.depth and _depth(value) > self.limits.depth:
            raise self._limit(offset, f"more than {self.limits.depth} maps and lists in each other")
        if len(text) > self.limits.scalar and _longest(value) > self.limits.scalar:
            raise self._limit(offset, f"a text is longer than {self.limits.scalar} bytes")
        keys = msgspec.json.encode(value).count(b'":')
        if keys != text.count(b'":') or _SPACED_COLON.search(text):
            duplicates = self._duplicates(offset, text)
            if duplicates:
                return Item(None, duplicates)
        if b"null" in text and not self.keep_nulls:
            drop_nulls(value)
        return Item(value, ())

    def _duplicates(self, offset: int, text: bytes) -> tuple[Problem, ...]:
        decoded = text.decode("utf-8")
        return tuple(
            Problem(
                DUPLICATE,
                f"the key {key!r} stands twice in the same map",
                self.number,
                *self._place(offset + len(decoded[:index].encode())),
                key,
            )
            for index, key in islice(scan(decoded).duplicates, MAX_PROBLEMS)
        )

    def _syntax(self, offset: int, text: bytes, error: msgspec.DecodeError) -> Problem:
        message = str(error)
        match = _BYTE.search(message)
        index = min(int(match[1]), len(text)) if match else len(text)
        message = _PATH_HINT.sub("", _BYTE.sub("", message))
        return Problem(SYNTAX, message, self.number, *self._place(offset + index))

    def _limit(self, offset: int, message: str) -> LimitExceeded:
        return LimitExceeded(message, self.number, *self._place(offset))

    def _place(self, offset: int) -> tuple[int, int]:
        return self.lines.place(self.start + offset)


def _texts_in_a_row(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields the bounds of JSON texts that follow each other, as NDJSON or from several commands."""
    text = data.decode("utf-8")
    decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: None)
    at, offset = 0, 0
    while True:
        begin = at + len(text[at : at + 4096]) - len(text[at : at + 4096].lstrip(_BLANKS))
        offset += len(text[at:begin].encode())
        if begin == len(text):
            return
        try:
            _, end = decoder.raw_decode(text, begin)
        except (json.JSONDecodeError, RecursionError):
            yield offset, len(data)
            return
        size = len(text[begin:end].encode())
        yield offset, offset + size
        offset += size
        at = end


def _depth(value: Any) -> int:
    depth, level = 0, [value] if isinstance(value, dict | list) else []
    while level:
        depth += 1
        level = [
            child
            for each in level
            for child in (each.values() if type(each) is dict else each)
            if type(child) is dict or type(child) is list
        ]
    return depth


def _longest(value: Any) -> int:
    longest, pending = 0, [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            longest = max(longest, len(item))
        elif isinstance(item, dict):
            pending.extend(item.values())
            longest = max(longest, *(len(key) for key in item), 0)
        elif isinstance(item, list):
            pending.extend(item)
    return longest
