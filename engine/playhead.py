"""A process that stays at the playhead of a finished run and computes the details of cycles near it.

It loads the run's cluster once and halts before the first cycle. From there a fork, the base, goes on to a few
cycles before the one that is asked for and halts there; each question is answered in a fork of the base. So what lies
near costs those few cycles, what lies before the base a new base, and nothing loads the cluster again. All of them take
over what the run decided, and compare every event with the recorded one.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
import traceback
from typing import TYPE_CHECKING, Final, NoReturn

import msgspec

from engine import frames
from engine.collector import set_aside
from engine.session import die_with_parent
from scheduler_core.simulator import ReplayError, checkpoint_before, restore
from scheduler_core.trace import encode_detail

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scheduler_core.simulator import AnyEdit, Checkpoint, Simulator, Step
    from scheduler_core.trace import CycleDetail

BEFORE: Final = 32
"""So many cycles before the one asked for the base halts: steps back from it need no new base."""
FAR: Final = 4 * BEFORE
"""So many cycles after the base's it moves on."""
PROGRESS_SECONDS: Final = 0.2


class CyclesAsked(msgspec.Struct, frozen=True):
    """The cycles whose details are wanted, ascending, from 1."""

    cycles: tuple[int, ...]


class _Said(msgspec.Struct, frozen=True):
    """What came of a question: nothing to say where the details were sent; ``first``: where the base halts now."""

    first: int = 0
    message: str = ""
    cause: str = ""


class Playhead:
    """The sink of the replay: compares its events, and halts it where somebody may ask.

    One object in three kinds of process: the root, which reads questions, the base and the one that answers.

    Args:
        recorded: the run's events, one each, as far as cycles may be asked for.
        asked: the first question.
        stdin: further questions (``CyclesAsked``).
        stdin_fd: its descriptor, to see whether anything came.
        stdout: takes DETAIL frames, then a RESULT or REFUSED frame, for each question.
    """

    def __init__(
        self,
        recorded: list[bytes],
        asked: CyclesAsked,
        stdin: frames.Readable,
        stdin_fd: int,
        stdout: frames.Writable,
    ) -> None:
        self._recorded = recorded
        self._asked: CyclesAsked | None = asked
        self._stdin, self._stdin_fd, self._stdout = stdin, stdin_fd, stdout
        self._checkpoint: Checkpoint | None = None
        self._base: _Base | None = None
        self._questions = self._status = -1  # a base's ends of its pipes
        self._halts_at = 1
        self._first = 0
        self._wanted: Collection[int] = ()
        self._told_at = time.monotonic()
        self._is_fork = False

    def run(self, simulator: Simulator, steps: Sequence[Step], edits: Sequence[AnyEdit]) -> int:
        """Answers the first question, then one a frame until stdin closes; a cancel ends it.

        Args:
            simulator: its cluster loaded, this its sink.
            steps: of the run.
            edits: of the run.

        Raises:
            ReplayError: the events before the first cycle are not the recorded ones, or there is no cycle.
        """
        self._checkpoint = checkpoint_before(sys.maxsize, self._recorded)
        restore(simulator, self._checkpoint)
        try:
            simulator.run(steps, edits=edits, is_cancelled=self._tell)
            raise ReplayError(f"The replay ended without reaching cycle {self._missing()}.")
        except BaseException as wrong:
            if self._is_fork:
                self._give_up(wrong)
            raise

    # The sink.

    def write(self, seq: int, data: bytes) -> None:
        """Compares one event with the recorded one.

        Raises:
            ReplayError: it is another one, or lies after those that are known.
        """
        if seq > len(self._recorded):
            raise ReplayError(f"event {seq} is after the {len(self._recorded)} that are recorded")
        if data != self._recorded[seq - 1]:
            raise ReplayError(f"event {seq} is not the recorded one")

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Halts the root and a base; whether the process that answers is to send this cycle's detail."""
        if self._wanted:
            return self._is_wanted(cycle)
        if not self._is_fork:
            self._lead()
        while not self._wanted and cycle >= self._halts_at:
            self._follow(cycle)
        return self._is_wanted(cycle)

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        """Sends a detail; with the last one wanted the process that answers has done its work."""
        frames.write_frame(self._stdout, frames.DETAIL, frames.pack_cycle(cycle), encode_detail(detail))
        if cycle == max(self._wanted):
            self._leave(_Said(self._first))

    def _is_wanted(self, cycle: int) -> bool:
        if cycle not in self._wanted:
            return False
        assert self._checkpoint is not None
        self._checkpoint.decisions.pop(cycle, None)  # else it would be taken over, and nothing be known of it
        return True

    def _tell(self) -> bool:
        """Says now and then that it goes on; whether the run is to stop, which it never is."""
        if time.monotonic() - self._told_at >= PROGRESS_SECONDS:
            self._told_at = time.monotonic()
            frames.write_frame(self._stdout, frames.PROGRESS, b"{}")
        return False

    # The root.

    def _lead(self) -> None:
        """Reads questions, for as long as there are any; returns in a new base only."""
        set_aside()
        while self._asked is not None:
            if self._base is None or min(self._asked.cycles) < self._base.first:
                if self._base is not None:
                    self._base.end()
                self._base = _Base(max(1, min(self._asked.cycles) - BEFORE))
                if self._base.is_here:
                    self._begin_base(self._base)
                    return
            said = self._base.ask(self._asked, self._stdin_fd)
            if said is None:  # told to stop, or whoever asked is gone
                self._stop(0)
            if said.message:
                refusal = {"status": "failed", "message": said.message, "errors": (), "cause": said.cause}
                frames.write_frame(self._stdout, frames.REFUSED, msgspec.json.encode(refusal))
                self._stop(0)
            frames.write_frame(self._stdout, frames.RESULT, b'{"status":"finished"}')
            frame = frames.read_frame(self._stdin)
            if frame is None or frame.kind != frames.PLAYHEAD:
                self._stop(0)
            else:
                self._asked = msgspec.json.decode(frame.payload, type=CyclesAsked)

    def _stop(self, code: int) -> NoReturn:
        assert self._base is not None
        self._base.end()
        sys.exit(code)

    def _begin_base(self, base: _Base) -> None:
        self._is_fork = True
        self._halts_at = base.first
        self._questions, self._status = base.questions, base.status
        self._asked = self._base = None

    # A base.

    def _follow(self, cycle: int) -> None:
        """Takes the next question: has a fork answer it, or moves on because it lies far ahead."""
        if self._asked is None:
            line = _read_line(self._questions)
            if not line:
                os._exit(0)
            self._asked = msgspec.json.decode(line, type=CyclesAsked)
        first = min(self._asked.cycles)
        if first - cycle > FAR:
            self._halts_at = first - BEFORE
            return
        self._first = cycle
        child = os.fork()
        if child == 0:
            die_with_parent()
            self._wanted = frozenset(self._asked.cycles)
            return
        self._asked = None
        if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            os._exit(code if code > 0 else 1)

    # Forks that end.

    def _missing(self) -> int:
        return max(self._wanted) if self._wanted else max(self._asked.cycles if self._asked else (0,))

    def _give_up(self, wrong: BaseException) -> NoReturn:
        """Says why a fork does not answer, and ends it."""
        if not isinstance(wrong, ReplayError):
            traceback.print_exception(wrong)
            sys.stderr.flush()
            os._exit(1)
        self._leave(_Said(self._first, str(wrong), frames.REFUTED))

    def _leave(self, said: _Said) -> NoReturn:
        os.write(self._status, msgspec.json.encode(said) + b"\n")
        os._exit(0)


class _Base:
    """A base as the root holds it, and, in the fork itself, what it was made for."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.questions, self._ask = os.pipe()
        self._said, self.status = os.pipe()
        self._pid = os.fork()
        self.is_here = self._pid == 0
        if self.is_here:
            die_with_parent()
            mine, others = (self.questions, self.status), (self._ask, self._said)
        else:
            mine, others = (self._ask, self._said), (self.questions, self.status)
        for end in others:
            os.close(end)
        self._mine = mine

    def ask(self, asked: CyclesAsked, stdin_fd: int) -> _Said | None:
        """Puts a question and waits for what comes of it; None where something comes on stdin meanwhile.

        Raises:
            ChildProcessError: the base, or the process that answered, died.
        """
        os.write(self._ask, msgspec.json.encode(asked) + b"\n")
        ready = select.select([self._said, stdin_fd], [], [])[0]
        if self._said not in ready:
            return None
        line = _read_line(self._said)
        if not line:
            raise ChildProcessError("the process at the playhead ended without an answer")
        said = msgspec.json.decode(line, type=_Said)
        self.first = said.first
        return said

    def end(self) -> None:
        """Ends it; what answers for it ends with it."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        for end in self._mine:
            os.close(end)


def _read_line(descriptor: int) -> bytes:
    """Returns the next line, nothing at the end."""
    line = b""
    while not line.endswith(b"\n"):
        data = os.read(descriptor, 1)
        if not data:
            return b""
        line += data
    return line
