"""What is wrong with the place where data lies, as a sentence: a full disk, a damaged database, no access."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path
from typing import Final

_ELSEWHERE: Final = "or set PLAYGROUND_VAR to another folder"
_FULL: Final = "The disk that holds {place} is full: free some space, {elsewhere}."
_DAMAGED: Final = (
    "The database in {place} is damaged or is not an SQLite database: restore it from a copy, "
    "move it away to begin with an empty one, {elsewhere}."
)
_CLOSED: Final = "The database in {place} cannot be opened for writing: change the permissions, {elsewhere}."
_BROKEN: Final = (
    "The database in {place} cannot be read or written ({cause}): check the disk and its limits, {elsewhere}."
)
_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_CANTOPEN: _CLOSED,
    sqlite3.SQLITE_READONLY: _CLOSED,
    sqlite3.SQLITE_PERM: _CLOSED,
    sqlite3.SQLITE_IOERR: _BROKEN,
}
_FULL_DISK: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def sentence_of(error: BaseException, place: Path) -> str | None:
    """Returns what is wrong with the storage, if that is what an error comes from.

    Args:
        error: anything; also looked at is what it was raised from.
        place: the data folder.

    Returns:
        A sentence with what to do about it; None for any other error.
    """
    seen: BaseException | None = error
    while seen is not None:
        words = None
        if isinstance(seen, sqlite3.Error):
            words = _OF_SQLITE.get(getattr(seen, "sqlite_errorcode", 0) & 0xFF)
        elif isinstance(seen, OSError) and seen.errno in _FULL_DISK:
            words = _FULL
        if words is not None:
            return words.format(place=place, elsewhere=_ELSEWHERE, cause=seen)
        seen = seen.__cause__ or seen.__context__
    return None
