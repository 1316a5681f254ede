"""Files, folders and stdin → sources for the manifest reader."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scheduler_core.api import DEFAULT_LIMITS, FieldError, ManifestError, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN: Final = "-"
MANIFEST_SUFFIXES: Final = frozenset({".yaml", ".yml", ".json"})
_MEBIBYTE: Final = 1024 * 1024


def read_sources(names: Iterable[str], *, max_bytes: int = DEFAULT_LIMITS.bytes) -> list[Source]:
    """Reads files, the manifests below folders, and stdin (``-``).

    Raises:
        ManifestError: with every name that cannot be read, or that is too large.
    """
    sources: list[Source] = []
    errors: list[FieldError] = []
    for name in names:
        try:
            sources.extend(_read(name, max_bytes))
        except OSError as wrong:
            reason = wrong.strerror or str(wrong)
            errors.append(FieldError(file=name, type="Syntax", message=f"cannot be read: {reason}"))
        except ManifestError as wrong:
            errors.extend(wrong.errors)
    if errors:
        raise ManifestError(errors)
    return sources


def _read(name: str, max_bytes: int) -> Iterator[Source]:
    if name == STDIN:
        yield _checked("stdin", sys.stdin.buffer.read(max_bytes + 1), max_bytes)
        return
    path = Path(name)
    if not path.is_dir():
        with path.open("rb") as file:
            yield _checked(name, file.read(max_bytes + 1), max_bytes)
        return
    found = sorted(below for below in path.rglob("*") if below.suffix.lower() in MANIFEST_SUFFIXES)
    if not found:
        expected = ", ".join(sorted(MANIFEST_SUFFIXES))
        raise ManifestError(
            [FieldError(file=name, type="Syntax", message=f"the folder holds no manifest ({expected})")]
        )
    for manifest in found:
        yield from _read(str(manifest), max_bytes)


def _checked(name: str, data: bytes, max_bytes: int) -> Source:
    if len(data) > max_bytes:
        message = f"is larger than {max_bytes // _MEBIBYTE} MiB"
        raise ManifestError([FieldError(file=name, type="Limit", message=message)])
    return Source(name, data)
