"""One poke: "there is more of this run in the database". Never data: a lost poke costs at most a second."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import structlog
from channels.layers import get_channel_layer
from django.conf import settings

POKE = "run.poke"

log = structlog.get_logger(__name__)


class Loops:
    """The event loop that pokes are sent from: the server's own, else one in a thread of its own.

    A message put into the in-memory layer by another loop does not wake the server's (measured: 1.5 s late),
    and a loop per poke opens a connection to Redis each time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: asyncio.AbstractEventLoop | None = None
        self._own: asyncio.AbstractEventLoop | None = None

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Names the server's loop; sockets call this when they open.

        Args:
            loop: the running loop.
        """
        self._server = loop

    def loop(self) -> asyncio.AbstractEventLoop | None:
        """Returns the loop to send from, None where nobody can be listening."""
        if self._server is not None and self._server.is_running():
            return self._server
        if not settings.REDIS_URL:
            return None
        with self._lock:
            if self._own is None:
                self._own = asyncio.new_event_loop()
                threading.Thread(target=self._own.run_forever, name="notify", daemon=True).start()
            return self._own


_loops = Loops()
attach = _loops.attach


def group_of(run_id: str) -> str:
    """Returns the channel group of a run's sockets.

    Args:
        run_id: the run.
    """
    return f"run.{run_id}"


def notify(run_id: str) -> None:
    """Pokes the sockets that follow a run; from any thread, without waiting, after the commit.

    Args:
        run_id: the run that has changed.
    """
    loop = _loops.loop()
    if loop is not None:
        asyncio.run_coroutine_threadsafe(_send(run_id), loop)


async def _send(run_id: str) -> None:
    layer: Any = get_channel_layer()
    try:
        await layer.group_send(group_of(run_id), {"type": POKE})
    except Exception as error:  # the socket looks by itself every second
        log.warning("poke not sent", run=run_id, error=str(error))
