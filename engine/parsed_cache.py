"""Parsed copies of large dumps in the user's cache folder, found by the content's hash.

A copy holds the scrubbed objects as they would be stored, one a line, and nothing that would be run. It is found only
by the same bytes under the same names, read by the same code.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

import scheduler_core.api
from scheduler_core.api import Loaded, LoadedObject, decode_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.api import Source

MIN_BYTES: Final = 200_000
"""Less than this is read as fast as its copy."""
MAX_COPIES: Final = 20
_VERSION: Final = 1
_FOLDER: Final = "scheduler-playground"


class _Head(msgspec.Struct, frozen=True):
    """What a copy holds beside the objects: all else that reading gave."""

    skipped: dict[str, int]
    warnings: tuple[str, ...]
    scheduler_config: str
    captured_at: str
    objects: int


def cache_folder() -> Path:
    """Returns where copies lie: below XDG_CACHE_HOME, or ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / _FOLDER / "parsed"


def content_key(sources: Sequence[Source]) -> str | None:
    """Returns what a copy of these sources is called, or None where none is worth it."""
    size = sum(len(source.text) for source in sources if isinstance(source.text, bytes))
    if size < MIN_BYTES or not all(isinstance(source.text, bytes) for source in sources):
        return None
    digest = hashlib.sha256(f"{_VERSION}\0{_code_stamp()}".encode())
    for source in sources:
        assert isinstance(source.text, bytes)
        digest.update(f"\0{source.name}\0{source.api_version}\0{source.kind}\0{len(source.text)}\0".encode())
        digest.update(source.text)
    return digest.hexdigest()


def read_copy(key: str) -> Loaded | None:
    """Returns what an earlier reading gave; None where there is no copy, or one that cannot be used."""
    path = cache_folder() / f"{key}.jsonl"
    try:
        head, *lines = path.read_bytes().splitlines()
        told = msgspec.json.decode(head, type=_Head)
        objects = list(map(_object, lines))
    except (OSError, ValueError, msgspec.DecodeError):
        return None
    if len(objects) != told.objects:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # the copies used last are kept
    return Loaded(
        objects=objects,
        errors=(),
        skipped=told.skipped,
        warnings=told.warnings,
        scheduler_config=told.scheduler_config,
        captured_at=told.captured_at,
    )


def write_copy(key: str, loaded: Loaded) -> None:
    """Keeps what reading gave; a cache that cannot be written is none."""
    if loaded.errors:
        return
    told = _Head(
        skipped=loaded.skipped,
        warnings=loaded.warnings,
        scheduler_config=loaded.scheduler_config,
        captured_at=loaded.captured_at,
        objects=len(loaded.objects),
    )
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / f"{key}.{os.getpid()}.tmp"
        path.touch(mode=0o600)
        path.write_bytes(b"\n".join((msgspec.json.encode(told), *_lines(loaded))))
        path.replace(folder / f"{key}.jsonl")
        _prune(folder)
    except OSError:
        return


def _lines(loaded: Loaded) -> Iterator[bytes]:
    for item in loaded.objects:
        place = msgspec.json.encode((item.kind, item.namespace, item.name))
        yield b"[%b,%b]" % (place, item.canonical)


def _object(line: bytes) -> LoadedObject:
    (kind, namespace, name), canonical = msgspec.json.decode(
        line, type=tuple[tuple[str, str, str], msgspec.Raw]
    )
    data = bytes(canonical)
    return LoadedObject(kind, namespace, name, decode_object(msgspec.json.decode(data)), data)


def _prune(folder: Path) -> None:
    copies = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in copies[MAX_COPIES:]:
        path.unlink(missing_ok=True)


def _code_stamp() -> int:
    """Returns what changes whenever the reading code does."""
    folder = Path(scheduler_core.api.__file__).parent
    return max(path.stat().st_mtime_ns for path in folder.rglob("*.py"))
