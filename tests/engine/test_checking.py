"""Checks in the child process, and on several at once."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine import checking, frames, telling
from engine.check_workers import Workers
from engine.checking import CheckProgress, run_check
from scheduler_core.checks import Order
from tests.core.checks.asking import asked, node, pod

Process = subprocess.Popen[bytes]
# big fits only before the small ones: which orders hold differs from order to order.
MANIFESTS = [pod("big", "2"), pod("small-0"), pod("small-1"), pod("tiny-0", "1m"), pod("tiny-1", "2m")]
CLUSTER = [node("node-a")]
BIG = {"scheduled": {"workloads": ["Pod/big"]}}


@pytest.fixture
def process() -> Iterator[Process]:
    child = subprocess.Popen(
        [sys.executable, "-m", "engine.process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        yield child
        child.kill()


def ask(process: Process, question: Any, **job: Any) -> list[frames.Frame]:
    assert process.stdin is not None
    assert process.stdout is not None
    frames.write_frame(process.stdin, frames.CHECK, msgspec.json.encode({"input": question, **job}))
    received = []
    while (frame := frames.read_frame(process.stdout)) is not None:
        received.append(frame)
    return received


def test_the_child_tells_how_far_it_is_and_last_the_verdict(process: Process) -> None:
    *progress, last = ask(process, asked(MANIFESTS, CLUSTER, orders=4))
    assert process.wait() == 0
    assert last.kind == frames.RESULT
    answer = json.loads(last.payload)
    assert (answer["status"], answer["verdict"]["outcome"]) == ("finished", "fail")
    assert json.loads(progress[0].payload) == {"done": 0, "total": 4, "text": "Trying the change"}


def test_wrong_input_is_refused_with_every_error_and_exit_code_2(process: Process) -> None:
    (last,) = ask(process, asked("kind: [", CLUSTER, orders=0))
    assert (process.wait(), last.kind) == (2, frames.REFUSED)
    assert [error["type"] for error in json.loads(last.payload)["errors"]] == ["Invalid value", "Syntax"]


def test_an_unknown_field_of_a_job_is_refused(process: Process) -> None:
    (last,) = ask(process, {"manifest": []})
    assert (process.wait(), last.kind) == (2, frames.REFUSED)
    assert "unknown field `manifest`" in json.loads(last.payload)["message"]


def test_several_processes_give_the_same_verdict_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "WORTH_A_PROCESS_SECONDS", 0.0)
    told: list[CheckProgress] = []
    check = asked(MANIFESTS, CLUSTER, BIG, orders=12)
    alone = run_check(check, workers=1)
    assert alone.robustness is not None
    assert 0 < alone.robustness.held < 12
    assert run_check(check, workers=3, progress=told.append) == alone
    assert [each.done for each in told if each.text.startswith("Order")] == list(range(2, 13))


def test_what_a_process_that_dies_leaves_undone_comes_back() -> None:
    orders = [(number, Order(None, number)) for number in range(4)]
    workers = Workers(lambda share: b"no job at all", orders, 1)
    found, mine = {}, []
    while len(mine) + len(found) < 4:
        found.update(workers.results(0.1))
        while (each := workers.take()) is not None:
            mine.append(each[0])
    workers.end()
    assert (sorted(mine), found) == ([0, 1, 2, 3], {})


def test_a_cancelled_check_ends_its_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "WORTH_A_PROCESS_SECONDS", 0.0)
    told: list[CheckProgress] = []
    verdict = run_check(
        asked(MANIFESTS, CLUSTER, orders=40),
        workers=2,
        progress=told.append,
        is_cancelled=lambda: len(told) > 4,
    )
    assert verdict.outcome == "cancelled"


def test_the_child_goes_on_telling_while_it_tries_one_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "TELL_SECONDS", 0.0)
    out = io.BytesIO()
    job = msgspec.json.encode({"input": asked(MANIFESTS, CLUSTER)})
    assert checking.run_check_job(job, out, lambda: False) == 0
    out.seek(0)
    told = []
    while (frame := frames.read_frame(out)) is not None and frame.kind == frames.PROGRESS:
        told.append(json.loads(frame.payload)["text"])
    assert set(told) == {"Trying the change", "Tried the order of the files"}
    assert told.count("Trying the change") > len(MANIFESTS)
