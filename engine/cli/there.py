"""What the commands ask a server with ``--server``: a check, a run, a plan, with what it has by its names."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import msgspec

from engine.cli.server import server_of
from scheduler_core.errors import SYNTAX, FieldError, ManifestError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from engine.cli.server import Server
    from scheduler_core.checks import NamedText, Verdict

_HERE_ALONE: Final = {
    "config": "the configuration is a profile of the server: name it by --profile",
    "live": "the cluster is one of the server: import it there",
    "skip_invalid": "the cluster is read already",
}


def cluster_there(server: Server, options: argparse.Namespace) -> tuple[dict[str, Any], str | None]:
    """Returns the cluster that the options name, and the profile's id: the named one, or what came with the cluster.

    Raises:
        ManifestError: there is none, or an option is of no use with a server.
    """
    for name, why in _HERE_ALONE.items():
        if getattr(options, name, None):
            raise _usage(f"--{name.replace('_', '-')}", f"with --server {why}")
    if len(options.cluster or ()) != 1:
        raise _usage("--cluster", "with --server, name one cluster by its id or name")
    cluster = server.named("cluster", options.cluster[0], "--cluster")
    if options.profile:
        return cluster, server.named("profile", options.profile, "--profile")["id"]
    return cluster, cluster.get("profile")


def check_there(
    options: argparse.Namespace, manifests: Sequence[NamedText], documents: Sequence[NamedText]
) -> Verdict:
    """Has a check made by the server that the options name.

    Raises:
        ManifestError: with all that the server has against it.
    """
    from scheduler_core.checks import decode_verdict

    server = server_of(options)
    cluster, profile = cluster_there(server, options)
    body = {
        "cluster": cluster["id"],
        "profile": profile,
        "name": options.name,
        "manifests": manifests,
        "deletions": options.deletions,
        "expectations": documents,
        "orders": options.orders,
        "baseline": options.baseline,
        "max_snapshot_age": options.max_snapshot_age,
        "captured_at": options.captured_at,
        "seed": options.seed,
    }
    answer = server.ask("POST", "/checks", body, wait=True)
    if answer.status == 201:
        check = answer.location.rpartition("/")[2]
    else:
        check = server.finished(server.plain(answer))["result"]["check"]
        answer = server.ask("GET", f"/checks/{quote(check)}/report?format=json")
    print(f"the check: {server.url}/checks/{check}/", file=sys.stderr)
    return decode_verdict(answer.body)


def plan_there(options: argparse.Namespace, question: str, type_: Any, **asked: Any) -> Any:
    """Has a question about a cluster answered by the server that the options name.

    Args:
        options: of the command.
        question: of POST /plans.
        type_: of the answer.
        asked: what else the question has; nothing of it is left out.

    Raises:
        ManifestError: with all that the server has against it.
    """
    server = server_of(options)
    cluster, profile = cluster_there(server, options)
    given = {name: value for name, value in asked.items() if value not in (None, "", (), [])}
    body = {
        "cluster": cluster["id"],
        "profile": profile,
        "question": question,
        "options": {"seed": options.seed},
        **given,
    }
    answer = server.ask("POST", "/plans", body, wait=True)
    found = server.plain(answer)
    if answer.status == 202:
        found = server.finished(found)["result"]
    return msgspec.convert(found["answer"], type_)


def _usage(field: str, message: str) -> ManifestError:
    return ManifestError([FieldError(field=field, type=SYNTAX, message=message)])
