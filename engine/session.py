"""A process that keeps a cluster loaded and answers what-ifs of it, one after the other.

Each question is answered in a fork of the process, which has the loaded cluster at once and may change it as it likes:
what is loaded stays as it is for the next question. A process without threads is safe to fork; so stdin is read by the
loop that also waits for the fork.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
import traceback
from typing import Final, NoReturn

import msgspec

from engine import frames
from engine.collector import set_aside
from engine.planning import PlanningJob
from engine.what_if import WhatIfAsked, WhatIfs
from scheduler_core.api import ManifestError, decode_object
from scheduler_core.config import load_config

LOOK_SECONDS: Final = 0.05
TELL_SECONDS: Final = 0.2
READ_BYTES: Final = 1 << 16
PR_SET_PDEATHSIG: Final = 1
CAN_FORK: Final = hasattr(os, "fork")


def run_session(payload: bytes, stdin: frames.Readable, stdin_fd: int, stdout: frames.Writable) -> int:
    """Answers the question of the first frame, then one a frame until stdin closes.

    Args:
        payload: a PlanningJob whose question is a what-if.
        stdin: further questions (``WhatIfAsked``) and cancels.
        stdin_fd: its descriptor, to see whether anything came.
        stdout: takes a RESULT or REFUSED frame for each question.
    """
    job = msgspec.json.decode(payload, type=PlanningJob)
    watch = _Watch(stdin_fd, stdout)
    watch.tell("Reading the cluster")
    cluster = [decode_object(raw) for raw in job.objects]
    watch.tell("Placing what is pending")
    prepared = WhatIfs(cluster, load_config(job.config or ""), job.options, watch.is_cancelled)
    if watch.is_cancelled():
        return 0
    set_aside()
    asked = WhatIfAsked(edits=job.edits, ask=job.ask, other_config=job.other_config)
    while True:
        _answer_in_fork(prepared, asked, stdin, stdin_fd, stdout)
        prepared.get_ready()
        set_aside()
        while True:
            frame = frames.read_frame(stdin)
            if frame is None:
                return 0
            if frame.kind == frames.WHAT_IF:
                break
        asked = msgspec.json.decode(frame.payload, type=WhatIfAsked)


class _Watch:
    """Tells how far it is, and looks now and then whether anybody wants it to stop."""

    def __init__(self, stdin_fd: int | None, stdout: frames.Writable) -> None:
        self._stdin_fd = stdin_fd
        self._stdout = stdout
        self._looked_at = self._told_at = time.monotonic()
        self._is_cancelled = False

    def tell(self, text: str) -> None:
        """Says what is being done."""
        told = {"done": 0, "total": None, "unit": "", "text": text}
        frames.write_frame(self._stdout, frames.PROGRESS, msgspec.json.encode(told))

    def is_cancelled(self) -> bool:
        """Whether a frame, or the end, came meanwhile: nothing but a cancel comes before an answer."""
        now = time.monotonic()
        if now - self._told_at >= TELL_SECONDS:
            self._told_at = now
            self.tell("Running it")
        if self._stdin_fd is not None and not self._is_cancelled and now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            self._is_cancelled = bool(select.select([self._stdin_fd], [], [], 0)[0])
        return self._is_cancelled


def _answer_in_fork(
    prepared: WhatIfs, asked: WhatIfAsked, stdin: frames.Readable, stdin_fd: int, stdout: frames.Writable
) -> None:
    """Has a fork answer, and hands on what it says; a cancel ends it."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        _answer_and_exit(prepared, asked, sink, stdout)
    os.close(sink)
    said = bytearray()
    is_cancelled = False
    while not is_cancelled:
        ready = select.select([source, stdin_fd], [], [])[0]
        if source in ready:
            data = os.read(source, READ_BYTES)
            if not data:
                break
            said += data
        elif stdin_fd in ready:
            is_cancelled = True
            os.kill(child, signal.SIGKILL)
    os.close(source)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if is_cancelled:
        if frames.read_frame(stdin) is None:
            sys.exit(0)
        frames.write_frame(stdout, frames.RESULT, msgspec.json.encode({"status": "cancelled"}))
    elif code:
        raise ChildProcessError(f"the process that answered ended with {code}")
    else:
        frames.write_frame(stdout, bytes(said[:1]), bytes(said[1:]))


def _answer_and_exit(prepared: WhatIfs, asked: WhatIfAsked, sink: int, stdout: frames.Writable) -> NoReturn:
    """Writes the kind and the payload of the frame that answers."""
    code = 1
    try:
        die_with_parent()
        try:
            found = prepared.answer(asked, _Watch(None, stdout).is_cancelled)
            end = {"status": "finished", "question": "what-if", "answer": found}
            said = frames.RESULT + msgspec.json.encode(end)
        except ManifestError as wrong:
            refusal = {"status": "failed", "message": str(wrong), "errors": wrong.errors}
            said = frames.REFUSED + msgspec.json.encode(refusal)
        with open(sink, "wb") as out:
            out.write(said)
        code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def die_with_parent() -> None:
    """Asks the kernel for SIGKILL when the process ends that forked this one; elsewhere it ends with its answer."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
