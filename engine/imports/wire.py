"""An import between the server and the process that does it: files in, progress and rows out."""

from __future__ import annotations

import struct
from typing import Final

import msgspec

from engine.imports.reading import ImportOptions
from engine.imports.rows import ObjectRow

BATCH_ROWS: Final = 500
_LENGTH: Final = struct.Struct(">I")


class FileHead(msgspec.Struct, frozen=True):
    """A file of the input and how many bytes of it follow."""

    name: str
    size: int


class Head(msgspec.Struct, frozen=True):
    """What comes before the files' bytes."""

    options: ImportOptions
    files: list[FileHead]


class RowsPayload(msgspec.Struct, frozen=True, array_like=True):
    """Some rows, and how many there are in all."""

    total: int
    rows: list[ObjectRow]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(RowsPayload)


def pack_import(files: list[tuple[str, bytes]], options: ImportOptions) -> bytes:
    """Returns the payload of an IMPORT frame."""
    head = msgspec.json.encode(Head(options, [FileHead(name, len(data)) for name, data in files]))
    return b"".join([_LENGTH.pack(len(head)), head, *(data for _, data in files)])


def unpack_import(payload: bytes) -> tuple[list[tuple[str, bytes]], ImportOptions]:
    """Returns the files and options in the payload of an IMPORT frame."""
    (length,) = _LENGTH.unpack_from(payload)
    at = _LENGTH.size + length
    head = msgspec.json.decode(payload[_LENGTH.size : at], type=Head)
    files = []
    for file in head.files:
        files.append((file.name, payload[at : at + file.size]))
        at += file.size
    return files, head.options


def pack_rows(total: int, rows: list[ObjectRow]) -> bytes:
    """Returns the payload of a ROWS frame."""
    return _encoder.encode(RowsPayload(total, rows))


def unpack_rows(payload: bytes) -> RowsPayload:
    """Returns what is in the payload of a ROWS frame."""
    return _decoder.decode(payload)
