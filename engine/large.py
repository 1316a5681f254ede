"""Files that are too large to hold: read in pieces, with the progress told on stderr."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LARGE: Final = 64 * 2**20
"""Above this many bytes a JSON file is read as a stream; everything else has to fit into memory."""
PIECE: Final = 2**20
TELL_SECONDS: Final = 5.0
_HEAD: Final = 4096


def is_large_json(file: BinaryIO) -> bool:
    """Returns whether an open file is large and begins as JSON; it stands at its beginning afterwards."""
    size = file.seek(0, 2)
    file.seek(0)
    head = file.read(_HEAD)
    file.seek(0)
    return size > LARGE and begins_as_json(head)


def begins_as_json(data: bytes) -> bool:
    """Returns whether a text begins as a JSON object."""
    return data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")


def read_pieces(path: Path) -> Iterator[bytes]:
    """Yields a file's bytes; tells on stderr how far it is, if it takes long."""
    size, done, told_at = path.stat().st_size, 0, time.monotonic()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
            done += len(piece)
            if time.monotonic() - told_at >= TELL_SECONDS:
                told_at = time.monotonic()
                sys.stderr.write(f"reading {path}: {done >> 20} of {size >> 20} MiB\n")
