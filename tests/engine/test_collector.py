from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ASK = """
import gc
from engine.collector import collect_rarely, set_aside
usual = gc.get_threshold()
collect_rarely()
set_aside()
print(gc.isenabled(), gc.get_threshold() > usual, gc.get_freeze_count() > 1000)
"""
RUN = """
import gc
from engine.cli import main
usual = gc.get_threshold()
gc.disable()
main(["run", "-f", "examples/2-free-but-scattered.yaml"])
print(gc.isenabled(), gc.get_threshold() > usual, gc.get_freeze_count() > 1000)
"""


def test_the_collector_stays_on_looks_rarely_and_leaves_alone_what_was_there() -> None:
    said = subprocess.run([sys.executable, "-c", ASK], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["True", "True", "True"]


def test_the_command_line_collects_again_and_rarely_once_its_run_is_loaded() -> None:
    said = subprocess.run(
        [sys.executable, "-c", RUN], check=True, capture_output=True, text=True, cwd=ROOT
    ).stdout
    assert said.splitlines()[-1].split() == ["True", "True", "True"]
