"""How long a late cycle's detail takes with no engine warm: a process is started, and comes back to the cycle.

What is timed is what the server does: write the job with the stored events, start the engine's process, and read its
frames to the one with the detail.
"""

from __future__ import annotations

import base64
import json
import resource
import subprocess
import sys
import time
from statistics import median
from typing import Any, Final

import msgspec

from engine import frames
from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator
from scheduler_core.trace import MemorySink
from tests.bench.make_workload import case
from tests.bench.measure import calibrate

CYCLE: Final = 1990
_RUNS: Final = 5


def cold_detail() -> dict[str, Any]:
    """Seconds to the detail of cycle 1,990 of mixed:5000:2000, the median of several; ``cpu``: of them computed."""
    objects = case(5000, 2000, "mixed")["objects"]
    sink = MemorySink()
    simulator = Simulator(load_config(""), DEFAULT, sink)
    simulator.load(decode_object(raw) for raw in objects)
    simulator.run()
    body = msgspec.json.encode(objects)
    took, computed = [], []
    for _ in range(_RUNS):
        before = cpu_of_children()
        took.append(seconds_to_detail(body, sink.lines))
        computed.append(cpu_of_children() - before)
    return {
        "seconds": round(median(took), 2),
        "best": round(min(took), 2),
        "cpu": round(median(computed), 2),
        "speed": round(calibrate(), 2),
    }


def cpu_of_children() -> float:
    """Seconds of CPU time of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_to_detail(objects: bytes, lines: list[bytes]) -> float:
    """From the stored events to the detail of the cycle."""
    started = time.perf_counter()
    recorded = base64.b64encode(b"\n".join(lines)).decode()
    head = json.dumps({"details": {"cycle": CYCLE}, "recorded": recorded, "objects": None})
    job = head.encode().removesuffix(b"null}") + objects + b"}"
    child = subprocess.Popen(
        [sys.executable, "-m", "engine.process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    frames.write_frame(child.stdin, frames.JOB, job)
    while (frame := frames.read_frame(child.stdout)) is not None and frame.kind != frames.DETAIL:
        assert frame.kind != frames.REFUSED, frame.payload
    took = time.perf_counter() - started
    assert frame is not None
    assert frames.unpack_detail(frame.payload)[0] == CYCLE
    child.stdin.close()
    child.stdout.close()
    child.wait()
    return took
