"""Drives one engine process from its job to its end, whoever wants the frames."""

from __future__ import annotations

import dataclasses
import json
import signal
import time
from collections.abc import Callable
from typing import Literal

from django.conf import settings

from engine.frames import CANCEL, JOB, REFUSED, RESULT
from playground.runs.child import Child
from playground.runs.sink import Frame

TICK_SECONDS = 0.05
OUT_OF_MEMORY = (
    "MemoryError",
    "Unable to allocate",
    "can't start new thread",
    "SystemError: error return without exception set",  # an extension module that cannot allocate
)

Reason = Literal["cancel", "time", "silent", "stopping"]


@dataclasses.dataclass(frozen=True)
class Ending:
    """How the process ended."""

    last: Frame | None
    exit_code: int
    log_tail: str
    reason: Reason | None

    @property
    def status(self) -> str | None:
        """The status in the last frame, None where none came."""
        return None if self.last is None else json.loads(self.last[1])["status"]

    @property
    def cause(self) -> str:
        """What a refusal is about, as the engine names it; empty where it does not, or nothing was refused."""
        return "" if self.last is None else str(json.loads(self.last[1]).get("cause", ""))

    def cause_of(self, what: str = "run") -> str:
        """Returns why a process ended without a last frame, as a sentence.

        Args:
            what: it was to complete.
        """
        if any(sign in self.log_tail for sign in OUT_OF_MEMORY):
            mebibytes = settings.RUN_MEMORY_BYTES >> 20
            return f"The engine needed more than the {mebibytes} MiB of memory that a {what} may have."
        if self.exit_code < 0:
            name = signal.Signals(-self.exit_code).name
            return f"The engine's process was ended by {name} before the {what} was complete."
        last_line = self.log_tail.rsplit("\n", 1)[-1]
        stopped = f"The engine stopped with exit code {self.exit_code} before the {what} was complete."
        return f"{stopped} {last_line}".rstrip()


def drive(
    child: Child,
    job: bytes,
    handle: Callable[[list[Frame]], None],
    control: Callable[[float], Reason | None],
    *,
    kind: bytes = JOB,
) -> Ending:
    """Gives the job, hands on frames, asks `control` every 50 ms, and leaves no process behind.

    Args:
        child: a fresh process.
        job: the payload of the first frame.
        handle: takes the frames that came at once; an exception ends the process.
        control: given the seconds since the last frame, says why to stop, or None.
        kind: of the first frame: a run's job, or something else that the engine's process does.

    Returns:
        The ending; `last` is the R or X frame where one came.
    """
    last: Frame | None = None
    reason: Reason | None = None
    try:
        last, reason = _hear(child, job, handle, control, kind)
    finally:
        exit_code = child.end()
    return Ending(last, exit_code, child.log_tail, reason)


def ask(
    child: Child,
    question: bytes,
    handle: Callable[[list[Frame]], None],
    control: Callable[[float], Reason | None],
    *,
    kind: bytes,
) -> tuple[Ending, bool]:
    """Asks a process that may be asked again.

    Args:
        child: fresh, or asked before.
        question: the payload of a frame.
        handle: as `drive`.
        control: as `drive`.
        kind: of the frame.

    Returns:
        The ending, and whether the process is still there.
    """
    last: Frame | None = None
    try:
        last, reason = _hear(child, question, handle, control, kind)
    finally:
        is_there = last is not None and not child.is_closed
        exit_code = 0 if is_there else child.end()
    return Ending(last, exit_code, child.log_tail, reason), is_there


def _hear(
    child: Child,
    job: bytes,
    handle: Callable[[list[Frame]], None],
    control: Callable[[float], Reason | None],
    kind: bytes,
) -> tuple[Frame | None, Reason | None]:
    """Hands on frames until the last one or the process's end."""
    last: Frame | None = None
    reason: Reason | None = None
    child.send(kind, job)
    heard = asked = time.monotonic()
    deadline = float("inf")
    while last is None and not child.is_closed:
        frames = list(child.frames(TICK_SECONDS))
        now = time.monotonic()
        if frames:
            heard = now
            handle(frames)
            last = next((frame for frame in frames if frame[0] in (RESULT, REFUSED)), None)
        if reason is None and now - asked >= TICK_SECONDS:
            asked = now
            reason = control(now - heard)
            if reason is not None:
                child.send(CANCEL)
                deadline = now + settings.RUN_GRACE_SECONDS
        if now > deadline:
            child.kill()
    return last, reason
