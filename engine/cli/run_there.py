"""``playground run --server``: a run of a cluster that the server has, told as one of here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from engine.cli.options import asked_options
from engine.cli.reading import read_text, write_bytes
from engine.cli.server import server_of
from engine.cli.there import cluster_there
from engine.scenarios import plain_scenario
from scheduler_core.errors import SYNTAX, FieldError, ManifestError
from scheduler_core.simulator import RunResult

if TYPE_CHECKING:
    import argparse

    from engine.cli.server import Server


def run_there(options: argparse.Namespace) -> tuple[RunResult, dict[str, Any], dict[str, str]]:
    """Runs a cluster on the server that the options name.

    Returns:
        How it ended; the cluster as the API tells it; and the pods that had a node before.

    Raises:
        ManifestError: with all that the server has against it.
    """
    if options.files:
        message = "with --server the cluster is one of the server: name it by --cluster"
        raise ManifestError([FieldError(field="-f", type=SYNTAX, message=message)])
    server = server_of(options)
    cluster, profile = cluster_there(server, options)
    body = {"cluster": cluster["id"], "revision": cluster["revision"], "profile": profile, **_asked(options)}
    run = server.run_over(server.plain(server.ask("POST", "/runs", body, wait=True)))
    path = f"/runs/{quote(run['id'])}"
    print(f"the run: {server.url}{path}/", file=sys.stderr)
    if options.trace:
        write_bytes(options.trace, server.ask("GET", f"{path}/export").body)
    if options.export:
        write_bytes(options.export, _end_state(server, path, options.export))
    told = server.read(f"{path}/placements")
    pods = server.pages(f"/clusters/{quote(cluster['id'])}/pods", revision=cluster["revision"])
    before = {f"{pod['namespace']}/{pod['name']}": pod["node"] for pod in pods if pod.get("node")}
    return msgspec.convert({**run, **told["ending"], **told}, RunResult), cluster, before


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    """Returns the edits, the question and the options of the run."""
    given: dict[str, Any] = {}
    edits: list[Any] = []
    question = None
    if options.scenario:
        scenario = plain_scenario(read_text(options.scenario).encode(), options.scenario)
        edits, question = scenario.edits, scenario.question
        given |= scenario.options
    return {"edits": edits, "question": question, "options": given | asked_options(options)}


def _end_state(server: Server, path: str, file: str) -> bytes:
    format_ = "yaml" if file.endswith((".yaml", ".yml")) else "json"
    answer = server.ask("GET", f"{path}/end-state?format={format_}", wait=True)
    if answer.status == 202:
        server.finished(server.plain(answer))
        answer = server.ask("GET", f"{path}/end-state?format={format_}")
    return answer.body
