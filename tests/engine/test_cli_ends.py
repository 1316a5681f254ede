"""How the command ends where its output has no room, or where somebody presses Ctrl-C once, twice or often."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.needs import ROOT

EXAMPLE = "examples/2-free-but-scattered.yaml"


@pytest.mark.parametrize("words", [["--version"], ["run", "-f", EXAMPLE], ["validate", "-f", EXAMPLE]])
def test_a_full_disk_below_the_output_is_one_sentence(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "engine.cli", *words],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "playground: the output cannot be written: No space left on device"
    )
    assert "Traceback" not in done.stderr


def test_the_help_is_printed_in_full() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine.cli", "--help"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert "exit codes:" in done.stdout


def test_ctrl_c_however_often_leaves_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine.cli", "run", "-f", "-"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdin is not None
            process.stdin.write("x" * (1 << 20))  # it listens once the pipe has taken more than it holds
            process.stdin.flush()
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline:
                process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            said = process.stderr.read()
        finally:
            process.kill()
    assert process.returncode == 130
    assert said in ("", "playground: interrupted\n")
