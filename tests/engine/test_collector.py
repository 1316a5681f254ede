from __future__ import annotations

import subprocess
import sys

ASK = """
import gc
from engine.collector import collect_rarely, set_aside
usual = gc.get_threshold()
collect_rarely()
set_aside()
print(gc.isenabled(), gc.get_threshold() > usual, gc.get_freeze_count() > 1000)
"""


def test_the_collector_stays_on_looks_rarely_and_leaves_alone_what_was_there() -> None:
    said = subprocess.run([sys.executable, "-c", ASK], check=True, capture_output=True, text=True).stdout
    assert said.split() == ["True", "True", "True"]
