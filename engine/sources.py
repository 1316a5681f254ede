"""Files, folders, archives, uploads and stdin → sources for the manifest reader: one way for all who read.

`read_uploads` takes bytes that are in memory already and touches no file system; `read_sources` takes names. Both
look into archives and support bundles.
"""

from __future__ import annotations

import sys
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from engine.archives import Budget, is_archive, read_archive
from engine.bundles import is_in_bundle, type_from_path
from engine.large import LARGE, PIECE, begins_as_json, is_large_json, read_pieces
from scheduler_core.api import DEFAULT_LIMITS, FieldError, ManifestError, Source
from scheduler_core.errors import NOT_FOUND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

STDIN: Final = "-"
MANIFEST_SUFFIXES: Final = frozenset({".yaml", ".yml", ".json"})
_EXPECTED: Final = ", ".join(sorted(MANIFEST_SUFFIXES))


def read_uploads(
    files: Iterable[tuple[str, bytes]], *, max_bytes: int = DEFAULT_LIMITS.bytes
) -> list[Source]:
    """Returns the manifests in files that are in memory, archives unpacked.

    Args:
        files: names and contents.
        max_bytes: of all manifests together, unpacked.

    Raises:
        ManifestError: with every file that cannot be read; at once when they are too large.
    """
    budget = Budget(max_bytes)
    return _all_or_nothing((name, partial(_expand, name, data, budget)) for name, data in _of_bundle(files))


def _of_bundle(files: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Returns the files of a support bundle's folder that are read, if there is one among the files, else all."""
    named = list(files)
    bundled = [(name, data) for name, data in named if is_in_bundle(name)]
    return [(name, data) for name, data in bundled if type_from_path(name)] if bundled else named


def measure_uploads(files: Iterable[tuple[str, bytes]], *, max_bytes: int = DEFAULT_LIMITS.bytes) -> int:
    """Returns how many bytes of manifests are in files, unpacked; without keeping them.

    A damaged archive counts as it is: reading it will say what is wrong.

    Args:
        files: names and contents.
        max_bytes: of all manifests together, unpacked.

    Raises:
        ManifestError: when they are too large.
    """
    budget = Budget(max_bytes)
    for name, data in _of_bundle(files):
        if not is_archive(data):
            budget.keep_file(name, len(data))
            continue
        try:
            for _ in read_archive(name, data, _Wanted(), budget, keep=False):
                pass
        except ManifestError as wrong:
            if any(error.type == "Limit" for error in wrong.errors):
                raise
    return budget.kept


def read_sources(names: Iterable[str], *, max_bytes: int = DEFAULT_LIMITS.bytes) -> list[Source]:
    """Reads files, the manifests below folders, archives, and stdin (``-``).

    Raises:
        ManifestError: with every name that cannot be read; at once when they are too large.
    """
    budget = Budget(max_bytes)
    return _all_or_nothing((name, partial(_read, name, budget)) for name in names)


def _all_or_nothing(readings: Iterable[tuple[str, Callable[[], Iterator[Source]]]]) -> list[Source]:
    sources: list[Source] = []
    errors: list[FieldError] = []
    for name, reading in readings:
        try:
            sources.extend(reading())
        except OSError as wrong:
            errors.append(unreadable(name, wrong))
        except ManifestError as wrong:
            errors.extend(wrong.errors)
            if any(error.type == "Limit" for error in wrong.errors):
                break
    if errors:
        raise ManifestError(errors)
    return sources


def _read(name: str, budget: Budget) -> Iterator[Source]:
    if name == STDIN:
        yield from _read_stdin(budget)
        return
    path = Path(name)
    if not path.is_dir():
        with path.open("rb") as file:
            if is_large_json(file):
                budget.keep_file(name, path.stat().st_size)
                yield Source(name, read_pieces(path))
                return
            yield from _expand(name, file.read(budget.max_bytes + 1), budget)
        return
    found = sorted(below for below in path.rglob("*") if below.suffix.lower() in MANIFEST_SUFFIXES)
    bundled = [below for below in found if is_in_bundle(below.as_posix())]
    read = False
    for manifest in bundled or found:
        if manifest.is_file() and (not bundled or type_from_path(manifest.as_posix())):
            read = True
            with manifest.open("rb") as file:
                yield _source(str(manifest), file.read(budget.max_bytes + 1), budget)
    if not read:
        raise ManifestError([_error(name, f"the folder holds no manifest ({_EXPECTED})")])


def _read_stdin(budget: Budget) -> Iterator[Source]:
    stdin = sys.stdin.buffer
    data = stdin.read(min(LARGE, budget.max_bytes) + 1)
    if LARGE < len(data) <= budget.max_bytes:
        if begins_as_json(data):
            yield Source("stdin", chain([data], iter(partial(stdin.read, PIECE), b"")))
            return
        data += stdin.read(budget.max_bytes + 1 - len(data))
    yield from _expand("stdin", data, budget)


def _expand(name: str, data: bytes, budget: Budget) -> Iterator[Source]:
    """Yields the file itself, or the manifests in it."""
    if not is_archive(data):
        yield _source(name, data, budget)
        return
    members = list(read_archive(name, data, _Wanted(), budget))
    bundled = [member for member in members if is_in_bundle(member.name)]
    for member in sorted(bundled or members):
        if is_archive(member.data):
            continue
        full = member.name if member.name == name.removesuffix(".gz") else f"{name}/{member.name}"
        if bundled:
            api_version, kind = type_from_path(member.name) or ("", "")
            yield Source(full, member.data, api_version, kind)
        else:
            yield Source(full, member.data)
    if not members:
        raise ManifestError([_error(name, f"the archive holds no manifest ({_EXPECTED})")])


class _Wanted:
    """Which files of an archive are read: manifests, and once a bundle's folder was met only those in it."""

    def __init__(self) -> None:
        self._is_bundle = False

    def __call__(self, name: str) -> bool:
        path = PurePosixPath(name)
        if path.suffix.lower() not in MANIFEST_SUFFIXES or path.name.startswith("._"):
            return False
        if is_in_bundle(name):
            self._is_bundle = True
            return type_from_path(name) is not None
        return not self._is_bundle


def _source(name: str, data: bytes, budget: Budget) -> Source:
    budget.keep_file(name, len(data))
    api_version, kind = ("", "")
    if is_in_bundle(name.replace("\\", "/")):
        api_version, kind = type_from_path(name.replace("\\", "/")) or ("", "")
    return Source(name, data, api_version, kind)


def unreadable(name: str, wrong: OSError) -> FieldError:
    """Says why a file cannot be read.

    Args:
        name: the file, as it was given.
        wrong: what reading it raised.
    """
    if isinstance(wrong, FileNotFoundError):
        return FieldError(file=name, type=NOT_FOUND, message="there is no such file")
    return _error(name, f"cannot be read: {wrong.strerror or wrong}")


def _error(name: str, message: str) -> FieldError:
    return FieldError(file=name, type="Syntax", message=message)
