"""``playground redact``: a cluster under other names, for a bug report; every decision stays the same."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import yaml

from engine.cli.reading import add_files, load, note_report, read_text, write_export
from scheduler_core.api import Redaction
from scheduler_core.config import load_config

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_files(parser)
    parser.add_argument("-o", dest="output", metavar="FILE", default="-", help="where to: .yaml, else JSON")
    parser.add_argument(
        "--config", metavar="FILE", help="a KubeSchedulerConfiguration; the names in it are kept"
    )
    parser.add_argument("--skip-invalid", action="store_true", help="leave out objects that are wrong")


def execute(options: argparse.Namespace) -> int:
    """Redacts what the command line names."""
    loaded = load(options.files, skip_invalid=options.skip_invalid)
    note_report(loaded)
    text = loaded.scheduler_config
    if options.config:
        text = read_text(options.config)
        load_config(text, options.config)
    objects = [item.object for item in loaded.objects]
    redaction = Redaction(objects, keep=_texts(yaml.safe_load(text)) if text else ())
    redacted = [raw for obj in objects if (raw := redaction.redacted(obj)) is not None]
    if len(redacted) < len(objects):
        count = len(objects) - len(redacted)
        print(
            f"left out: {count} objects of dynamic resource allocation: they hold expressions",
            file=sys.stderr,
        )
    write_export(options.output, redacted, captured_at=loaded.captured_at)
    return 0


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
