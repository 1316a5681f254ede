"""What is stored of frames, and how pages and socket frames are cut from it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.frames import pack_cycle, pack_events
from playground.consumers import FRAME_BYTES, frames_of
from playground.models import (
    Cluster,
    ClusterRevision,
    CycleDetail,
    CycleSummary,
    EventChunk,
    Run,
    workspace_of,
)
from playground.runs.claim import Claim, ClaimLost, claim
from playground.runs.sink import DatabaseSink
from playground.runs.story import EventPage, cycles_after, events_after

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(db: None) -> Claim:
    cluster = Cluster.objects.create(workspace_id=workspace_of(), name="c")
    revision = ClusterRevision.objects.create(cluster=cluster, digest="0" * 64)
    run = Run.objects.create(workspace_id=workspace_of(), cluster=cluster, revision=revision)
    taken = claim(run.id)
    assert taken is not None
    return taken


def events(first_seq: int, *more: dict[str, Any]) -> tuple[bytes, bytes]:
    lines = [json.dumps({"seq": first_seq + index, "t_us": 0, **event}) for index, event in enumerate(more)]
    last_seq = first_seq + len(lines) - 1
    return b"E", pack_events(first_seq, last_seq) + "\n".join(lines).encode()


def cycle(number: int, pod: str, *end: dict[str, Any]) -> list[dict[str, Any]]:
    head = {"type": "CycleStarted", "cycle": number, "pod": pod, "attempt": 1}
    filtered = {"type": "NodesFiltered", "cycle": number, "pod": pod, "num_evaluated": 3, "num_feasible": 2}
    return [head, filtered, *({"cycle": number, "pod": pod, **each} for each in end)]


ASSUMED = {"type": "PodAssumed", "node": "n1"}
BOUND = {"type": "PodBound", "node": "n1"}
REFUSED = {"type": "PodUnschedulable", "message": "0/3 nodes are available"}


def test_events_are_stored_as_they_came_with_the_runs_last_seq(mine: Claim) -> None:
    frame = events(1, {"type": "RunStarted"}, *cycle(1, "default/a", ASSUMED, BOUND))
    DatabaseSink(mine).store([frame])
    (chunk,) = EventChunk.objects.all()
    assert (chunk.first_seq, chunk.last_seq) == (1, 5)
    assert bytes(chunk.payload) == frame[1][16:]
    assert Run.objects.get().last_seq == 5


def test_a_cycle_is_one_line_even_when_its_events_come_in_two_flushes(mine: Claim) -> None:
    sink = DatabaseSink(mine)
    first = cycle(1, "default/a", ASSUMED, BOUND)
    sink.store([events(1, *first[:1])])
    sink.store([events(2, *first[1:], *cycle(2, "default/b", REFUSED))])
    assert cycles_after(mine.id, 0, 10) == [
        {"cycle": 1, "pod": "default/a", "attempt": 1, "result": "scheduled", "node": "n1", "num_feasible": 2,
         "num_evaluated": 3, "t_us": 0},
        {"cycle": 2, "pod": "default/b", "attempt": 1, "result": "unschedulable", "node": None, "num_feasible": 2,
         "num_evaluated": 3, "t_us": 0},
    ]  # fmt: skip
    assert [row["cycle"] for row in cycles_after(mine.id, 1, 10)] == [2]
    assert [row["cycle"] for row in cycles_after(mine.id, 0, 10, pod="default/b")] == [2]
    assert [row["cycle"] for row in cycles_after(mine.id, 0, 10, result="scheduled")] == [1]


def test_a_binding_that_fails_later_replaces_the_result(mine: Claim) -> None:
    sink = DatabaseSink(mine)
    sink.store([events(1, *cycle(1, "default/a", ASSUMED))])
    assert CycleSummary.objects.get().result == "scheduled"
    sink.store([events(4, {"cycle": 1, "pod": "default/a", "error": True, **REFUSED})])
    line = CycleSummary.objects.get()
    assert (line.result, line.node) == ("error", "")


def test_details_are_stored_compressed_and_read_back(mine: Claim) -> None:
    body = b'{"cycle":1,"nodes":[' + b",".join([b'"node"'] * 1000) + b"]}"
    DatabaseSink(mine).store([(b"C", pack_cycle(1) + body), events(1, {"type": "RunStarted"})])
    assert CycleDetail.objects.get(cycle=1).payload == body


def test_who_lost_the_claim_stores_nothing(mine: Claim) -> None:
    Run.objects.update(attempt_token="another")
    with pytest.raises(ClaimLost):
        DatabaseSink(mine).store([events(1, {"type": "RunStarted"})])
    assert not EventChunk.objects.exists()


def test_pages_begin_in_the_middle_of_a_chunk_and_end_where_asked(mine: Claim) -> None:
    sink = DatabaseSink(mine)
    sink.store([events(1, *[{"type": "PodUpdated"}] * 10)])
    sink.store([events(11, *[{"type": "PodUpdated"}] * 10)])

    def seqs(after: int, limit: int) -> list[int]:
        page = events_after(mine.id, after, max_events=limit, max_bytes=1 << 20)
        assert page.last_seq == after + len(page.lines)
        return [json.loads(line)["seq"] for line in page.lines]

    assert seqs(0, 100) == list(range(1, 21))
    assert seqs(7, 5) == [8, 9, 10, 11, 12]
    assert seqs(19, 5) == [20]
    assert seqs(20, 5) == []
    assert seqs(500, 5) == []


def test_a_page_stops_after_the_chunk_that_fills_it(mine: Claim) -> None:
    sink = DatabaseSink(mine)
    for first_seq in (1, 11, 21):
        sink.store([events(first_seq, *[{"type": "PodUpdated"}] * 10)])
    assert len(events_after(mine.id, 0, max_events=100, max_bytes=1).lines) == 10


def test_socket_frames_hold_all_events_in_order_below_the_limit() -> None:
    lines = [
        json.dumps({"seq": seq, "pad": "ü" * (seq % 700)}, ensure_ascii=False).encode()
        for seq in range(8, 2000)
    ]
    lines[500] = json.dumps({"seq": 508, "pad": "x" * 2 * FRAME_BYTES}).encode()
    frames = frames_of(EventPage(lines, 8, 1999))
    seen = []
    for text, last_seq in frames:
        frame = json.loads(text)
        assert len(text.encode()) <= FRAME_BYTES or len(frame["events"]) == 1
        assert frame["first_seq"] == frame["events"][0]["seq"]
        assert frame["last_seq"] == last_seq == frame["events"][-1]["seq"]
        seen += [event["seq"] for event in frame["events"]]
    assert seen == list(range(8, 2000))
    assert frames_of(EventPage([], 5, 4)) == []
