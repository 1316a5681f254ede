"""``playground validate``: what the API server of v1.34.1 would refuse, in its words, with file and line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import msgspec

from engine.cli.options import add_manifests, manifests_of
from engine.cli.reading import load
from scheduler_core.api import FieldError, ManifestError

if TYPE_CHECKING:
    import argparse

EXIT_INVALID: Final = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_manifests(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")


def execute(options: argparse.Namespace) -> int:
    """Validates what the command line names: 0 if all is well, 2 if anything is not."""
    files = manifests_of(options)
    if not files:
        message = "playground validate: name manifests, or - for stdin"
        raise ManifestError([FieldError(type="Syntax", message=message)])
    try:
        loaded = load(files, strict=True)
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
        _write_json({"valid": True, "errors": (), "objects": len(loaded.objects), "skipped": loaded.skipped})
        return 0
    count = len(loaded.objects)
    print(f"{count} {'object is' if count == 1 else 'objects are'} valid")
    for kind, number in sorted(loaded.skipped.items()):
        print(f"not judged: {number} {kind}", file=sys.stderr)
    for warning in loaded.warnings:
        print(f"note: {warning}", file=sys.stderr)
    return 0


def _write_json(document: object) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")
