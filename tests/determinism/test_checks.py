"""A check gives the same verdict whatever Python's hash seed, and whatever the number of processes."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.needs import ROOT

CHECK = [
    *(
        sys.executable,
        "-m",
        "engine.cli",
        "check",
        "-f",
        "examples/check",
        "--orders",
        "8",
        "--format",
        "json",
    ),
    *("--cluster", "examples/3-last-gpu.yaml", "--seed", "3"),
]


def test_two_hash_seeds_give_the_same_bytes_but_for_the_clock() -> None:
    told = [
        subprocess.run(
            CHECK,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        ).stdout.splitlines()
        for seed in ("1", "2")
    ]
    first, second = ([line for line in lines if '"checkedAt"' not in line] for lines in told)
    assert len(first) > 50
    assert first == second
