"""In front of Django: bodies over the limit, and connections from elsewhere."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from playground.asgi import application

MEBIBYTE = 1 << 20


async def send(
    num_bytes: int,
    *,
    declared: bool = True,
    server: tuple[str, int] = ("127.0.0.1", 8000),
    path: str = "clusters/import",
) -> tuple[int, Any, int]:
    """Sends a body of zeros in pieces; returns status, answer and how much was read."""
    headers = [(b"host", b"127.0.0.1:8000"), (b"content-type", b"application/yaml")]
    if declared:
        headers.append((b"content-length", str(num_bytes).encode()))
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/api/v1/clusters/import", "raw_path": b"", "query_string": b"", "headers": headers, "server": server,
        "client": ("127.0.0.1", 5000),
    }  # fmt: skip
    num_read = 0
    answered: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        nonlocal num_read
        if num_read == num_bytes:
            await asyncio.sleep(3600)
        piece = min(MEBIBYTE, num_bytes - num_read)
        num_read += piece
        return {"type": "http.request", "body": bytes(piece), "more_body": num_read < num_bytes}

    async def answer(message: dict[str, Any]) -> None:
        answered.append(message)

    await application(scope, receive, answer)
    body = b"".join(message.get("body", b"") for message in answered[1:])
    return answered[0]["status"], json.loads(body), num_read


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.django_db(transaction=True)
async def test_a_hundred_megabytes_are_refused_and_read_to_the_end(declared: bool) -> None:
    status, problem, num_read = await send(100 * MEBIBYTE, declared=declared)
    assert (status, problem["status"], num_read) == (413, 413, 100 * MEBIBYTE)
    assert problem["detail"] == "At most 64 MiB are taken at once."


@pytest.mark.django_db(transaction=True)
async def test_what_is_below_the_limit_is_read_by_the_parser() -> None:
    status, problem, _ = await send(2 * MEBIBYTE)
    assert status == 422
    assert problem["errors"]


async def test_a_connection_that_did_not_arrive_on_loopback_is_refused() -> None:
    status, problem, num_read = await send(10, server=("192.0.2.7", 8000))
    assert (status, num_read) == (403, 0)
    assert "asks for no login" in problem["detail"]


@pytest.mark.django_db(transaction=True)
async def test_with_a_login_connections_from_elsewhere_are_asked_who_they_are(settings: Any) -> None:
    settings.LOGIN_REQUIRED = True
    status, problem, _ = await send(10, server=("192.0.2.7", 8000))
    assert status == 401
    assert "token" in problem["detail"]


async def test_a_socket_from_elsewhere_is_refused() -> None:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def keep(message: dict[str, Any]) -> None:
        sent.append(message)

    await application({"type": "websocket", "path": "/ws/runs/x/", "server": ("192.0.2.7", 1)}, receive, keep)
    assert sent == [{"type": "websocket.close", "code": 4403}]
