"""``--server``: a server's API, asked by the commands, and what it says against a question."""

from __future__ import annotations

import json
import os
import sys
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener
from uuid import uuid4

import msgspec

from engine.cli.options import Progress
from scheduler_core.errors import NOT_FOUND, SYNTAX, FieldError, ManifestError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence
    from email.message import Message

WAIT_SECONDS: Final = 30
TIMEOUT_SECONDS: Final = 120
PAGE: Final = 5000
_OVER: Final = frozenset({"finished", "failed", "cancelled", "interrupted"})


class Answer(NamedTuple):
    """What the server said."""

    status: int
    body: bytes
    location: str


class Files(NamedTuple):
    """Names and contents, sent as a form."""

    each: Sequence[tuple[str, bytes]]


class _Stays(HTTPRedirectHandler):
    """Goes nowhere else: the token is for the server that was named."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


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
        self.url = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
        self._base = f"{self.url}/api/v1"
        self._token = token
        self._opener = build_opener(_Stays)

    def ask(self, method: str, path: str, body: Any = None, *, wait: bool = False) -> Answer:
        """Asks and returns the answer.

        Args:
            method: of HTTP.
            path: below /api/v1.
            body: `Files`, or what is sent as JSON.
            wait: whether the server may take its time.

        Raises:
            ManifestError: the server cannot be reached, or refuses.
        """
        headers = {"Accept": "*/*"}
        if wait:
            headers["Prefer"] = f"wait={WAIT_SECONDS}"
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None
        if isinstance(body, Files):
            headers["Content-Type"], data = _form(body)
        elif body is not None:
            headers["Content-Type"], data = "application/json", msgspec.json.encode(body)
        request = Request(self._base + path, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return Answer(answer.status, answer.read(), answer.headers.get("Location", ""))
        except HTTPError as refusal:
            raise self._refused(refusal.code, refusal.read(), refusal.headers) from None
        except (OSError, HTTPException) as wrong:
            reason = wrong.reason if isinstance(wrong, URLError) else wrong
            raise _of_server(f"{self._base} cannot be reached", reason or type(wrong).__name__) from None

    def read(
        self, path: str, query: Mapping[str, Any] | None = None, *, wait: bool = False
    ) -> dict[str, Any]:
        """Returns the object of JSON at a path.

        Raises:
            ManifestError: the server cannot be reached, or refuses.
        """
        full = f"{path}?{urlencode(query)}" if query else path
        return self.plain(self.ask("GET", full, wait=wait))

    def plain(self, answer: Answer) -> dict[str, Any]:
        """Returns the object of JSON in an answer.

        Raises:
            ManifestError: there is none: another program answers at this address.
        """
        try:
            found = json.loads(answer.body)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise self._no_playground()
        return found

    def pages(self, path: str, **query: str | int) -> list[dict[str, Any]]:
        """Returns all items of a list.

        Raises:
            ManifestError: the server cannot be reached, or refuses.
        """
        found: list[dict[str, Any]] = []
        while True:
            page = self.read(path, {"limit": PAGE, "offset": len(found), **query})
            if "results" not in page:
                raise self._no_playground()
            found += page["results"]
            if not page.get("next") or not page["results"]:
                return found

    def named(self, noun: str, name: str, option: str) -> dict[str, Any]:
        """Returns a cluster or a profile that is given by its id or its name.

        Raises:
            ManifestError: there is none, or there are several.
        """
        listed = self.pages(f"/{noun}s")
        found = [each for each in listed if name == each["id"]] or [
            each for each in listed if name == each["name"]
        ]
        if len(found) == 1:
            return found[0]
        message = "there are several of this name: give its id" if found else f"the server has no such {noun}"
        raise ManifestError([FieldError(field=option, value=name, type=NOT_FOUND, message=message)])

    def finished(self, job: dict[str, Any]) -> dict[str, Any]:
        """Waits for a job's end and returns it; an interrupt cancels it.

        Raises:
            ManifestError: it did not finish.
        """
        return self._awaited(f"/jobs/{quote(job['id'])}", job, lambda told: str(told.get("text", "")))

    def run_over(self, run: dict[str, Any]) -> dict[str, Any]:
        """Waits for a run's end and returns it; an interrupt cancels it.

        Raises:
            ManifestError: it did not finish.
        """
        path = f"/runs/{quote(run['id'])}"
        return self._awaited(path, run, lambda told: f"{told.get('cycles', 0)} cycles")

    def _awaited(self, path: str, work: dict[str, Any], tell: Any) -> dict[str, Any]:
        progress = Progress()
        try:
            while work["status"] not in _OVER:
                progress.tell(tell(work.get("progress") or {}))
                began = time.monotonic()
                work = self.read(path, wait=True)
                if time.monotonic() - began < 0.2 and work["status"] not in _OVER:
                    time.sleep(0.5)  # it does not wait for us
        except KeyboardInterrupt:
            self.ask("POST", f"{path}/cancel")
            raise
        finally:
            progress.clear()
        if work["status"] != "finished":
            raise _not_finished(work)
        return work

    def _refused(self, status: int, body: bytes, headers: Message) -> Exception:
        """Returns what a refusal means here: wrong input, or a fault of the server."""
        if 300 <= status < 400:
            return _of_server(f"{self._base} answers with another address", headers.get("Location", ""))
        try:
            problem = json.loads(body)
        except ValueError:
            problem = None
        detail = ""
        if isinstance(problem, dict):
            detail = str(problem.get("detail") or problem.get("title") or "")
        elif status == 404:
            return self._no_playground()
        detail = detail or "no reason was given"
        if status >= 500:
            return RuntimeError(f"the server answered {status}: {detail}")
        errors = _errors(problem.get("errors") or ()) if isinstance(problem, dict) else []
        if status == 401 and not self._token:
            detail += " Name a token by --token, or by PLAYGROUND_TOKEN in the environment."
        return ManifestError(errors or [FieldError(type=f"the server refused ({status})", message=detail)])

    def _no_playground(self) -> ManifestError:
        return _of_server(f"{self._base} is not the API of a playground", "is the address right?")


def server_of(options: argparse.Namespace) -> Server:
    """Returns the server that the options name, with the token of --token or of the environment.

    Raises:
        ManifestError: the address is none.
    """
    return Server(options.server, options.token or os.environ.get("PLAYGROUND_TOKEN", ""))


def _of_server(what: str, why: object) -> ManifestError:
    return ManifestError([FieldError(field="--server", type=what, message=str(why))])


def _form(files: Files) -> tuple[str, bytes]:
    """Returns the type and the bytes of a form with files; their paths go with them, a form's names have none."""
    boundary = uuid4().hex
    parts: list[bytes] = []
    for name, data in files.each:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="path"\r\n\r\n{name}\r\n'
        head += f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n'
        parts += [head.encode(), data, b"\r\n"]
    return f"multipart/form-data; boundary={boundary}", b"".join([*parts, f"--{boundary}--\r\n".encode()])


def _not_finished(work: Mapping[str, Any]) -> Exception:
    errors = _errors(work.get("errors") or ())
    if errors:
        return ManifestError(errors)
    if work["status"] == "cancelled":
        return ManifestError([FieldError(type=SYNTAX, message="it was cancelled on the server")])
    return RuntimeError(work.get("message") or f"on the server {work['id']} is {work['status']}")


def _errors(told: Sequence[Any]) -> list[FieldError]:
    try:
        return msgspec.convert(told, list[FieldError])
    except msgspec.ValidationError:
        print("the server's errors cannot be read", file=sys.stderr)
        return []
