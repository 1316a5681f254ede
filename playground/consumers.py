"""The socket of a run: a pipe from the table of events to the browser; bytes that it does not read."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any
from urllib.parse import parse_qs

import structlog
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.core.exceptions import PermissionDenied

from playground.models import AccessToken, Run, workspace_of
from playground.origins import is_allowed_host, is_own_origin
from playground.runs import notify, story

log = structlog.get_logger(__name__)

FRAME_BYTES = 256 << 10
WINDOW_BYTES = 1 << 20
PAGE_EVENTS = 20_000
LOOK_SECONDS = 1.0
ACK_SECONDS = 60.0

BAD_REQUEST, UNAUTHORIZED, FOREIGN, UNKNOWN, SILENT = 4400, 4401, 4403, 4404, 4408
ENVELOPE_BYTES = 128


class UnknownConsumer(AsyncWebsocketConsumer):
    """Closes sockets whose address is nobody's."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(UNKNOWN)


class RunConsumer(AsyncWebsocketConsumer):
    """Sends a run's events after a sequence number, then its state, and closes when nothing more can come."""

    async def connect(self) -> None:
        """Checks who asks for what; refusals are close codes, for a browser sees no handshake's status."""
        self._pump: asyncio.Task[None] | None = None
        self._poked = asyncio.Event()
        self._unacknowledged: deque[tuple[int, int]] = deque()
        self._state: dict[str, Any] | None = None
        self._is_ended = False
        headers = dict(self.scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers[b"origin"].decode("latin-1") if b"origin" in headers else None
        if not is_allowed_host(host) or not is_own_origin(origin, host):
            await self._refuse(FOREIGN)
            return
        after = parse_qs(self.scope["query_string"].decode("latin-1")).get("after", ["0"])[-1]
        if not (after.isascii() and after.isdigit() and len(after) < 16):
            await self._refuse(BAD_REQUEST)
            return
        self._cursor = int(after)
        self._run_id: str = self.scope["url_route"]["kwargs"]["run_id"]
        try:
            is_there = await self._may_follow(headers.get(b"authorization", b"").decode("latin-1"))
        except PermissionDenied:
            await self._refuse(UNAUTHORIZED)
            return
        if not is_there:
            await self._refuse(UNKNOWN)
            return
        notify.attach(asyncio.get_running_loop())
        await self.channel_layer.group_add(notify.group_of(self._run_id), self.channel_name)
        await self.accept()
        self._pump = asyncio.create_task(self._forward_or_close())

    async def disconnect(self, code: int) -> None:
        if self._pump is not None:
            self._pump.cancel()
            await self.channel_layer.group_discard(notify.group_of(self._run_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Takes an acknowledgement; anything else closes the socket."""
        try:
            acknowledged = int(json.loads(text_data or "")["ack"])
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            await self._end(BAD_REQUEST)
            return
        while self._unacknowledged and self._unacknowledged[0][0] <= acknowledged:
            self._unacknowledged.popleft()
        self._poked.set()

    async def run_poke(self, message: dict[str, Any]) -> None:
        """Takes the poke: look again."""
        self._poked.set()

    async def _refuse(self, code: int) -> None:
        await self.accept()
        await self._end(code)

    async def _end(self, code: int) -> None:
        """Closes the socket once, whoever wants it closed first."""
        if not self._is_ended:
            self._is_ended = True
            await self.close(code)

    @database_sync_to_async
    def _may_follow(self, authorization: str) -> bool:
        """Returns whether the run is one of the caller's: a program shows a token, a page has its login."""
        user = self.scope.get("user")
        if authorization:
            user = AccessToken.find(authorization.removeprefix("Bearer ").strip())
            if user is None or user.is_expired:
                raise PermissionDenied
        return Run.objects.of(workspace_of(user)).filter(id=self._run_id).exists()

    @database_sync_to_async
    def _look(self) -> tuple[dict[str, Any] | None, story.EventPage]:
        """Reads the state first: events that are stored later belong to a later look."""
        state = story.run_state(self._run_id)
        page = story.events_after(self._run_id, self._cursor, max_events=PAGE_EVENTS, max_bytes=WINDOW_BYTES)
        return state, page

    async def _forward_or_close(self) -> None:
        try:
            await self._forward()
        except OSError:
            self._is_ended = True  # nobody is there to close for
        except Exception:
            log.exception("socket failed", run=self._run_id)
            await self._end(1011)

    async def _forward(self) -> None:
        while True:
            self._poked.clear()
            state, page = await self._look()
            if state is None:
                await self._end(UNKNOWN)
                return
            if self._state is None:
                await self._tell(state)
            for frame, last_seq in frames_of(page):
                if not await self._has_room():
                    await self._end(SILENT)
                    return
                self._unacknowledged.append((last_seq, len(frame)))
                await self.send(text_data=frame)
                self._cursor = last_seq
            is_complete = story.is_over(state) and self._cursor >= state["last_seq"]
            if state != self._state or is_complete:
                await self._tell(state)
            if is_complete:
                await self._end(1000)
                return
            if not page.lines:
                await self._wait(LOOK_SECONDS)

    async def _tell(self, state: dict[str, Any]) -> None:
        self._state = state
        await self.send(text_data=json.dumps({"run": state}))

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._poked.wait()
        except TimeoutError:
            pass

    async def _has_room(self) -> bool:
        """Waits until less than the window is on its way; returns False where the client stays silent."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + ACK_SECONDS
        while sum(size for _seq, size in self._unacknowledged) >= WINDOW_BYTES:
            if loop.time() > deadline:
                return False
            self._poked.clear()
            await self._wait(LOOK_SECONDS)
        return True


def frames_of(page: story.EventPage) -> list[tuple[str, int]]:
    """Cuts a page into frames of at most 256 KiB (an event that is larger has one of its own).

    Args:
        page: consecutive events.

    Returns:
        (text, last_seq) of each frame.
    """
    frames: list[tuple[str, int]] = []
    begin, num_bytes = 0, ENVELOPE_BYTES
    for index, line in enumerate(page.lines):
        if index > begin and num_bytes + len(line) + 1 > FRAME_BYTES:
            frames.append(_frame(page, begin, index))
            begin, num_bytes = index, ENVELOPE_BYTES
        num_bytes += len(line) + 1
    if begin < len(page.lines):
        frames.append(_frame(page, begin, len(page.lines)))
    return frames


def _frame(page: story.EventPage, begin: int, end: int) -> tuple[str, int]:
    first_seq, last_seq = page.first_seq + begin, page.first_seq + end - 1
    events = b",".join(page.lines[begin:end]).decode()
    return f'{{"events":[{events}],"first_seq":{first_seq},"last_seq":{last_seq}}}', last_seq
