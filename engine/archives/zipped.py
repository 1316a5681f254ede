"""A zip."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from engine.archives.budget import MAX_FILES, Budget, Member, Wanted, is_safe, too_many
from engine.archives.unpacked import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_zip(
    name: str, data: bytes, wanted: Wanted, budget: Budget, *, keep: bool = True
) -> Iterator[Member]:
    """Yields the wanted files, empty ones unless their contents are to be kept; the others are not unpacked.

    Raises:
        ManifestError: when they are too large or too many.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = archive.infolist()
        if len(files) > MAX_FILES:
            raise too_many(name)
        for info in files:
            if info.is_dir() or not is_safe(info.filename) or not wanted(info.filename):
                continue
            if info.file_size > budget.room:
                raise budget.exceeded(name)
            with archive.open(info) as file:
                parts = []
                while part := file.read(CHUNK):
                    budget.keep(name, len(part))
                    if keep:
                        parts.append(part)
            yield Member(info.filename, b"".join(parts))
