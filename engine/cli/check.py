"""``playground check``: manifests, and deletions, against a cluster and what is expected of it; one exit code.

Without --expect, and without a document of kind Expectations among the manifests, all pods of the manifests must get
a node.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from engine.cli.options import (
    Progress,
    add_cluster,
    add_manifests,
    add_server,
    has_color,
    is_live,
    manifests_of,
)
from engine.cli.reading import LIMITS, bytes_of, load_cluster, note_report, read_text, write_text
from engine.sources import read_sources
from scheduler_core.checks.reports import FORMATS, render
from scheduler_core.errors import FieldError, ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api import Loaded
    from scheduler_core.checks import CheckInput, NamedText, Verdict

_STDOUT: Final = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_manifests(parser)
    parser.add_argument(
        "--delete", dest="deletions", action="append", default=[], metavar="KIND/NAMESPACE/NAME",
        help="an object that the change deletes, such as Deployment/shop/web; may be repeated",
    )  # fmt: skip
    add_cluster(parser)
    parser.add_argument(
        "--expect", dest="expectations", action="append", default=[], metavar="FILE",
        help="a file or folder of documents of kind Expectations; may be repeated",
    )  # fmt: skip
    parser.add_argument("--orders", type=int, metavar="N", help="try n orders of arrival, with other ties")
    parser.add_argument(
        "--baseline", action=argparse.BooleanOptionalAction, default=None,
        help="whether only what is worse than without the change counts",
    )  # fmt: skip
    parser.add_argument(
        "--max-snapshot-age", metavar="DURATION", help="how old the cluster may be, such as 24h"
    )
    parser.add_argument("--captured-at", metavar="TIME", help="when the cluster was read, RFC 3339")
    parser.add_argument("--name", default="", help="what the reports call the check")
    parser.add_argument(
        "--workers", type=int, metavar="N", help="how many processes try orders (default: one a core)"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="of the report (default: text)")
    parser.add_argument(
        "-o", "--output", default=_STDOUT, metavar="FILE", help="where the report goes (default: stdout)"
    )
    parser.add_argument(
        "--report", dest="reports", action="append", default=[], metavar="FORMAT=FILE", type=_report,
        help="a further report, such as junit=report.xml; may be repeated",
    )  # fmt: skip
    add_server(parser)


def _report(text: str) -> tuple[str, str]:
    format_, _, path = text.partition("=")
    if format_ not in FORMATS or not path:
        raise argparse.ArgumentTypeError(
            f"expected FORMAT=FILE with a format of {', '.join(FORMATS)}, got {text!r}"
        )
    return format_, path


def execute(options: argparse.Namespace) -> int:
    """Checks, writes the reports, and returns the verdict's exit code."""
    from scheduler_core.checks import exit_code  # the rest of the core is needed only now

    files = manifests_of(options)
    if not files and not options.deletions:
        raise ManifestError([_usage("nothing to check: name manifests with -f, or objects with --delete")])
    if options.server:
        from engine.cli.there import check_there

        verdict = check_there(options, manifests=texts_of(files), documents=texts_of(options.expectations))
    else:
        verdict = _check_here(options)
    for format_, path in ((options.format, options.output), *options.reports):
        write_text(path, render(verdict, format_, color=has_color(path)))
    if options.output != _STDOUT:
        print(verdict.summary, file=sys.stderr)
    return exit_code(verdict)


def _check_here(options: argparse.Namespace) -> Verdict:
    from engine.checking import run_check

    cluster = cluster_of(options)
    progress = Progress()
    try:
        return run_check(
            input_of(options, cluster),
            cluster=cluster.objects,
            limits=LIMITS,
            progress=lambda told: progress.tell(
                f"{told.done} of {told.total}: {told.text}" if told.total > 1 else ""
            ),
            workers=options.workers,
        )
    finally:
        progress.clear()


def cluster_of(options: argparse.Namespace) -> Loaded:
    """Reads the cluster; without one there are no nodes."""
    from scheduler_core.api import Loaded

    if not options.cluster and not is_live(options):
        print("note: no --cluster is named: there are no nodes", file=sys.stderr)
        return Loaded([], (), {}, ())
    loaded = load_cluster(options, options.cluster or ())
    note_report(loaded)
    return loaded


def input_of(options: argparse.Namespace, cluster: Loaded) -> CheckInput:
    """Returns the check that the options ask for; options that a command does not have are at their default."""
    from scheduler_core.checks import CheckInput

    return CheckInput(
        name=getattr(options, "name", ""),
        manifests=texts_of(manifests_of(options)),
        deletions=tuple(options.deletions),
        captured_at=getattr(options, "captured_at", "") or cluster.captured_at,
        checked_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        config=read_text(options.config) or cluster.scheduler_config,
        config_name=options.config or "config",
        expectations=texts_of(getattr(options, "expectations", ())),
        orders=getattr(options, "orders", None),
        baseline=getattr(options, "baseline", None),
        max_snapshot_age=getattr(options, "max_snapshot_age", None),
        seed=options.seed,
    )


def texts_of(files: Iterable[str]) -> tuple[NamedText, ...]:
    """Returns files of manifests as texts.

    Raises:
        ManifestError: with every file that cannot be read.
    """
    from scheduler_core.api import decode_text
    from scheduler_core.checks import NamedText

    found = []
    for source in read_sources(files, max_bytes=LIMITS.bytes) if files else ():
        text = (
            source.text if isinstance(source.text, str) else decode_text(source.name, bytes_of(source.text))
        )
        found.append(NamedText(name=source.name, text=text))
    return tuple(found)


def _usage(message: str) -> FieldError:
    return FieldError(type="Syntax", message=f"playground check: {message}")
