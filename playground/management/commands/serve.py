"""`manage.py serve`: everything on this machine in one process and one child per run."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, OperationalError

from playground.apps import LOCAL_WORKSPACE_ID
from playground.clusters.examples import load_examples_once
from playground.models import Workspace
from playground.origins import is_loopback
from playground.storage import sentence_of
from playground.worker import EmbeddedWorker

REFUSED = 2
INTERRUPTED = 130


class Server(uvicorn.Server):
    """Says where it listens once it does."""

    address = ""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            print(f"Scheduler Playground on {self.address}  (Ctrl-C ends it)", flush=True)


class Command(BaseCommand):
    """Everything in one process."""

    help = (
        "Serves the playground on this machine: migrates, loads the examples, starts the server and a worker."
    )
    requires_system_checks: list[str] = []
    _is_interrupted = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
        parser.add_argument("--host", default="127.0.0.1")

    def handle(self, *args: Any, port: int, host: str, **options: Any) -> None:
        if settings.REDIS_URL:
            raise CommandError(
                "REDIS_URL is set: start `uvicorn playground.asgi:application` and "
                "`celery -A playground worker -P threads` instead.",
                returncode=REFUSED,
            )
        if not (is_loopback(host) or settings.LOGIN_REQUIRED or settings.ALLOW_ANONYMOUS):
            raise CommandError(
                f"{host} is not a loopback address: set ALLOWED_HOSTS to the names this server is to have. "
                "Then it asks for a login or a token (docs/how-to/tokens.md).",
                returncode=REFUSED,
            )
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        signal.signal(signal.SIGINT, self._interrupt)
        listener = listen(host, port)
        try:
            with listener, lock(settings.VAR_DIR):
                self._serve(listener)
        except (DatabaseError, OSError) as error:
            words = sentence_of(error, settings.VAR_DIR)
            if words is None and isinstance(error, OperationalError):
                words = f"The database cannot be used: {str(error).strip()}"
            if words is None:
                raise
            raise CommandError(words, returncode=REFUSED) from error

    def _interrupt(self, *_signal: object) -> None:
        """Ctrl-C while it starts. Where the exception is swallowed (in a finalizer, say), what is noted ends it."""
        self._is_interrupted = True
        raise KeyboardInterrupt

    def _serve(self, listener: socket.socket) -> None:
        prepare()
        worker = EmbeddedWorker()
        worker.start()
        try:
            if self._is_interrupted:
                raise KeyboardInterrupt
            server = Server(
                uvicorn.Config(
                    "playground.asgi:application",
                    log_level="warning",
                    log_config=None,
                    access_log=False,
                    proxy_headers=False,
                    ws_max_size=64 << 10,
                    ws_per_message_deflate=False,
                    timeout_graceful_shutdown=1,
                )
            )
            server.address = address_of(listener)
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            pass
        finally:
            signal.signal(signal.SIGINT, end_at_once)
            worker.stop()


def end_at_once(*_signal: object) -> None:
    """Ends the process for a further Ctrl-C; the kernel ends its children and the next start takes up what was open."""
    os.write(2, b"Ended at once; runs that were being computed are marked at the next start.\n")
    os._exit(INTERRUPTED)


def listen(host: str, port: int) -> socket.socket:
    """Returns a listening socket.

    Args:
        host: an address of this machine.
        port: 0 takes a free one.

    Raises:
        CommandError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(
            f"Port {port} on {host} cannot be used: {reason}. Choose another, as with `make run PORT=8001`.",
            returncode=REFUSED,
        ) from error
    return listener


def lock(folder: Path) -> IO[str]:
    """Takes the data folder for this process; the kernel frees it when the process ends, however it ends.

    Args:
        folder: the data folder.

    Raises:
        CommandError: another process has it.
    """
    file = (folder / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        owner = file.read().strip() or "unknown"
        file.close()
        raise CommandError(
            f"Another Scheduler Playground (process {owner}) uses {folder}. End it, "
            "or set PLAYGROUND_VAR to another folder.",
            returncode=REFUSED,
        ) from error
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def prepare() -> None:
    """Brings the tables up to date and loads the examples the first time."""
    call_command("migrate", verbosity=0, interactive=False)
    load_examples_once(Workspace.objects.get(id=LOCAL_WORKSPACE_ID))


def address_of(listener: socket.socket) -> str:
    """Returns the address to open in a browser.

    Args:
        listener: listening.
    """
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
