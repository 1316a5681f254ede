"""The same input and seed give the same bytes, under any PYTHONHASHSEED."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.cases import CASES, read_cases


def traced(path: Path, hash_seed: int, seed: int, folder: Path) -> bytes:
    trace = folder / f"trace-{hash_seed}-{seed}.jsonl"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "engine.cli",
            "run",
            "-f",
            str(path),
            "--seed",
            str(seed),
            "--trace",
            str(trace),
        ],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        check=True,
        capture_output=True,
    )
    return trace.read_bytes()


@pytest.mark.parametrize("number", [0, 17])
def test_the_hash_seed_changes_nothing_and_the_seed_of_the_run_may(tmp_path: Path, number: int) -> None:
    case = read_cases(CASES / "random" / "mixed.jsonl.gz")[number]
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": case["objects"]}))
    first = traced(path, 1, 5, tmp_path)
    assert first.count(b"\n") > 50
    assert traced(path, 2, 5, tmp_path) == first
    assert traced(path, 3, 5, tmp_path) == first
