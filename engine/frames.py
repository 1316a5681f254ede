"""Frames on the pipes between the engine's process and whoever started it.

A frame is one byte of kind, the payload's length as four bytes big-endian, and the payload.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

JOB: Final = b"J"
IMPORT: Final = b"I"
CHECK: Final = b"Q"
END_STATE: Final = b"S"
PLAN: Final = b"A"
WHAT_IF: Final = b"W"
PLAYHEAD: Final = b"H"
CANCEL: Final = b"K"
EVENTS: Final = b"E"
DETAIL: Final = b"C"
PROGRESS: Final = b"P"
TAPE: Final = b"T"
ROWS: Final = b"O"
OBJECTS: Final = b"L"
RESULT: Final = b"R"
REFUSED: Final = b"X"
REFUTED: Final = "refuted"
"""The cause of a refusal: what was to be repeated came out differently."""

_HEADER: Final = struct.Struct(">cI")
_SEQ_RANGE: Final = struct.Struct(">QQ")
_CYCLE: Final = struct.Struct(">I")


class Readable(Protocol):
    """A stream of bytes to read from, buffered or not."""

    def read(self, size: int, /) -> bytes | None: ...


class Writable(Protocol):
    """A stream of bytes to write to."""

    def write(self, data: bytes, /) -> object: ...

    def writelines(self, lines: Iterable[bytes], /) -> None: ...

    def flush(self) -> None: ...


class Frame(NamedTuple):
    """One frame as read."""

    kind: bytes
    payload: bytes


class EventsPayload(NamedTuple):
    """Events first_seq…last_seq, one JSON object a line."""

    first_seq: int
    last_seq: int
    lines: bytes


class BrokenFrameError(Exception):
    """The stream ended in the middle of a frame."""


def write_frame(stream: Writable, kind: bytes, *parts: bytes) -> None:
    """Writes one frame made of ``parts`` and flushes."""
    stream.write(_HEADER.pack(kind, sum(map(len, parts))))
    stream.writelines(parts)
    stream.flush()


def read_frame(stream: Readable) -> Frame | None:
    """The next frame, or None at the end of the stream.

    Raises:
        BrokenFrameError: the stream ended within a frame.
    """
    header = _read_exactly(stream, _HEADER.size)
    if not header:
        return None
    if len(header) < _HEADER.size:
        raise BrokenFrameError("the stream ended within a frame's header")
    kind, length = _HEADER.unpack(header)
    payload = _read_exactly(stream, length)
    if len(payload) < length:
        raise BrokenFrameError(f"the stream ended {length - len(payload)} bytes before the frame's end")
    return Frame(kind, payload)


def pack_events(first_seq: int, last_seq: int) -> bytes:
    """The head of an EVENTS payload."""
    return _SEQ_RANGE.pack(first_seq, last_seq)


def unpack_events(payload: bytes) -> EventsPayload:
    """An EVENTS payload in its parts."""
    first_seq, last_seq = _SEQ_RANGE.unpack_from(payload)
    return EventsPayload(first_seq, last_seq, payload[_SEQ_RANGE.size :])


def pack_cycle(cycle: int) -> bytes:
    """The head of a DETAIL payload."""
    return _CYCLE.pack(cycle)


def unpack_detail(payload: bytes) -> tuple[int, bytes]:
    """A DETAIL payload: the cycle and its JSON."""
    return _CYCLE.unpack_from(payload)[0], payload[_CYCLE.size :]


def _read_exactly(stream: Readable, length: int) -> bytes:
    chunks = []
    while length > 0:
        chunk = stream.read(length)
        if not chunk:
            break
        chunks.append(chunk)
        length -= len(chunk)
    return b"".join(chunks)
