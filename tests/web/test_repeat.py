"""The command that repeats a run: done as it says, it gives the same events."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import Api, manifests, node, pod

pytestmark = pytest.mark.usefixtures("worker")

SPREADS = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: MostAllocated
        resources: [{name: cpu, weight: 1}]
"""
CLUSTER = manifests(
    *(node(f"n{index}", cpu="4") for index in range(1, 5)),
    pod("settled", nodeName="n3"),
    *(pod(f"p{index}") for index in range(1, 7)),
)
LATER = {"kind": "apply", "at": "5s", "objects": [pod("late", cpu="3")]}


def repeated(api: Api, run: str, folder: Path) -> tuple[list[str], bytes]:
    """Does what the command says; returns its last line's words and the events that came of it."""
    *fetches, command = map(shlex.split, api.get(f"runs/{run}")["repeat"].splitlines())
    for curl, _flags, _to, file, address in fetches:
        assert curl == "curl"
        answer = api.client.get(address.removeprefix("http://testserver"))
        assert answer.status_code == 200, answer.content
        (folder / file).write_bytes(answer.content)
    words = [sys.executable, "-m", "engine.cli", *command[1:], "--trace", "trace.jsonl"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    return command, (folder / "trace.jsonl").read_bytes()


def run_of(api: Api, **asked: Any) -> str:
    cluster = api.import_text(CLUSTER)
    run = str(api.run(cluster["id"], **asked)["id"])
    assert api.wait_for(run)["status"] == "finished"
    return run


def events_of(api: Api, run: str) -> bytes:
    return bytes(api.client.get(f"/api/v1/runs/{run}/export").content)


def test_a_run_of_the_cluster_alone_needs_no_more(api: Api, tmp_path: Path) -> None:
    run = run_of(api)
    command, events = repeated(api, run, tmp_path)
    assert events == events_of(api, run)
    assert command[:3] == ["playground", "run", "-f"]
    assert len(command) == 4


def test_profile_edits_question_and_options_come_along(api: Api, tmp_path: Path) -> None:
    profile = api.post("profiles", {"name": "packs", "config": SPREADS})["id"]
    options = {"seed": 7, "controllers": "off", "unknown_plugins": "leave-out", "tie_break": "lowest-name"}
    question = {"ask": "reschedule", "pods": ["default/settled"]}
    run = run_of(api, profile=profile, edits=[LATER], question=question, options=options)
    command, events = repeated(api, run, tmp_path)
    assert events == events_of(api, run)
    assert b"default/late" in events
    assert command[4:] == [
        *("--config", f"config-{run}.yaml", "--scenario", f"scenario-{run}.json"),
        *("--seed", "7", "--controllers", "off", "--skip-unknown-plugins"),
        *("--options", '{"tie_break": "lowest-name"}'),
    ]
    assert events != events_of(api, run_of(api, edits=[LATER]))


def test_a_run_without_a_profile_has_no_configuration(api: Api) -> None:
    run = run_of(api)
    assert "had no profile" in api.get(f"runs/{run}/config", 404)["detail"]
    assert api.get(f"runs/{run}/scenario") == {
        "apiVersion": "playground/v1",
        "kind": "Scenario",
        "metadata": {"name": f"run-{run}"},
        "edits": [],
    }
