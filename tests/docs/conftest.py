"""A server of its own for the snippets that speak to one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serves the application as `make run` does, with an empty data folder; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = {**os.environ, "PLAYGROUND_VAR": str(tmp_path_factory.mktemp("var"))}
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, server)
        yield address
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=20)


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    """Returns once the server answers; fails when it ends first or says nothing for half a minute."""
    deadline = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            assert server.poll() is None, f"the server ended with {server.returncode}"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.1)
        else:
            return
