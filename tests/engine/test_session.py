"""A process that stays with its cluster and answers one what-if after the other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from engine import frames
from tests.bench.make_workload import case
from tests.engine.test_planning import node, pod

MANY = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1m"}}}]}
LONG = {
    "kind": "arrivals", "rate": 1000, "count": 50_000,
    "pod": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "many"}, "spec": MANY},
}  # fmt: skip
"""Takes much longer than what comes after it."""
Process = subprocess.Popen[bytes]


@pytest.fixture
def process() -> Iterator[Process]:
    child = subprocess.Popen(
        [sys.executable, "-m", "engine.process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        yield child
        child.kill()


def ask(process: Process, **asked: Any) -> None:
    assert process.stdin is not None
    frames.write_frame(process.stdin, frames.WHAT_IF, json.dumps(asked).encode())


def told(process: Process) -> tuple[bytes, dict[str, Any]]:
    """Returns the next frame that is no progress."""
    assert process.stdout is not None
    frame = frames.read_frame(process.stdout)
    while frame is not None and frame.kind == frames.PROGRESS:
        frame = frames.read_frame(process.stdout)
    assert frame is not None
    return frame.kind, json.loads(frame.payload)


def text(process: Process) -> str:
    kind, said = told(process)
    assert kind == frames.RESULT
    return str(said["answer"]["changes"]["text"])


def end(process: Process) -> int:
    assert process.stdin is not None
    process.stdin.close()
    return process.wait()


def test_each_question_is_about_the_cluster_as_it_was_loaded(process: Process) -> None:
    two = [node("a", "2"), node("b", "2"), pod("web", "1")]
    two[2]["spec"]["nodeName"] = "a"
    ask(process, question="what-if", objects=two)
    assert text(process) == "Nothing changes"
    ask(process, edits=[{"kind": "delete", "object": "Pod/default/web"}])
    assert text(process) == "1 gone"
    ask(process, edits=[{"kind": "cordon", "nodes": ["a"]}], ask={"ask": "replan"})
    kind, said = told(process)
    assert kind == frames.RESULT
    assert said["answer"]["changes"]["moved"] == [
        {"pod": "default/web", "before": "a", "after": "b", "instead": ""}
    ]
    assert [(item["name"], item["unschedulable"]) for item in said["answer"]["nodes"]] == [("a", True)]
    assert [(item["name"], item["node"]) for item in said["answer"]["pods"]] == [("web", "b")]
    ask(process)
    assert text(process) == "Nothing changes"
    assert end(process) == 0


def test_edits_that_are_wrong_are_refused_and_the_next_question_is_answered(process: Process) -> None:
    ask(process, question="what-if", objects=[node("a", "2")], edits=[{"kind": "cordon", "nodes": ["x"]}])
    kind, said = told(process)
    assert kind == frames.REFUSED
    assert said["errors"][0]["field"] == "edits[0].nodes[0]"
    ask(process, edits=[{"kind": "removeNodes", "nodes": ["a"]}])
    kind, said = told(process)
    assert said["answer"]["gone_nodes"] == ["a"]
    assert end(process) == 0


def test_a_cancel_drops_one_question_only(process: Process) -> None:
    assert process.stdin is not None
    ask(process, question="what-if", objects=case(50, 10, "plain")["objects"])
    assert text(process) == "Nothing changes"
    ask(process, edits=[LONG])
    frames.write_frame(process.stdin, frames.CANCEL)
    kind, said = told(process)
    assert (kind, said) == (frames.RESULT, {"status": "cancelled"})
    ask(process, edits=[{**LONG, "count": 2}])
    assert text(process) == "2 new"
    assert end(process) == 0


def test_it_ends_with_whoever_asked_also_in_the_middle_of_an_answer(process: Process) -> None:
    ask(process, question="what-if", objects=case(50, 10, "plain")["objects"])
    assert text(process) == "Nothing changes"
    ask(process, edits=[LONG])
    assert end(process) == 0
