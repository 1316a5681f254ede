"""The engine's process for real: pipes, cancel, and what becomes of it when its parent goes."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine import frames
from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator
from scheduler_core.trace import prefix_until
from scheduler_core.trace.sink import MemorySink
from tests.bench.make_workload import case

NUM_PODS = 6000
Process = subprocess.Popen[bytes]


@pytest.fixture
def process() -> Iterator[Process]:
    child = subprocess.Popen(
        [sys.executable, "-m", "engine.process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        yield child
        child.kill()


def send(process: Process, job: Any) -> None:
    assert process.stdin is not None
    payload = job if isinstance(job, bytes) else json.dumps(job).encode()
    frames.write_frame(process.stdin, frames.JOB, payload)


def receive(process: Process) -> list[frames.Frame]:
    assert process.stdout is not None
    received = []
    while (frame := frames.read_frame(process.stdout)) is not None:
        received.append(frame)
    return received


def of_kind(received: list[frames.Frame], kind: bytes) -> list[bytes]:
    return [frame.payload for frame in received if frame.kind == kind]


def test_a_run_gives_its_events_in_order_without_gaps_its_details_and_last_its_result(
    process: Process,
) -> None:
    send(process, {"objects": case(10, 300, "plain")["objects"]})
    received = receive(process)
    assert process.wait() == 0
    batches = [frames.unpack_events(payload) for payload in of_kind(received, frames.EVENTS)]
    lines = [json.loads(line) for batch in batches for line in batch.lines.split(b"\n")]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert all(batch.last_seq - batch.first_seq < 500 for batch in batches)
    assert received[-1].kind == frames.RESULT
    result = json.loads(received[-1].payload)
    assert (result["status"], result["num_cycles"], result["last_seq"]) == ("finished", 300, len(lines))
    details = [frames.unpack_detail(payload) for payload in of_kind(received, frames.DETAIL)]
    assert [cycle for cycle, _ in details] == list(range(1, 301))
    assert json.loads(details[41][1])["cycle"] == 42


def test_one_cycles_detail_is_found_again_by_running_up_to_it(process: Process) -> None:
    send(process, {"objects": case(300, 50, "plain")["objects"], "details": {"cycle": 12}})
    received = receive(process)
    (detail,) = of_kind(received, frames.DETAIL)
    cycle, data = frames.unpack_detail(detail)
    assert cycle == 12
    assert len(json.loads(data)["nodes"]) == 300
    assert json.loads(received[-1].payload)["num_cycles"] == 12


def recorded_run(objects: list[dict[str, Any]]) -> list[bytes]:
    sink = MemorySink()
    run = Simulator(load_config(""), DEFAULT, sink)
    run.load(decode_object(raw) for raw in objects)
    run.run()
    return sink.lines


def test_what_an_earlier_run_decided_is_taken_over_up_to_the_cycle(process: Process) -> None:
    objects = case(5, 30, "plain")["objects"]
    lines = recorded_run(objects)
    told = next(place for place, line in enumerate(lines) if b'"NodesScored","cycle":7,' in line)
    lines[told] = lines[told].replace(b'"scores":[', b'"scores":[["elsewhere",100],')
    recorded = base64.b64encode(b"\n".join(lines)).decode()
    details = {"cycle": 20, "earlier": [9, 12]}
    send(process, {"objects": objects, "details": details, "recorded": recorded})
    received = receive(process)
    assert [frames.unpack_detail(payload)[0] for payload in of_kind(received, frames.DETAIL)] == [9, 12, 20]
    events = [
        line
        for payload in of_kind(received, frames.EVENTS)
        for line in frames.unpack_events(payload).lines.splitlines()
    ]
    assert events[told] == lines[told]
    assert len(events) > told


def test_what_another_run_decided_is_refused(process: Process) -> None:
    objects = case(5, 30, "plain")["objects"]
    recorded = base64.b64encode(b"\n".join(recorded_run(objects))).decode()
    send(process, {"objects": objects[1:], "details": {"cycle": 20}, "recorded": recorded})
    received = receive(process)
    assert process.wait() == 2
    assert "not the recorded one" in json.loads(received[-1].payload)["message"]


def test_a_cancel_ends_the_run_with_what_was_done(process: Process) -> None:
    send(process, {"objects": case(100, NUM_PODS, "plain")["objects"], "details": "none"})
    assert process.stdin is not None
    assert process.stdout is not None
    while (frame := frames.read_frame(process.stdout)) is not None:
        if frame.kind == frames.PROGRESS and json.loads(frame.payload)["cycles"] > 0:
            break
    frames.write_frame(process.stdin, frames.CANCEL)
    result = json.loads(receive(process)[-1].payload)
    assert result["status"] == "cancelled"
    assert 0 < result["num_cycles"] < NUM_PODS
    assert process.wait() == 0


def test_it_ends_when_whoever_started_it_goes(process: Process) -> None:
    send(process, {"objects": case(100, NUM_PODS, "plain")["objects"], "details": "none"})
    assert process.stdin is not None
    assert process.stdout is not None
    assert frames.read_frame(process.stdout) is not None
    process.stdin.close()
    assert process.wait(timeout=10) == 1


def test_a_spare_process_that_gets_no_job_ends_quietly(process: Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=10) == 0


@pytest.mark.parametrize(
    ("job", "cause"),
    [
        (b"no JSON", "JSON is malformed"),
        ({"objects": 3}, "Expected `array`"),
        ({"objects": [], "options": {"tie_break": "coin"}}, "Invalid enum value 'coin'"),
        ({"objects": [], "config": "kind: Pod"}, "apiVersion: Required value"),
        ({"objects": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": 3}}]}, "name"),
    ],
)
def test_a_job_that_cannot_be_run_is_refused_with_the_cause(process: Process, job: Any, cause: str) -> None:
    send(process, job)
    (refused,) = receive(process)
    assert refused.kind == frames.REFUSED
    refusal = json.loads(refused.payload)
    assert refusal["status"] == "failed"
    assert cause in refusal["message"]
    assert process.wait() == 2


NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1"},
    "status": {"allocatable": {"cpu": "2", "pods": "9"}},
}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p"},
    "spec": {"containers": [{"name": "c", "image": "i"}]},
}


def one(job: dict[str, Any]) -> tuple[list[bytes], dict[str, Any]]:
    """Returns the event lines of a job, and its result or refusal."""
    with subprocess.Popen(
        [sys.executable, "-m", "engine.process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        send(child, job)
        received = receive(child)
    batches = [frames.unpack_events(payload) for payload in of_kind(received, frames.EVENTS)]
    lines = [line for batch in batches for line in batch.lines.split(b"\n")]
    return lines, json.loads(received[-1].payload)


def test_a_job_s_edits_are_made_and_its_question_is_asked() -> None:
    bound = {**POD, "spec": {**POD["spec"], "nodeName": "n1"}}
    edits = [
        {"kind": "addNodes", "like": "n1"},
        {"kind": "scale", "at": "1s", "object": "Deployment/x", "replicas": 1},
    ]
    lines, refusal = one({"objects": [NODE, bound], "edits": edits})
    assert lines == []
    assert refusal["status"] == "failed"
    assert [error["field"] for error in refusal["errors"]] == ["edits[1].object"]
    job = {"objects": [NODE, bound], "edits": edits[:1], "question": {"ask": "reschedule", "nodes": ["n1"]}}
    lines, result = one(job)
    assert any(b'"type":"EditApplied","edit":1,"kind":"addNodes"' in line for line in lines)
    assert [(move["pod"], move["before"]) for move in result["moves"]] == [("default/p", "n1")]


def test_a_fork_shares_its_parent_s_bytes_and_one_of_another_run_is_refused() -> None:
    parent = {"objects": [NODE, POD], "edits": [{"kind": "wait", "at": "20s"}]}
    lines, _ = one(parent)
    prefix = prefix_until(5_000_000, lines)
    fork = {**msgspec.structs.asdict(prefix), "num_edits": 1}
    edits = [*parent["edits"], {"kind": "delete", "at": "5s", "object": "Pod/p"}]
    child, result = one({**parent, "edits": edits, "fork": fork})
    assert child[: prefix.num_events] == lines[: prefix.num_events]
    assert result["placements"] == {}
    _, refusal = one({**parent, "edits": edits, "fork": {**fork, "digest": "0" * 64}})
    assert refusal["status"] == "failed"
    assert "are not the recorded ones" in refusal["message"]
