from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.cli import main
from tests.core.simulator.scenario.scenes import Scene
from tests.make import make_node, make_pod

NODES = [make_node(name, cpu="4") for name in ("n1", "n2", "n3")]
PODS = [make_pod(name, requests={"cpu": "3"}) for name in ("a", "b", "c")]


@pytest.fixture
def traces(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for path, edits in zip(paths, ((), ({"kind": "cordon", "nodes": ["n2"]},)), strict=True):
        path.write_bytes(b"\n".join(Scene([*NODES, *PODS], *edits).sink.lines) + b"\n")
    return str(paths[0]), str(paths[1])


def test_two_runs_are_compared_in_sentences_and_pods(
    traces: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *traces]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "The runs part at event 5, at 0 s: EditApplied: Cordon n2; before CycleStarted: default/a.",
        "They decide alike before cycle 2: 1 node fitted, before 2. NodeUnschedulable refused 1 node more.",
        "1 pod is on another node.",
        "1 pod is without a node that had one.",
        "Pods waited 0.004 s on average, before 0.005 s.",
        "",
        "~ default/b: n2 → n3",
        "~ default/c: n3 → pending",
    ]


def test_the_same_run_is_the_same(traces: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", traces[0], traces[0]]) == 0
    assert capsys.readouterr().out == "The two runs are the same, event by event.\n"
    assert main(["compare", *traces, "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["first_diverging_cycle"]["node_after"] == "n3"


def test_what_is_no_trace_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("kind: Pod\n")
    assert main(["compare", str(path), str(path)]) == 2
    assert capsys.readouterr().err == (
        f"{path}:1:1: Syntax: expected event 1 of a trace, as playground run --trace writes it\n"
    )
    assert main(["compare", str(tmp_path / "none"), str(path)]) == 2
    assert "Not found: there is no such file" in capsys.readouterr().err
