"""How much may come out of archives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from scheduler_core.api import FieldError, ManifestError

MAX_FILES: Final = 100_000
# Logs and the like, which are passed over, pack to about a tenth; what unpacks to far more is a bomb.
USUAL_RATIO: Final = 25
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

    def keep(self, archive: str, size: int) -> None:
        """Counts bytes that are read.

        Raises:
            ManifestError: when they are too many.
        """
        self.kept += size
        if self.kept > self.max_bytes:
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

    def pass_over(self, archive: str, size: int, packed: int) -> None:
        """Counts bytes that come out of an archive of so many bytes, whether they are kept or not."""
        self.passed += size
        if self.passed > 2 * self.max_bytes + USUAL_RATIO * packed:
            raise self.exceeded(archive)

    def exceeded(self, archive: str) -> ManifestError:
        """Returns the refusal."""
        message = f"unpacks to more than {self.max_bytes // _MEBIBYTE} MiB"
        return ManifestError([FieldError(file=archive, type=_LIMIT, message=message)])


def is_safe(name: str) -> bool:
    """Returns whether a path stays below where it begins."""
    path = PurePosixPath(name.replace("\\", "/"))
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def too_many(name: str) -> ManifestError:
    """Returns the refusal of an archive with too many files."""
    message = f"holds more than {MAX_FILES} files"
    return ManifestError([FieldError(file=name, type=_LIMIT, message=message)])
