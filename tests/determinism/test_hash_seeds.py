"""The same run gives the same bytes, whatever the seed of Python's hashes is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from engine import frames
from engine.sources import read_sources
from scheduler_core.api import load_manifests
from tests.conformance.compare import CASES, read_cases

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in {".yaml", ".json"})
SCENARIOS = sorted(
    set((ROOT / "examples" / "scenarios").glob("*.yaml")) - {ROOT / "examples/scenarios/shop.yaml"}
)
SEEDS = ("0", "4242")


def run(job: dict[str, Any], hash_seed: str) -> dict[bytes, bytes]:
    """Returns what the engine's process sends, joined by kind of frame; how it is cut into frames is chance.

    Args:
        job: the job's JSON.
        hash_seed: PYTHONHASHSEED.
    """
    sent = io.BytesIO()
    frames.write_frame(sent, frames.JOB, json.dumps(job).encode())
    with subprocess.Popen(
        [sys.executable, "-m", "engine.process"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(sent.getvalue())
        engine.stdin.flush()
        came: dict[bytes, bytes] = {frames.EVENTS: b"", frames.DETAIL: b"", frames.RESULT: b""}
        while (frame := frames.read_frame(engine.stdout)) is not None:
            payload = frame.payload
            if frame.kind == frames.EVENTS:
                payload = frames.unpack_events(payload).lines + b"\n"
            came[frame.kind] = came.get(frame.kind, b"") + payload
    assert engine.returncode == 0
    came.pop(frames.PROGRESS, None)
    return came


def example(path: Path) -> dict[str, Any]:
    """Returns the job of one of our examples."""
    loaded = load_manifests(read_sources([str(path)]))
    return {"objects": [item.raw for item in loaded.objects]}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_gives_the_same_bytes_under_any_hash_seed(path: Path) -> None:
    first, other = (run(example(path), seed) for seed in SEEDS)
    assert first[frames.EVENTS]
    assert other == first


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_gives_the_same_bytes_under_any_hash_seed(path: Path) -> None:
    scenario = yaml.safe_load(path.read_text())
    job = example(path.parent / "shop.yaml") | {"edits": scenario["edits"], "details": "none"}
    first, other = (run(job, seed) for seed in SEEDS)
    assert b"EditApplied" in first[frames.EVENTS]
    assert other == first


def test_mixed_clusters_give_the_same_bytes_under_any_hash_seed() -> None:
    for case in read_cases(CASES / "random" / "mixed.jsonl.gz")[:4]:
        job = {"objects": case["objects"], "config": case.get("config")}
        first, other = (run(job, seed) for seed in SEEDS)
        assert first[frames.EVENTS]
        assert other == first, case["name"]


def test_the_seed_of_the_run_changes_what_is_drawn() -> None:
    job = {"objects": twins(), "options": {"tie_break": "random"}}
    placed = {run(job | {"options": {"seed": seed}}, "0")[frames.RESULT] for seed in range(6)}
    assert len(placed) > 1


def twins() -> list[dict[str, Any]]:
    """Returns a pod and nodes that are all equally good."""
    nodes = [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"node-{number}"},
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}},
        }
        for number in range(8)
    ]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "default", "name": "pod"},
        "spec": {"containers": [{"name": "main", "image": "app", "resources": {"requests": {"cpu": "1"}}}]},
    }
    return [*nodes, pod]
