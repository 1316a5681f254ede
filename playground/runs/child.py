"""The engine's process as the supervisor holds it: bytes in, frames out, and an end that is certain."""

from __future__ import annotations

import contextlib
import os
import selectors
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

LAUNCH = Path(__file__).with_name("launch.py")
HEADER = struct.Struct(">cI")
READ_BYTES = 1 << 20
STDERR_TAIL_BYTES = 4000
KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "SYSTEMROOT")


def child_environment() -> dict[str, str]:
    """Returns the engine's environment: none of the server's secrets, one thread, one hash seed."""
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    return kept | {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class Child:
    """One engine process. Start it from a thread that lives as long as the program (see `spawner`)."""

    def __init__(self) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", str(LAUNCH), str(os.getpid()), str(settings.RUN_MEMORY_BYTES)),
                *(sys.executable, "-m", "engine.process"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            cwd=settings.BASE_DIR,
            env=child_environment(),
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self._stdin.fileno(), False)
        os.set_blocking(self._stdout.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._out = memoryview(b"")
        self._in = bytearray()
        self.is_closed = False
        self.log_tail = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        """Returns whether the process still runs."""
        return self._process.poll() is None

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        """Queues a frame; `frames` writes it as the pipe takes it.

        Args:
            kind: one byte.
            payload: the frame's bytes.
        """
        self._out = memoryview(bytes(self._out) + HEADER.pack(kind, len(payload)) + payload)
        self._watch_stdin()

    def frames(self, timeout: float) -> Iterator[tuple[bytes, bytes]]:
        """Waits until something comes and yields the complete frames.

        Args:
            timeout: seconds to wait at most.
        """
        for key, _events in self._selector.select(timeout):
            if key.fileobj is self._stdin:
                self._write()
            else:
                self._read()
        offset = 0
        while len(self._in) - offset >= HEADER.size:
            kind, length = HEADER.unpack_from(self._in, offset)
            end = offset + HEADER.size + length
            if len(self._in) < end:
                break
            payload = bytes(self._in[offset + HEADER.size : end])
            offset = end
            yield kind, payload
        del self._in[:offset]

    def end(self) -> int:
        """Makes sure that the process is gone and returns its exit code (negative: the signal)."""
        if self.is_closed:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        self.kill()
        code = self._process.wait()
        self.log_tail = self._read_log()
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()
        return code

    def kill(self) -> None:
        """Sends SIGKILL; from any thread."""
        if self.is_alive():
            self._process.kill()

    def _read_log(self) -> str:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - STDERR_TAIL_BYTES))
        return self._stderr.read().decode("utf-8", "replace").strip()

    def _watch_stdin(self) -> None:
        if self._stdin not in self._selector.get_map():
            self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._out[:READ_BYTES])
        except BlockingIOError:
            return
        except BrokenPipeError:
            written = len(self._out)
        self._out = self._out[written:]
        if not self._out:
            self._selector.unregister(self._stdin)

    def _read(self) -> None:
        try:
            data = os.read(self._stdout.fileno(), READ_BYTES)
        except BlockingIOError:
            return
        if data:
            self._in += data
            return
        self.is_closed = True
        self._selector.unregister(self._stdout)
