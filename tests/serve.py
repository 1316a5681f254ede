"""The served application as a process of its own, for what looks at it through a browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.needs import ROOT

LISTENS = re.compile(r"on (http://127\.0\.0\.1:\d+)")
GRACE_SECONDS = 20


@contextmanager
def served(var: Path, program: Sequence[str] = ("manage.py",)) -> Iterator[str]:
    """Serves on a free port with its state in a folder; gives the address, ends it on leaving.

    Args:
        var: where its database and the like go.
        program: what Python runs to serve.
    """
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("DATABASE_", "REDIS_"))
    }
    environment |= {"PLAYGROUND_VAR": str(var), "PYTHONUNBUFFERED": "1"}
    log = var / "serve.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, *program, "serve", "--port", "0"],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=out, text=True,
        )  # fmt: skip
        try:
            yield _address(process, log)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout:
                process.stdout.close()


def _address(process: subprocess.Popen[str], log: Path) -> str:
    """Returns where it listens, read from what it says."""
    assert process.stdout is not None
    for line in process.stdout:
        found = LISTENS.search(line)
        if found:
            return found.group(1)
    raise RuntimeError(f"the server ended before it listened:\n{log.read_text()}")
