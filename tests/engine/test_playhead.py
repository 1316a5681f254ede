"""A process that stays at the playhead of a finished run: what it says is what a replay from the start says."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine import frames, playhead
from engine.process import Job, run_job
from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator, read_edits
from scheduler_core.trace import MemorySink, encode_detail
from tests.bench.make_workload import case
from tests.conformance.extender_server import RuleServer
from tests.engine.test_planning import node, pod
from tests.engine.test_process_extenders import NODES, POD, Untold, events, payloads

KIND = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
Process = subprocess.Popen[bytes]
CORDON: dict[str, Any] = {"kind": "cordon", "nodes": ["node-00001", "node-00002"], "cycle": 40}


@pytest.fixture
def process() -> Iterator[Process]:
    child = subprocess.Popen(
        [sys.executable, "-m", "engine.process"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"PYTHONHASHSEED": "0"},
    )  # fmt: skip
    with child:
        yield child
        child.kill()


def recorded_run(
    objects: list[dict[str, Any]], edits: tuple[dict[str, Any], ...] = ()
) -> tuple[list[bytes], dict[int, bytes]]:
    """Returns the events of a run and the details of all its cycles."""
    sink = MemorySink(details=True)
    run = Simulator(load_config(""), DEFAULT, sink)
    typed = [decode_object(raw) for raw in objects]
    run.load(typed)
    run.run(edits=read_edits(edits, objects=typed))
    return sink.lines, {cycle: encode_detail(detail) for cycle, detail in sink.details.items()}


def begin(process: Process, objects: Any, lines: list[bytes], *cycles: int, **more: Any) -> None:
    recorded = base64.b64encode(b"\n".join(lines)).decode()
    details = {"cycle": cycles[-1], "earlier": cycles[:-1]}
    put(process, {"objects": objects, "recorded": recorded, "details": details, **more})


def put(process: Process, asked: Any, kind: bytes = frames.PLAYHEAD) -> None:
    assert process.stdin is not None
    frames.write_frame(process.stdin, kind, json.dumps(asked).encode())


def answer(process: Process) -> tuple[dict[int, bytes], dict[str, Any]]:
    """Returns the details that come, and the last frame's words."""
    assert process.stdout is not None
    found = {}
    while (frame := frames.read_frame(process.stdout)) is not None:
        if frame.kind == frames.DETAIL:
            cycle, body = frames.unpack_detail(frame.payload)
            found[cycle] = body
        elif frame.kind != frames.PROGRESS:
            return found, json.loads(frame.payload)
    raise AssertionError("it ended without an answer")


def crowded() -> list[dict[str, Any]]:
    """Pods that evict others, pods that find no node, and plain ones."""
    low = [pod(f"low-{place}", "1") for place in range(28)]
    for place, each in enumerate(low):
        each["spec"]["nodeName"] = f"n{place % 4}"
    high = [pod(f"high-{place}", ("10m", "2", "9")[place % 3]) for place in range(150)]
    for each in high:
        each["spec"]["priority"] = 100
    return [*(node(f"n{place}", "8") for place in range(4)), *low, *high]


@pytest.mark.parametrize(
    ("objects", "edits"),
    [
        (case(60, 400, "mixed")["objects"], ()),
        (case(60, 400, "plain")["objects"], (CORDON,)),
        (crowded(), ()),
    ],
    ids=["mixed", "edited", "evicting"],
)
def test_what_it_says_of_a_cycle_is_what_the_run_said_wherever_it_was_before(
    process: Process, objects: Any, edits: tuple[dict[str, Any], ...]
) -> None:
    lines, details = recorded_run(objects, edits)
    assert edits or any(b'"type":"VictimsSelected"' in line for line in lines) == (len(objects) < 200)
    last = max(details)
    far = playhead.FAR + 5
    ways = [
        (90,),
        (91,),
        (89,),
        (90 - playhead.BEFORE - 1,),
        (1,),
        (last,),
        (5, 7),
        (5 + far,),
        (6,),
        (last,),
    ]
    asked = [cycles for cycles in ways if max(cycles) <= last]
    assert len(asked) > len(ways) - 2
    begin(process, objects, lines, *asked[0], edits=edits)
    for place, cycles in enumerate(asked):
        if place:
            put(process, {"cycles": cycles})
        found, said = answer(process)
        assert said == {"status": "finished"}
        assert found == {cycle: details[cycle] for cycle in cycles}
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait() == 0


def children(process: Process) -> list[int]:
    """Processes whose parent, or whose parent's parent, it is."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(status.parent.name)] = int(status.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    return [pid for pid, parent in parents.items() if process.pid in (parent, parents.get(parent))]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it reads /proc")
def test_there_is_one_process_beside_it_however_often_it_is_asked_and_none_after_it(process: Process) -> None:
    objects = case(20, 500, "plain")["objects"]
    lines, details = recorded_run(objects)
    begin(process, objects, lines, 400)
    answer(process)
    for cycle in (10, 450, 300, 20, 499):
        put(process, {"cycles": [cycle]})
        assert answer(process)[0] == {cycle: details[cycle]}
    (base,) = next(
        found for _ in range(10_000) if len(found := children(process)) == 1
    )  # who answered is gone
    put(process, {}, kind=frames.CANCEL)
    assert process.wait() == 0
    assert not Path(f"/proc/{base}").exists()


def test_other_events_than_the_recorded_ones_are_refused(process: Process) -> None:
    objects = case(20, 200, "plain")["objects"]
    lines, _details = recorded_run(objects)
    place = next(place for place, line in enumerate(lines) if b'"type":"PodBound"' in line)
    lines[place] = lines[place].replace(b"PodBound", b"PodLost")
    begin(process, objects, lines, 150)
    found, said = answer(process)
    assert (found, said["status"], said["cause"]) == ({}, "failed", frames.REFUTED)
    assert said["message"] == f"event {place + 1} is not the recorded one"
    assert process.wait() == 0


def test_a_cycle_that_the_run_does_not_have_is_refused(process: Process) -> None:
    objects = case(20, 30, "plain")["objects"]
    lines, details = recorded_run(objects)
    begin(process, objects, lines, 30)
    assert answer(process)[0] == {30: details[30]}
    put(process, {"cycles": [31]})
    found, said = answer(process)
    ends = f"event {len(lines) + 1} is after the {len(lines)} that are recorded"
    assert (found, said["message"]) in [({}, "The replay ended without reaching cycle 31."), ({}, ends)]


def test_nothing_is_said_of_what_lies_after_the_events_that_it_was_given(process: Process) -> None:
    objects = case(20, 300, "plain")["objects"]
    lines, details = recorded_run(objects)
    end = next(place for place, line in enumerate(lines) if b'"type":"CycleStarted","cycle":100,' in line)
    begin(process, objects, lines[:end], 99)
    assert answer(process)[0] == {99: details[99]}
    put(process, {"cycles": [290]})
    found, said = answer(process)
    assert (found, said["message"]) == ({}, f"event {end + 1} is after the {end} that are recorded")


def test_what_extenders_answered_is_read_from_the_tape_once_in_every_fork(process: Process) -> None:
    pods = [{**POD, "metadata": {"name": f"p{place}"}} for place in range(6)]
    with RuleServer() as server:
        prefix = f"http://127.0.0.1:{server.server_port}/rule"
        extender = {"urlPrefix": prefix, "filterVerb": "filter", "prioritizeVerb": "prioritize", "weight": 1}
        config = json.dumps({**KIND, "extenders": [extender]})
        job = {"objects": [*NODES, *pods], "config": config}
        access = {"hosts": f"127.0.0.1:{server.server_port}", "private": True}
        out = BytesIO()
        control: Any = Untold()
        run_job(
            msgspec.json.decode(msgspec.json.encode({**job, "extenders": access}), type=Job), out, control
        )
        num_questions = server.num_questions
        out.seek(0)
        received = list(iter(lambda: frames.read_frame(out), None))
    details = dict(frames.unpack_detail(payload) for payload in payloads(received, frames.DETAIL))
    [tape] = payloads(received, frames.TAPE)
    assert (num_questions, sorted(details)) == (12, [1, 2, 3, 4, 5, 6])
    begin(process, job["objects"], events(received), 4, config=config, extenders={"tape": tape.decode()})
    assert answer(process)[0] == {4: details[4]}
    for cycle in (5, 3, 1, 6):
        put(process, {"cycles": [cycle]})
        assert answer(process)[0] == {cycle: details[cycle]}
