"""The socket: all events in order, resumed by seq, at the reader's pace, for our own pages only."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.utils.dateparse import parse_datetime

from playground.asgi import application
from playground.consumers import FRAME_BYTES, WINDOW_BYTES
from tests.web.communicator import WebsocketCommunicator
from tests.web.conftest import Api, small_cluster

pytestmark = pytest.mark.usefixtures("worker")

HOST = (b"host", b"127.0.0.1:8000")
OWN = (b"origin", b"http://127.0.0.1:8000")

Open = Callable[..., Any]


@pytest.fixture
async def open_socket() -> AsyncIterator[Open]:
    """Opens sockets and closes them at the end."""
    opened: list[WebsocketCommunicator] = []

    async def connect(path: str, *headers: tuple[bytes, bytes]) -> WebsocketCommunicator:
        socket = WebsocketCommunicator(application, path, headers=list(headers) or [HOST, OWN])
        opened.append(socket)
        accepted, _ = await socket.connect(timeout=5)
        assert accepted
        return socket

    yield connect
    for socket in opened:
        await socket.disconnect()


async def start(api: Api, num_pods: int, num_nodes: int = 5) -> str:
    cluster = await database_sync_to_async(api.import_text)(small_cluster(num_nodes, num_pods))
    return str((await database_sync_to_async(api.run)(cluster["id"]))["id"])


async def finished(api: Api, run_id: str) -> Any:
    return await database_sync_to_async(api.wait_for)(run_id)


async def next_message(socket: WebsocketCommunicator) -> dict[str, Any]:
    return dict(await socket.receive_output(timeout=30))


async def read_to_end(
    socket: WebsocketCommunicator, *, acknowledges: bool = True
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """Returns the events, the run's states and the close code."""
    events: list[dict[str, Any]] = []
    states: list[dict[str, Any]] = []
    while (message := await next_message(socket))["type"] != "websocket.close":
        assert len(message["text"].encode()) <= FRAME_BYTES
        frame = json.loads(message["text"])
        if "run" in frame:
            states.append(frame["run"])
            continue
        assert frame["first_seq"] == frame["events"][0]["seq"]
        assert frame["last_seq"] == frame["events"][-1]["seq"]
        events += frame["events"]
        if acknowledges:
            await socket.send_json_to({"ack": frame["last_seq"]})
    return events, states, message["code"]


async def test_a_socket_opened_before_the_end_gets_every_event_once_then_the_run(
    api: Api, open_socket: Open
) -> None:
    run_id = await start(api, 300)
    events, states, code = await read_to_end(await open_socket(f"/ws/runs/{run_id}/"))
    over = await finished(api, run_id)
    assert code == 1000
    assert [event["seq"] for event in events] == list(range(1, over["last_seq"] + 1))
    assert states[-1]["status"] == "finished"
    assert states[-1]["last_seq"] == over["last_seq"]
    assert states[-1]["progress"]["bound"] == over["num_bound"]


async def test_the_state_comes_first_and_events_come_live(api: Api, open_socket: Open) -> None:
    run_id = await start(api, 800, num_nodes=10)
    socket = await open_socket(f"/ws/runs/{run_id}/")
    assert "run" in json.loads((await next_message(socket))["text"])
    _, states, _ = await read_to_end(socket)
    seqs = [state["last_seq"] for state in states if state["status"] == "running"]
    assert len(set(seqs)) > 1
    assert seqs == sorted(seqs)


async def test_a_socket_after_the_end_gets_everything_and_closes(api: Api, open_socket: Open) -> None:
    run_id = await start(api, 30)
    over = await finished(api, run_id)
    events, _, code = await read_to_end(await open_socket(f"/ws/runs/{run_id}/"))
    assert (len(events), code) == (over["last_seq"], 1000)


async def test_a_reader_resumes_where_it_was(api: Api, open_socket: Open) -> None:
    run_id = await start(api, 30)
    over = await finished(api, run_id)
    after = over["last_seq"] - 7
    events, _, _ = await read_to_end(await open_socket(f"/ws/runs/{run_id}/?after={after}"))
    assert [event["seq"] for event in events] == list(range(after + 1, after + 8))
    events, states, code = await read_to_end(
        await open_socket(f"/ws/runs/{run_id}/?after={over['last_seq']}")
    )
    assert (events, states[-1]["status"], code) == ([], "finished", 1000)


async def test_a_reader_that_breaks_off_again_and_again_loses_nothing(api: Api, open_socket: Open) -> None:
    run_id = await start(api, 400)
    seen: list[int] = []
    is_over = False
    while not is_over:
        socket = await open_socket(f"/ws/runs/{run_id}/?after={seen[-1] if seen else 0}")
        for _ in range(3):
            message = await next_message(socket)
            if is_over := message["type"] == "websocket.close":
                break
            seen += [event["seq"] for event in json.loads(message["text"]).get("events", [])]
        await socket.disconnect()
    over = await finished(api, run_id)
    assert seen == list(range(1, over["last_seq"] + 1))


async def test_a_reader_that_acknowledges_nothing_gets_one_window(api: Api, open_socket: Open) -> None:
    run_id = await start(api, 1700, num_nodes=12)
    await finished(api, run_id)
    socket = await open_socket(f"/ws/runs/{run_id}/")
    num_bytes, last_seq = 0, 0
    while num_bytes < WINDOW_BYTES:
        message = await next_message(socket)
        num_bytes += len(message["text"])
        last_seq = json.loads(message["text"]).get("last_seq", last_seq)
    assert await socket.receive_nothing(timeout=0.3)
    assert num_bytes < WINDOW_BYTES + 2 * FRAME_BYTES
    await socket.send_json_to({"ack": last_seq})
    rest, _, code = await read_to_end(socket)
    assert code == 1000
    assert rest[0]["seq"] == last_seq + 1


@pytest.mark.serial
async def test_a_poke_wakes_the_reader_at_once(api: Api, open_socket: Open) -> None:
    """A reader that only looked once a second would be late by half of that."""
    delays = []
    for _ in range(3):
        run_id = await start(api, 1)
        socket = await open_socket(f"/ws/runs/{run_id}/")
        await read_to_end(socket)
        seen = time.time()
        run = await finished(api, run_id)
        over_at = parse_datetime(run["finished_at"])
        assert over_at is not None
        delays.append(seen - over_at.timestamp())
    assert min(delays) < 0.3


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/ws/runs/0123456789abcdef/", 4404),
        ("/ws/runs/0123456789abcdef/?after=abc", 4400),
        ("/ws/runs/0123456789abcdef/?after=-1", 4400),
        ("/ws/runs/0123456789abcdef/?after=" + "9" * 40, 4400),
        ("/ws/runs/", 4404),
        ("/ws/other/", 4404),
        ("/", 4404),
    ],
)
async def test_what_is_not_there_closes_with_a_code(open_socket: Open, path: str, code: int) -> None:
    message = await next_message(await open_socket(path))
    assert (message["type"], message["code"]) == ("websocket.close", code)


@pytest.mark.parametrize(
    "headers",
    [
        [HOST, (b"origin", b"http://evil.example")],
        [HOST, (b"origin", b"http://127.0.0.1:9000")],
        [HOST, (b"origin", b"null")],
        [(b"host", b"evil.example"), (b"origin", b"http://evil.example")],
        [(b"host", b"")],
    ],
)
async def test_foreign_pages_and_foreign_names_are_turned_away(
    open_socket: Open, headers: list[tuple[bytes, bytes]]
) -> None:
    message = await next_message(await open_socket("/ws/runs/0123456789abcdef/", *headers))
    assert message["code"] == 4403


async def test_programs_without_an_origin_may_read(api: Api, open_socket: Open) -> None:
    run_id = await start(api, 1)
    _, _, code = await read_to_end(await open_socket(f"/ws/runs/{run_id}/", HOST))
    assert code == 1000


@pytest.mark.parametrize(
    "text", ["x", "{}", "[]", '{"ack":"x"}', '{"ack":null}', '{"ack":1e999}', "[" * 100_000]
)
async def test_nonsense_from_the_reader_closes_the_socket(api: Api, open_socket: Open, text: str) -> None:
    run_id = await start(api, 1500, num_nodes=20)
    socket = await open_socket(f"/ws/runs/{run_id}/")
    await socket.send_to(text_data=text)
    _, _, code = await asyncio.wait_for(read_to_end(socket, acknowledges=False), 10)
    assert code == 4400
    await database_sync_to_async(api.post)(f"runs/{run_id}/cancel", status=200)


async def test_a_run_that_is_deleted_closes_its_sockets(api: Api, open_socket: Open) -> None:
    run_id = await start(api, 1500, num_nodes=20)
    socket = await open_socket(f"/ws/runs/{run_id}/")
    await next_message(socket)
    await database_sync_to_async(api.client.delete)(f"/api/v1/runs/{run_id}")
    _, _, code = await read_to_end(socket)
    assert code == 4404
