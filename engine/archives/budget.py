"""How much may come out of archives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from scheduler_core.api import FieldError, ManifestError

MAX_FILES: Final = 100_000
# Logs and the like, which are passed over, pack to about a tenth; what unpacks to far more is a bomb.
USUAL_RATIO: Final = 25
# What is read may pack better: many alike objects. Below so many bytes the ratio says nothing.
MAX_RATIO: Final = 50
ALWAYS_ALLOWED: Final = 64 * 1024 * 1024
_MEBIBYTE: Final = 1024 * 1024
_LIMIT: Final = "Limit"

Wanted = Callable[[str], bool]


class Member(NamedTuple):
    """A file of an archive."""

    name: str
    data: bytes


class Budget:
    """How many bytes may still be unpacked and kept, over all archives of one import."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.kept = 0
        self.passed = 0
        self._kept_before = 0
        self._may_keep = max_bytes
        self._may_pass = 0

    def open_archive(self, packed: int) -> None:
        """Begins with an archive of so many bytes: what it may unpack to depends on that."""
        room = min(self.max_bytes - self.kept, max(ALWAYS_ALLOWED, MAX_RATIO * packed))
        self._kept_before = self.kept
        self._may_keep = self.kept + room
        self._may_pass = self.passed + 2 * min(self.max_bytes, ALWAYS_ALLOWED) + USUAL_RATIO * packed

    @property
    def room(self) -> int:
        """How many bytes more may be kept of the archive."""
        return self._may_keep - self.kept

    def keep(self, archive: str, size: int) -> None:
        """Counts bytes that are read.

        Raises:
            ManifestError: when they are too many.
        """
        self.kept += size
        if self.kept > self._may_keep:
            raise self.exceeded(archive)

    def keep_file(self, name: str, size: int) -> None:
        """Counts a file that is in no archive.

        Raises:
            ManifestError: when all together are too many.
        """
        self.kept += size
        if self.kept > self.max_bytes:
            message = f"is larger than {self.max_bytes // _MEBIBYTE} MiB"
            if size < self.kept:
                message = f"is too much: all files together are larger than {self.max_bytes // _MEBIBYTE} MiB"
            raise ManifestError([FieldError(file=name, type=_LIMIT, message=message)])

    def pass_over(self, archive: str, size: int) -> None:
        """Counts bytes that come out of an archive, whether they are kept or not."""
        self.passed += size
        if self.passed > self._may_pass:
            raise self.exceeded(archive)

    def exceeded(self, archive: str) -> ManifestError:
        """Returns the refusal."""
        allowed = max(self._may_keep - self._kept_before, 1)
        message = f"unpacks to more than {allowed // _MEBIBYTE} MiB"
        return ManifestError([FieldError(file=archive, type=_LIMIT, message=message)])


def is_safe(name: str) -> bool:
    """Returns whether a path stays below where it begins."""
    path = PurePosixPath(name.replace("\\", "/"))
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def too_many(name: str) -> ManifestError:
    """Returns the refusal of an archive with too many files."""
    message = f"holds more than {MAX_FILES} files"
    return ManifestError([FieldError(file=name, type=_LIMIT, message=message)])
