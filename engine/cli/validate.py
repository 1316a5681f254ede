"""``playground validate``: what the API server of v1.34.1 would refuse, in its words, with file and line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from engine.cli.options import add_manifests, add_server, manifests_of
from engine.cli.reading import LIMITS, bytes_of, load
from scheduler_core.api import FieldError, ManifestError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

EXIT_INVALID: Final = 2


class Judged(NamedTuple):
    """Manifests that are all valid: how many objects, kinds that are not judged, what looks odd."""

    objects: int
    skipped: Mapping[str, int]
    warnings: Sequence[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_manifests(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_server(parser, has_cluster=False)


def execute(options: argparse.Namespace) -> int:
    """Validates what the command line names: 0 if all is well, 2 if anything is not."""
    files = manifests_of(options)
    if not files:
        message = "playground validate: name manifests, or - for stdin"
        raise ManifestError([FieldError(type="Syntax", message=message)])
    try:
        judged = _judged_there(options, files) if options.server else _judged_here(files)
    except ManifestError as refusal:
        if options.format == "json":
            _write_json({"valid": False, "errors": refusal.errors})
        else:
            for error in refusal.errors:
                print(error.sentence())
            count = len(refusal.errors)
            print(f"{count} {'error' if count == 1 else 'errors'}", file=sys.stderr)
        return EXIT_INVALID
    if options.format == "json":
        _write_json({"valid": True, "errors": (), "objects": judged.objects, "skipped": judged.skipped})
        return 0
    print(f"{judged.objects} {'object is' if judged.objects == 1 else 'objects are'} valid")
    for kind, number in sorted(judged.skipped.items()):
        print(f"not judged: {number} {kind}", file=sys.stderr)
    for warning in judged.warnings:
        print(f"note: {warning}", file=sys.stderr)
    return 0


def _judged_here(files: Sequence[str]) -> Judged:
    loaded = load(files, strict=True)
    return Judged(len(loaded.objects), loaded.skipped, loaded.warnings)


def _judged_there(options: argparse.Namespace, files: Sequence[str]) -> Judged:
    """Has a server judge what the command line names; where it runs another version, its words count."""
    from engine.cli.server import Files, server_of
    from engine.sources import read_sources

    server = server_of(options)
    each = [(source.name, bytes_of(source.text)) for source in read_sources(files, max_bytes=LIMITS.bytes)]
    found = server.plain(server.ask("POST", "/manifests", Files(each)))
    return Judged(len(found["objects"]), found["skipped"], found["warnings"])


def _write_json(document: object) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")
