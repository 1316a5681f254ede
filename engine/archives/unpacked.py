"""The bytes inside a packed file, a piece at a time."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.archives.budget import Budget

GZIP: Final = b"\x1f\x8b"
CHUNK: Final = 256 * 1024


class Unpacked:
    """The bytes inside a gzip file, or those of a tar that is not packed, a piece at a time."""

    def __init__(self, name: str, data: bytes, budget: Budget) -> None:
        self._name = name
        self._budget = budget
        self._data = memoryview(data)
        self._at = 0
        self._packed = data.startswith(GZIP)
        self._inflate = zlib.decompressobj(31)
        self._ready = bytearray()

    def read(self, size: int) -> bytes:
        """Returns the next bytes, fewer only at the end."""
        while len(self._ready) < size:
            part = self._next()
            if not part:
                break
            self._ready += part
        result = bytes(self._ready[:size])
        del self._ready[:size]
        return result

    def skip(self, size: int) -> None:
        """Passes over bytes."""
        while size > 0:
            part = bytes(self._ready) or self._next()
            if not part:
                raise EOFError("it ends too early")
            self._ready = bytearray(part[size:])
            size -= len(part)

    def _next(self) -> bytes:
        part = self._unpack()
        self._budget.pass_over(self._name, len(part))
        return part

    def _unpack(self) -> bytes:
        if not self._packed:
            part = bytes(self._data[self._at : self._at + CHUNK])
            self._at += len(part)
            return part
        while True:
            if self._inflate.eof:
                after = self._at - len(self._inflate.unused_data)
                if bytes(self._data[after : after + 2]) != GZIP:
                    return b""
                self._at = after
                self._inflate = zlib.decompressobj(31)
            waiting = self._inflate.unconsumed_tail
            if not waiting:
                waiting = bytes(self._data[self._at : self._at + CHUNK])
                self._at += len(waiting)
            if not waiting:
                raise EOFError("it ends too early")
            part = self._inflate.decompress(waiting, CHUNK)
            if part:
                return part
