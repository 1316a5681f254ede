"""Extenders in the engine's process: asked where the job says so, answered from the tape in a replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec
import pytest

from engine import frames
from engine.extender_access import ExtenderAccess
from engine.process import Job, run_job
from tests.conformance.extender_server import RuleServer

NODES: list[dict[str, Any]] = [
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"gen": gen}},
        "status": {"allocatable": {"cpu": "4", "memory": "4Gi", "pods": "9"}},
    }
    for name, gen in (("odd", "3"), ("low", "2"), ("high", "8"))
]
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c"}]}}


class Untold:
    """Nobody cancels."""

    is_cancelled = False


def run(port: int, **access: Any) -> list[frames.Frame]:
    extender = {
        "urlPrefix": f"http://127.0.0.1:{port}/rule",
        "filterVerb": "filter",
        "prioritizeVerb": "prioritize",
        "weight": 1,
    }
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [extender],
    }
    job = {"objects": [*NODES, POD], "config": json.dumps(config), "extenders": access}
    out = BytesIO()
    control: Any = Untold()
    assert run_job(msgspec.json.decode(msgspec.json.encode(job), type=Job), out, control) == 0
    out.seek(0)
    return list(iter(lambda: frames.read_frame(out), None))


def payloads(received: list[frames.Frame], kind: bytes) -> list[bytes]:
    return [frame.payload for frame in received if frame.kind == kind]


def events(received: list[frames.Frame]) -> list[bytes]:
    return [
        line
        for payload in payloads(received, frames.EVENTS)
        for line in frames.unpack_events(payload).lines.splitlines()
    ]


def placements(received: list[frames.Frame]) -> Any:
    [result] = payloads(received, frames.RESULT)
    return json.loads(result)["placements"]


@pytest.fixture
def server() -> Iterator[RuleServer]:
    with RuleServer() as serving:
        yield serving


def test_allowed_hosts_are_asked_and_a_replay_reads_their_answers_from_the_tape(server: RuleServer) -> None:
    asked = run(server.server_port, hosts=f"127.0.0.1:{server.server_port}", private=True)
    assert placements(asked) == {"default/p": "high"}
    [tape] = payloads(asked, frames.TAPE)
    assert server.num_questions == 2
    replayed = run(server.server_port, tape=tape.decode())
    assert server.num_questions == 2, "nobody is asked again"
    assert events(replayed) == events(asked)
    assert payloads(replayed, frames.TAPE) == []


def test_no_host_is_asked_by_default(server: RuleServer) -> None:
    received = run(server.server_port)
    assert placements(received) == {}
    assert server.num_questions == 0
    assert b"extenders are switched off here" in payloads(received, frames.EVENTS)[-1]
    assert payloads(received, frames.TAPE) == []


def test_a_list_of_hosts_that_cannot_be_read_is_told() -> None:
    with pytest.raises(msgspec.DecodeError, match="not a host that may be asked"):
        ExtenderAccess(hosts="http://x").open()
