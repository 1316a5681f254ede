"""Archives in memory → the files in them, without ever unpacking more than is allowed.

Nothing is written to a disk, so a path that leads out of the archive has nowhere to lead; such files are passed over
all the same.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from typing import Final

from engine.archives.budget import Budget, Member, Wanted
from engine.archives.tar import BLOCK, is_tar, read_tar
from engine.archives.unpacked import CHUNK, GZIP, Unpacked
from engine.archives.zipped import read_zip
from scheduler_core.api import FieldError, ManifestError

__all__ = ["Budget", "Member", "is_archive", "read_archive"]

ZIP: Final = b"PK\x03\x04"
_BROKEN: Final = (
    *(zlib.error, zipfile.BadZipFile, EOFError, ValueError),
    *(NotImplementedError, RuntimeError),  # how zipfile says that a method or a password is needed
)


def is_archive(data: bytes) -> bool:
    """Returns whether bytes are an archive, or packed, by how they begin."""
    return data.startswith((GZIP, ZIP)) or is_tar(data[:BLOCK])


def read_archive(
    name: str, data: bytes, wanted: Wanted, budget: Budget, *, keep: bool = True
) -> Iterator[Member]:
    """Yields the wanted files of a zip, tar or gzipped tar; a packed file that is no tar is its only one.

    Args:
        name: of the archive, for errors.
        data: its bytes.
        wanted: whether to read the file of a name.
        budget: how much may come out.
        keep: whether the files' contents are wanted; without, they are only measured, and no memory is taken.

    Raises:
        ManifestError: for an archive that is damaged or too large.
    """
    budget.open_archive(len(data))
    try:
        if data.startswith(ZIP):
            yield from read_zip(name, data, wanted, budget, keep=keep)
            return
        stream = Unpacked(name, data, budget)
        head = stream.read(BLOCK)
        if is_tar(head):
            yield from read_tar(name, stream, head, wanted, budget, keep=keep)
        else:
            yield Member(_unpacked_name(name), _rest(name, stream, head, budget, keep=keep))
    except _BROKEN as wrong:
        message = f"is a damaged or unsupported archive: {wrong}"
        raise ManifestError([FieldError(file=name, type="Syntax", message=message)]) from wrong


def _unpacked_name(name: str) -> str:
    return name[:-3] if name.lower().endswith(".gz") else name


def _rest(name: str, stream: Unpacked, head: bytes, budget: Budget, *, keep: bool) -> bytes:
    parts = [head]
    budget.keep(name, len(head))
    while part := stream.read(CHUNK):
        budget.keep(name, len(part))
        if keep:
            parts.append(part)
    return b"".join(parts)
