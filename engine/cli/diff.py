"""``playground diff``: what a change moves, as against the same cluster without it.

Pods that come (+), go (-) and lie elsewhere (~), and how full the nodes are before and after.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

import msgspec

from engine.cli.check import cluster_of, input_of, texts_of
from engine.cli.options import add_cluster, add_manifests, add_server, manifests_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scheduler_core.checks import Difference
    from scheduler_core.checks.differing import MovedPod


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add_manifests(parser)
    parser.add_argument(
        "--delete", dest="deletions", action="append", default=[], metavar="KIND/NAMESPACE/NAME",
        help="an object that the change deletes; may be repeated",
    )  # fmt: skip
    add_cluster(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_server(parser)


def execute(options: argparse.Namespace) -> int:
    """Tells the differences: 1 if there are any, as ``diff`` does."""
    found = _found_there(options) if options.server else _found_here(options)
    if options.format == "json":
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(found)))
    return 1 if found.pods or found.nodes else 0


def _found_here(options: argparse.Namespace) -> Difference:
    from scheduler_core.checks import difference, read_check

    cluster = cluster_of(options)
    asked = input_of(options, cluster)
    return difference(read_check(asked, cluster=[item.object for item in cluster.objects]))


def _found_there(options: argparse.Namespace) -> Difference:
    from engine.cli.there import plan_there
    from scheduler_core.checks import Difference

    manifests = texts_of(manifests_of(options))
    found: Difference = plan_there(
        options, "diff", Difference, manifests=manifests, deletions=options.deletions
    )
    return found


def _lines(found: Difference) -> Iterator[str]:
    for moved in found.pods:
        yield _pod(moved)
    if found.nodes:
        yield ""
        width = max(len(use.node) for use in found.nodes)
        for use in found.nodes:
            parts = [
                f"{resource} {_percent(use.before.get(resource))} → {_percent(use.after.get(resource))}"
                for resource in sorted(use.before.keys() | use.after.keys())
                if use.before.get(resource) != use.after.get(resource)
            ]
            yield f"{use.node:{width}}  {', '.join(parts)}"


def _pod(moved: MovedPod) -> str:
    why = f"  ({moved.why})" if moved.why else ""
    if moved.before is None:
        return f"+ {moved.pod} {moved.after or 'pending'}{why}"
    if moved.after is None:
        return f"- {moved.pod} {moved.before or 'pending'}{why}"
    return f"~ {moved.pod} {moved.before or 'pending'} → {moved.after or 'pending'}{why}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:g} %"
