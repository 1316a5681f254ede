"""What the commands share: naming files, reading them, telling what came of it, writing a cluster."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.cli.options import is_live
from engine.collector import collect_rarely, set_aside
from engine.parsed_cache import content_key, read_copy, write_copy
from engine.sources import read_sources
from scheduler_core.api import (
    FieldError,
    Limits,
    ManifestError,
    export,
    import_report,
    load_manifests,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from scheduler_core.api import Loaded

# Ten times and more what the browser takes: a machine of one's own may be filled by a file of one's own.
LIMITS: Final = Limits(bytes=2**30, nodes=100_000_000)
_YAML: Final = frozenset({".yaml", ".yml"})


def add_files(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Adds the option that names what to read."""
    parser.add_argument(
        "-f", dest="files", action="append", metavar="FILE", required=required,
        help="a file of manifests, a folder, an archive, a support bundle, or - for stdin; may be repeated",
    )  # fmt: skip


def load(files: Iterable[str], *, skip_invalid: bool = False, strict: bool = False) -> Loaded:
    """Reads all that the command line names.

    Raises:
        ManifestError: with all that is wrong.
    """
    loaded = read_objects(files, skip_invalid=skip_invalid, strict=strict)
    collect_again()
    return loaded


def read_objects(files: Iterable[str], *, skip_invalid: bool = False, strict: bool = False) -> Loaded:
    """Reads as ``load`` does; whoever calls it says when garbage is to be collected again.

    Raises:
        ManifestError: with all that is wrong.
    """
    sources = read_sources(files, max_bytes=LIMITS.bytes)
    return load_manifests(sources, skip_invalid=skip_invalid, strict=strict, limits=LIMITS)


def collect_again(*, rarely: bool = False) -> None:
    """Has garbage collected from here on, without looking at what there is: it lives to the end.

    Args:
        rarely: what follows is one run, which leaves hardly any garbage.
    """
    if gc.isenabled():
        return  # the process is not the command line's own
    if rarely:
        collect_rarely()
    set_aside()
    gc.enable()


def load_cluster(options: argparse.Namespace, files: Iterable[str]) -> Loaded:
    """Reads a cluster; what took long the first time is kept in the user's cache folder.

    Args:
        options: whether kubectl is asked, whether what is wrong is left out, whether a copy may serve.
        files: as named.

    Raises:
        ManifestError: with all that is wrong.
    """
    if is_live(options):
        from engine.live import read_live  # hardly ever needed

        sources = read_live(options.context)
    else:
        sources = read_sources(files, max_bytes=LIMITS.bytes)
    skip_invalid = options.skip_invalid
    key = content_key(sources) if not (options.no_cache or skip_invalid or options.live) else None
    loaded = read_copy(key) if key is not None else None
    if loaded is None:
        loaded = load_manifests(sources, skip_invalid=skip_invalid, limits=LIMITS)
        if key is not None:
            write_copy(key, loaded)
    collect_again()
    return loaded


def read_text(path: str | None) -> str:
    """Returns the text of a file, such as a configuration; no file is an empty text.

    Raises:
        ManifestError: when it cannot be read.
    """
    if path is None:
        return ""
    (source,) = read_sources([path])
    return source.text.decode("utf-8", "replace") if isinstance(source.text, bytes) else ""


def bytes_of(text: str | bytes | Iterable[bytes]) -> bytes:
    """Returns the bytes of a source, however it holds them."""
    if isinstance(text, str):
        return text.encode()
    return text if isinstance(text, bytes) else b"".join(text)


def note_report(loaded: Loaded) -> None:
    """Tells on stderr what was left out of an import, and what looks wrong in it."""
    for error in loaded.errors:
        print(f"left out: {error.sentence()}", file=sys.stderr)
    report = import_report(loaded)
    if report.skipped:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(report.skipped.items()))
        print(f"not read by scheduling: {kinds}", file=sys.stderr)
    for finding in report.suspicious:
        print(f"suspicious: {finding.sentence()}", file=sys.stderr)


def write_text(path: str, text: str) -> None:
    """Writes a report to a file, or to stdout for ``-``.

    Raises:
        ManifestError: when the file cannot be written.
    """
    if path == "-":
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads has enough; the exit code still tells how it went
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise _cannot_write(path, wrong) from wrong


def write_export(path: str, objects: Iterable[dict[str, Any]], *, captured_at: str = "") -> None:
    """Writes a cluster to a file, or to stdout for ``-``; the name's ending says how.

    Raises:
        ManifestError: when the file cannot be written.
    """
    format_: Any = "yaml" if Path(path).suffix.lower() in _YAML else "json"
    write_bytes(path, export(objects, format_, captured_at=captured_at))


def write_bytes(path: str, data: bytes) -> None:
    """Writes a file of text, or to stdout for ``-``.

    Raises:
        ManifestError: when the file cannot be written.
    """
    if path == "-":
        sys.stdout.write(data.decode())
        return
    try:
        Path(path).write_bytes(data)
    except OSError as wrong:
        raise _cannot_write(path, wrong) from wrong


def _cannot_write(path: str, wrong: OSError) -> ManifestError:
    message = f"cannot be written: {wrong.strerror}"
    return ManifestError([FieldError(file=path, type="Syntax", message=message)])
