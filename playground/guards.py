"""Guards in front of Django: who may connect without a login, and how large a body may be."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings

from playground.origins import is_loopback
from playground.problems import PROBLEM_JSON, problem

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[Any]]

READ_ON_BYTES = 512 << 20


async def send_problem(send: Send, status: HTTPStatus, detail: str) -> None:
    """Answers with problem details.

    Args:
        send: ASGI's send.
        status: the HTTP status.
        detail: the sentence.
    """
    headers = [(b"content-type", PROBLEM_JSON.encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(problem(status, detail)).encode()})


class LoopbackOnly:
    """Refuses what did not arrive on a loopback address, unless there is a login or strangers may come."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _answer_lifespan(receive, send)
        elif (
            settings.ALLOW_ANONYMOUS
            or settings.LOGIN_REQUIRED
            or is_loopback((scope.get("server") or ("", None))[0])
        ):
            await self._application(scope, receive, send)
        elif scope["type"] == "http":
            await send_problem(
                send,
                HTTPStatus.FORBIDDEN,
                "This server answers on loopback only, for it asks for no login "
                "(ALLOWED_HOSTS with its name makes it ask).",
            )
        else:
            await send({"type": "websocket.close", "code": 4403})


class LimitBody:
    """Answers 413 to a body over the limit.

    The body is read to its end and thrown away, else the client sees nothing but a broken pipe.
    """

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length) > limit:
            await self._refuse(receive, send)
            return
        num_bytes = 0

        async def counted() -> dict[str, Any]:
            nonlocal num_bytes
            message = await receive()
            num_bytes += len(message.get("body", b""))
            if num_bytes > limit:
                return {"type": "http.disconnect"}  # Django then closes what it has written so far
            return message

        await self._application(scope, counted, send)
        if num_bytes > limit:
            await self._refuse(receive, send)

    async def _refuse(self, receive: Receive, send: Send) -> None:
        num_bytes = 0
        while num_bytes < READ_ON_BYTES:
            message = await receive()
            num_bytes += len(message.get("body", b""))
            if message["type"] == "http.disconnect" or not message.get("more_body"):
                break
        limit = settings.MAX_UPLOAD_BYTES >> 20
        await send_problem(
            send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {limit} MiB are taken at once."
        )


async def _answer_lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
