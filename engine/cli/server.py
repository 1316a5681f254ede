"""``--server``: has a check made by a server's API, and follows it to its verdict."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec

from engine.cli.options import Progress
from engine.cli.reading import read_text
from scheduler_core.checks import decode_verdict
from scheduler_core.errors import NOT_FOUND, SYNTAX, FieldError, ManifestError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scheduler_core.checks import NamedText, Verdict

WAIT_SECONDS: Final = 30
TIMEOUT_SECONDS: Final = 120
_OVER: Final = frozenset({"failed", "cancelled", "interrupted"})


class Answer(NamedTuple):
    """What the server said."""

    status: int
    body: bytes


class Server:
    """A server's API under one address, with one token."""

    def __init__(self, url: str, token: str) -> None:
        """Takes the address.

        Raises:
            ManifestError: it is none.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            message = "expected an address such as https://playground.example"
            raise ManifestError([FieldError(field="--server", value=url, message=message)])
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v1"
        self._token = token

    def ask(self, method: str, path: str, body: Any = None, *, wait: bool = False) -> Answer:
        """Asks and returns the answer.

        Args:
            method: of HTTP.
            path: below /api/v1.
            body: as JSON.
            wait: whether the server may take its time.

        Raises:
            ManifestError: the server cannot be reached, or refuses.
        """
        headers = {"Accept": "application/json"}
        if wait:
            headers["Prefer"] = f"wait={WAIT_SECONDS}"
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = msgspec.json.encode(body)
        url = self._base + path
        request = Request(url, data=data, headers=headers, method=method)
        try:
            with urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                return Answer(answer.status, answer.read())
        except HTTPError as refusal:
            raise _refused(refusal.code, refusal.read()) from None
        except (URLError, OSError) as wrong:
            reason = getattr(wrong, "reason", wrong)
            message = f"{self._base} cannot be reached: {reason}"
            raise ManifestError([FieldError(field="--server", type=SYNTAX, message=message)]) from None

    def cluster_id(self, name: str) -> str:
        """Returns the id of a cluster, given by id or by name.

        Raises:
            ManifestError: there is none, or there are several.
        """
        found, path = [], "/clusters"
        while path:
            page = json.loads(self.ask("GET", path).body)
            found += [each for each in page["results"] if name in (each["id"], each["name"])]
            following = page.get("next")
            path = f"/clusters?{urlsplit(following).query}" if following else ""
        if len(found) != 1:
            message = (
                "there are several of this name: give its id" if found else "the server has no such cluster"
            )
            raise ManifestError([FieldError(field="--cluster", value=name, type=NOT_FOUND, message=message)])
        return str(found[0]["id"])


def check_there(
    options: argparse.Namespace, manifests: Sequence[NamedText], documents: Sequence[NamedText]
) -> Verdict:
    """Has a check made by the server that the options name.

    Raises:
        ManifestError: with all that the server has against it.
    """
    server = Server(options.server, options.token or os.environ.get("PLAYGROUND_TOKEN", ""))
    if len(options.cluster or ()) != 1:
        message = "with --server, name one cluster by its id or name"
        raise ManifestError([FieldError(field="--cluster", type=SYNTAX, message=message)])
    if options.config:
        read_text(options.config)
        message = "with --server the configuration is a profile of the server: name its id by --profile"
        raise ManifestError([FieldError(field="--config", type=SYNTAX, message=message)])
    body = {
        "cluster": server.cluster_id(options.cluster[0]),
        "profile": options.profile,
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
        return decode_verdict(answer.body)
    return _follow(server, json.loads(answer.body))


def _follow(server: Server, job: dict[str, Any]) -> Verdict:
    """Waits for a job's end and fetches the verdict."""
    progress = Progress()
    path = f"/jobs/{quote(job['id'])}"
    try:
        while job["status"] != "finished":
            if job["status"] in _OVER:
                raise _job_failed(job)
            told = job.get("progress") or {}
            progress.tell(str(told.get("text", "")))
            began = time.monotonic()
            job = json.loads(server.ask("GET", path, wait=True).body)
            if time.monotonic() - began < 0.2 and job["status"] not in _OVER | {"finished"}:
                time.sleep(0.5)  # it does not wait for us
    except KeyboardInterrupt:
        server.ask("POST", f"{path}/cancel")
        raise
    finally:
        progress.clear()
    return decode_verdict(
        server.ask("GET", f"/checks/{quote(job['result']['check'])}/report?format=json").body
    )


def _job_failed(job: dict[str, Any]) -> Exception:
    errors = _errors(job.get("errors") or ())
    if errors:
        return ManifestError(errors)
    if job["status"] == "cancelled":
        return ManifestError([FieldError(type=SYNTAX, message="the check was cancelled on the server")])
    return RuntimeError(job.get("message") or f"the server's job {job['id']} {job['status']}")


def _refused(status: int, body: bytes) -> Exception:
    """Returns what a refusal means here: wrong input, or a fault of the server."""
    try:
        problem = json.loads(body)
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    detail = str(problem.get("detail") or problem.get("title") or "no reason was given")
    if status >= 500:
        return RuntimeError(f"the server answered {status}: {detail}")
    errors = _errors(problem.get("errors") or ())
    return ManifestError(
        errors or [FieldError(type=SYNTAX, message=f"the server refused ({status}): {detail}")]
    )


def _errors(told: Sequence[Any]) -> list[FieldError]:
    try:
        return msgspec.convert(told, list[FieldError])
    except msgspec.ValidationError:
        print("the server's errors cannot be read", file=sys.stderr)
        return []
