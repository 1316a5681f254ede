"""``playground compare``: where two runs part, and what became of their pods.

Both are traces that ``playground run --trace FILE`` wrote, or that were exported: one event a line. With --server both
are ids of runs there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

import msgspec

from engine.cli.options import add_server
from scheduler_core.errors import SYNTAX, FieldError, ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.trace import Comparison

MOST_SHOWN: Final = 50
_SECOND: Final = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("before", metavar="BEFORE", help="the first trace, or with --server a run's id")
    parser.add_argument("after", metavar="AFTER", help="the second one")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_server(parser, has_cluster=False)


def execute(options: argparse.Namespace) -> int:
    """Tells what differs: 1 if anything does."""
    from scheduler_core.trace import compare_runs

    if options.server:
        found = _found_there(options)
    else:
        found = compare_runs(_lines_of(options.before), _lines_of(options.after))
    if options.format == "json":
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _told(found)))
    return 0 if found.same else 1


def _found_there(options: argparse.Namespace) -> Comparison:
    from engine.cli.server import server_of
    from scheduler_core.trace import Comparison

    server = server_of(options)
    path = f"/runs/{quote(options.before, safe='')}/compare?{urlencode({'with': options.after})}"
    answer = server.ask("GET", path, wait=True)
    found = server.plain(answer)
    if answer.status == 202:
        found = server.finished(found)["result"]
    return msgspec.convert(found, Comparison)


def _lines_of(path: str) -> list[bytes]:
    """Returns the events of a trace.

    Raises:
        ManifestError: it cannot be read, or is none.
    """
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError as wrong:
        from engine.sources import unreadable  # comparing needs no other source

        raise ManifestError([unreadable(path, wrong)]) from wrong
    for number, line in enumerate(lines, start=1):
        if not line.startswith(b'{"seq":%d,"t_us":' % number):
            message = f"expected event {number} of a trace, as playground run --trace writes it"
            raise ManifestError([FieldError(file=path, line=number, column=1, type=SYNTAX, message=message)])
    return lines


def _told(found: Comparison) -> Iterator[str]:
    yield from found.sentences
    if found.placements:
        yield ""
        for change in found.placements[:MOST_SHOWN]:
            yield f"~ {change.pod}: {_node(change.before)} → {_node(change.after)}"
        if found.num_placements > MOST_SHOWN:
            yield f"… and {found.num_placements - MOST_SHOWN} more"
    if found.waits:
        yield ""
        for wait in found.waits[:MOST_SHOWN]:
            yield f"  {wait.pod} waited {wait.before_us / _SECOND:.3f} s → {wait.after_us / _SECOND:.3f} s"
        if found.num_waits > MOST_SHOWN:
            yield f"… and {found.num_waits - MOST_SHOWN} more"


def _node(node: str | None) -> str:
    return "not there" if node is None else node or "pending"
