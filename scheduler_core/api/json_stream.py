"""JSON that is too large to hold: Lists are read item by item, from pieces of the text as they come.

What is kept of the text is the piece being read. The scanner of the standard library finds where a value ends; the
value itself is read as everywhere else.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from scheduler_core.api.json_reader import read_value
from scheduler_core.api.limits import Limits
from scheduler_core.api.problems import Item, LimitExceeded, Problem
from scheduler_core.errors import SYNTAX

MAX_ITEM: Final = 64 * 2**20
_COMPACT: Final = 2**20
_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_ITEMS: Final = "items"
_SCANNER: Final = json.JSONDecoder()


class StreamedItem(NamedTuple):
    """One object of a stream.

    Args:
        document: number of the JSON text it is in, from 1.
        header: the fields of its List that came before its items; None for an object that stands by itself.
        item: its value, or what is wrong with it.
        text: its text, to find places in.
        line: how many lines come before it.
    """

    document: int
    header: dict[str, Any] | None
    item: Item
    text: bytes
    line: int


class BrokenStream(Exception):
    """The text is not JSON from here on; `problem` says why, `line` how many lines come before."""

    def __init__(self, message: str, document: int, line: int) -> None:
        super().__init__(message)
        self.problem = Problem(SYNTAX, message, document, line + 1, 1)


def stream_json(chunks: Iterable[bytes], limits: Limits) -> Iterator[StreamedItem]:
    """Yields every object of a text that holds one or more JSON texts.

    Raises:
        BrokenStream: where the text is no JSON.
        LimitExceeded: when there is too much.
    """
    stream = _Stream(chunks, limits)
    document = 0
    while stream.peek():
        document += 1
        stream.document = document
        yield from _read_text(stream)


def _read_text(stream: _Stream) -> Iterator[StreamedItem]:
    """Reads one JSON text: the items of a List one by one, anything else as a whole."""
    header: dict[str, Any] = {}
    stream.expect("{")
    while stream.peek() != "}":
        key = stream.value()[0]
        stream.expect(":")
        if key == _ITEMS and stream.peek() == "[":
            yield from _read_items(stream, header)
        else:
            header[str(key)] = stream.value()[0]
        if stream.peek() != "}":
            stream.expect(",")
    stream.expect("}")
    has_items = header.pop(_READ, False)
    if not has_items:
        text = json.dumps(header).encode()
        yield StreamedItem(stream.document, None, Item(header, ()), text, stream.line)
    elif header.get("kind", "List") == "List" and header.get("metadata"):
        empty = {"kind": "List", "apiVersion": "v1", "metadata": header["metadata"], _ITEMS: []}
        yield StreamedItem(stream.document, None, Item(empty, ()), b"{}", stream.line)


_READ: Final = "\0items were read"


def _read_items(stream: _Stream, header: dict[str, Any]) -> Iterator[StreamedItem]:
    header[_READ] = True
    told = {name: value for name, value in header.items() if name in ("kind", "apiVersion")}
    stream.expect("[")
    while stream.peek() != "]":
        _, text, line = stream.value()
        yield StreamedItem(
            stream.document, told, read_value(text, stream.document, stream.limits), text, line
        )
        if stream.peek() != "]":
            stream.expect(",")
    stream.expect("]")


class _Stream:
    """The text from where it is read on."""

    def __init__(self, chunks: Iterable[bytes], limits: Limits) -> None:
        self.limits = limits
        self.document = 1
        self.line = 0
        self._chunks = iter(chunks)
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._is_over = False
        self._size = 0

    def peek(self) -> str:
        """Returns the next character that is no blank, without taking it; nothing at the end."""
        while True:
            end = self._at
            if match := _BLANKS.match(self._text, self._at):
                end = match.end()
            self.line += self._text.count("\n", self._at, end)
            self._at = end
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def expect(self, character: str) -> None:
        """Takes a character that must be there."""
        found = self.peek()
        if found != character:
            what = repr(found) if found else "the end"
            raise BrokenStream(f"expected {character!r}, got {what}", self.document, self.line)
        self._at += 1

    def value(self) -> tuple[Any, bytes, int]:
        """Takes a value; returns it with its text and how many lines come before it."""
        self.peek()
        while True:
            try:
                found, end = _SCANNER.raw_decode(self._text, self._at)
            except RecursionError:
                message = f"more than {self.limits.depth} maps and lists in each other"
                raise LimitExceeded(message, self.document, self.line + 1, 1) from None
            except json.JSONDecodeError as error:
                if len(self._text) - self._at > MAX_ITEM:
                    message = f"a value is longer than {MAX_ITEM} bytes, or it is no JSON: {error.msg}"
                    raise LimitExceeded(message, self.document, self.line + 1, 1) from None
                if not self._more(double=True):
                    line = self.line + self._text.count("\n", self._at, error.pos)
                    raise BrokenStream(error.msg, self.document, line) from None
                continue
            if end == len(self._text) and self._more():
                continue  # A number may go on.
            text, line = self._text[self._at : end], self.line
            self.line += text.count("\n")
            self._at = end
            return found, text.encode("utf-8", "replace"), line

    def _more(self, *, double: bool = False) -> bool:
        """Takes the next piece of text, or as much again as waits; returns whether there was any."""
        wanted = len(self._text) - self._at if double else 1
        pieces = []
        while wanted > 0 and not self._is_over:
            chunk = next(self._chunks, b"")
            self._is_over = not chunk
            self._size += len(chunk)
            if self._size > self.limits.bytes:
                raise LimitExceeded(f"more than {self.limits.bytes} bytes are not read", self.document)
            try:
                pieces.append(self._decoder.decode(chunk, final=self._is_over))
            except UnicodeDecodeError:
                message = "the file is not UTF-8 text; is it a binary?"
                raise BrokenStream(message, self.document, self.line) from None
            wanted -= len(pieces[-1])
        if self._at > _COMPACT:
            self._text, self._at = self._text[self._at :], 0
        self._text += "".join(pieces)
        return any(pieces)
