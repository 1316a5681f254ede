"""The engine's process: one job in on stdin, its frames out on stdout (``python -m engine.process``).

The first frame says what is wanted: a run, the cluster as a run leaves it, an import, a check, a plan, or what-ifs or
the details of a run's cycles, of which further ones may follow.

It may be started early and left waiting for its job. It ends with its run, when told to cancel, and when stdin
closes: nothing outlives whoever started it.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from engine import frames
from engine.collector import collect_rarely, set_aside
from engine.extender_access import ExtenderAccess, OpenAccess
from scheduler_core.api import (
    FieldError,
    LoadedObject,
    ManifestError,
    canonical,
    decode_json_object,
    decode_object,
)
from scheduler_core.config import load_config
from scheduler_core.simulator import (
    Fork,
    ReplayError,
    Simulator,
    SimulatorOptions,
    Step,
    TapeError,
    begin_fork,
    checkpoint_before,
    end_state,
    read_edits,
    read_question,
    restore,
)
from scheduler_core.trace import SilentSink, encode_detail

if TYPE_CHECKING:
    from scheduler_core.simulator import AnyEdit, RunResult
    from scheduler_core.trace import CycleDetail, Sink

EXIT_REFUSED: Final = 2
FLUSH_EVENTS: Final = 500
FLUSH_SECONDS: Final = 0.1
PROGRESS_SECONDS: Final = 0.2
OBJECTS_A_FRAME: Final = 500
MAX_NODES_FOR_DETAILS: Final = 200
MAX_DETAIL_BYTES: Final = 64 * 1024 * 1024


class CycleWanted(msgspec.Struct, frozen=True):
    """Only this cycle's detail, and those of some before it; the run stops after it."""

    cycle: int
    earlier: tuple[int, ...] = ()


class JobStep(msgspec.Struct, frozen=True, rename="camel"):
    """Changes during the run, as plain objects."""

    advance_us: int = 0
    apply: tuple[dict[str, Any], ...] = ()
    delete: tuple[str, ...] = ()


class Begun(msgspec.Struct, frozen=True):
    """What of a run is stored already: so many events, and the SHA-256 over their lines."""

    num_events: int
    digest: str


class Job(msgspec.Struct, frozen=True):
    """What to run: objects as plain JSON, the configuration's text, the options that are not default.

    ``extenders`` is the operator's word, never that of whoever wrote the configuration. ``recorded`` (base64) are
    events of an earlier run of the same job, one a line: what it decided before the wanted cycle is taken over
    instead of decided again. ``edits`` and
    ``question`` are a scenario's, as plain JSON; in a fork the parent's edits come first. ``begun`` is what an earlier
    attempt at this very run has stored: it is computed again and compared, and not sent again.
    """

    objects: tuple[msgspec.Raw, ...]
    config: str | None = None
    options: SimulatorOptions = SimulatorOptions()
    details: Literal["auto", "none"] | CycleWanted = "auto"
    steps: tuple[JobStep, ...] = ()
    extenders: ExtenderAccess = ExtenderAccess()
    recorded: bytes = b""
    edits: tuple[dict[str, Any], ...] = ()
    question: dict[str, Any] | None = None
    fork: Fork | None = None
    begun: Begun | None = None

    @property
    def until_cycle(self) -> int | None:
        """The cycle after which the run stops."""
        return self.details.cycle if isinstance(self.details, CycleWanted) else None


class FrameSink:
    """Writes events in batches, and the details that are wanted while they stay small."""

    def __init__(
        self, out: frames.Writable, details: Literal["auto", "none"] | CycleWanted, after: int = 0
    ) -> None:
        """``after``: the last event that is known already; only those that follow are sent."""
        self._out = out
        self._after = after
        self._details = details
        self._detail_bytes = 0
        self._lines: list[bytes] = []
        self._first_seq = after + 1
        self._flushed_at = time.monotonic()

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""
        if seq <= self._after:
            return
        self._lines.append(data)
        if len(self._lines) >= FLUSH_EVENTS or time.monotonic() - self._flushed_at >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Sends what has gathered."""
        self._flushed_at = time.monotonic()
        if not self._lines:
            return
        last_seq = self._first_seq + len(self._lines) - 1
        head = frames.pack_events(self._first_seq, last_seq)
        frames.write_frame(self._out, frames.EVENTS, head, b"\n".join(self._lines))
        self._first_seq = last_seq + 1
        self._lines.clear()

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Whether this cycle's detail is asked for, or small enough to be kept."""
        if isinstance(self._details, CycleWanted):
            return cycle == self._details.cycle or cycle in self._details.earlier
        return (
            self._details == "auto"
            and num_nodes <= MAX_NODES_FOR_DETAILS
            and self._detail_bytes < MAX_DETAIL_BYTES
        )

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        """Sends a cycle's detail."""
        data = encode_detail(detail)
        self._detail_bytes += len(data)
        frames.write_frame(self._out, frames.DETAIL, frames.pack_cycle(cycle), data)


class Control:
    """Whether the run is to go on; read from stdin beside the run."""

    def __init__(self, stdin: frames.Readable) -> None:
        self._stdin = stdin
        self.is_cancelled = False
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        try:
            frame = frames.read_frame(self._stdin)
        except (frames.BrokenFrameError, OSError):
            frame = None
        self.is_cancelled = True
        if frame is None:
            os._exit(1)  # whoever started this is gone: nobody reads what would come


def main() -> int:
    """Runs one job."""
    collect_rarely()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which tells us
    stdin = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)  # a buffer's lock would outlive the run
    stdout = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing but frames goes out
    frame = frames.read_frame(stdin)
    if frame is None:
        return 0
    if frame.kind == frames.WHAT_IF:
        return _guarded(stdout, lambda: _what_ifs(frame.payload, stdin, stdout))
    if frame.kind == frames.PLAYHEAD:
        return _guarded(stdout, lambda: _playhead(frame.payload, stdin, stdout))
    task = TASKS.get(frame.kind)
    if task is None:
        return 0 if frame.kind == frames.CANCEL else _refuse(stdout, f"unexpected frame {frame.kind!r}", ())
    return _guarded(stdout, lambda: task(frame.payload, stdout, Control(stdin)))


def _guarded(stdout: frames.Writable, task: Callable[[], int]) -> int:
    """Does a task; what is wrong with its input is the last frame."""
    try:
        return task()
    except ManifestError as wrong:
        return _refuse(stdout, str(wrong), wrong.errors)
    except ReplayError as wrong:
        return _refuse(stdout, str(wrong), (), cause=frames.REFUTED)
    except (msgspec.DecodeError, TapeError) as wrong:
        return _refuse(stdout, str(wrong), ())


# A run waits for nothing that only the others need: each imports its own.


def _run(payload: bytes, stdout: frames.Writable, control: Control) -> int:
    return run_job(msgspec.json.decode(payload, type=Job), stdout, control)


def _import(payload: bytes, stdout: frames.Writable, control: Control) -> int:
    from engine.imports.child import run_import

    return run_import(payload, stdout, lambda: control.is_cancelled)


def _check(payload: bytes, stdout: frames.Writable, control: Control) -> int:
    from engine.checking import run_check_job

    return run_check_job(payload, stdout, lambda: control.is_cancelled)


def _plan(payload: bytes, stdout: frames.Writable, control: Control) -> int:
    from engine.planning import run_planning

    return run_planning(payload, stdout, lambda: control.is_cancelled)


def _what_ifs(payload: bytes, stdin: io.FileIO, stdout: frames.Writable) -> int:
    from engine.session import run_session

    return run_session(payload, stdin, stdin.fileno(), stdout)


def _playhead(payload: bytes, stdin: io.FileIO, stdout: frames.Writable) -> int:
    from engine.playhead import CyclesAsked, Playhead

    job = msgspec.json.decode(payload, type=Job)
    if not isinstance(job.details, CycleWanted):
        return _refuse(stdout, "details must name a cycle", ())
    asked = CyclesAsked((*job.details.earlier, job.details.cycle))
    playhead = Playhead(job.recorded.splitlines(), asked, stdin, stdin.fileno(), stdout)
    simulator, _access, edits = prepare(job, playhead)
    return playhead.run(simulator, steps_of(job), edits)


def _loaded_object(data: msgspec.Raw) -> LoadedObject:
    raw = msgspec.json.decode(data)
    typed = decode_object(raw)
    namespace, name = typed.metadata.namespace, typed.metadata.name
    return LoadedObject(typed.kind, namespace, name, typed, canonical(raw))


def _end_state(payload: bytes, stdout: frames.Writable, control: Control) -> int:
    job = msgspec.json.decode(payload, type=Job)
    simulator, _, result = simulate(job, SilentSink(), stdout, control)
    left = end_state(map(_loaded_object, job.objects), simulator.store)
    for start in range(0, len(left), OBJECTS_A_FRAME):
        lines = map(canonical, left[start : start + OBJECTS_A_FRAME])
        frames.write_frame(stdout, frames.OBJECTS, b"\n".join(lines))
    frames.write_frame(stdout, frames.RESULT, _encode_result(result, is_cancelled=control.is_cancelled))
    return 0


TASKS: Final[dict[bytes, Callable[[bytes, frames.Writable, Control], int]]] = {
    frames.JOB: _run,
    frames.IMPORT: _import,
    frames.CHECK: _check,
    frames.PLAN: _plan,
    frames.END_STATE: _end_state,
}
"""What each first frame asks for."""


def run_job(job: Job, stdout: frames.Writable, control: Control) -> int:
    """Runs a job and writes its frames, the result last."""
    sink = FrameSink(stdout, job.details, after=job.begun.num_events if job.begun else 0)
    _, asked, result = simulate(job, sink, stdout, control)
    sink.flush()
    if tape := asked.encoded_tape():
        frames.write_frame(stdout, frames.TAPE, tape)
    frames.write_frame(stdout, frames.RESULT, _encode_result(result, is_cancelled=control.is_cancelled))
    return 0


def simulate(
    job: Job, sink: Sink, stdout: frames.Writable, control: Control
) -> tuple[Simulator, OpenAccess, RunResult]:
    """Runs a job to its end; tells on stdout how far it is."""
    simulator, asked, edits = prepare(job, sink)
    told_at = time.monotonic()

    def is_cancelled() -> bool:
        nonlocal told_at
        if time.monotonic() - told_at >= PROGRESS_SECONDS:
            told_at = time.monotonic()
            progress = msgspec.json.encode(simulator.progress())
            frames.write_frame(stdout, frames.PROGRESS, progress)
        return control.is_cancelled

    if job.recorded and isinstance(job.details, CycleWanted):
        checkpoint = checkpoint_before(job.details.cycle, job.recorded.splitlines())
        restore(simulator, checkpoint.without(job.details.earlier))
    result = simulator.run(steps_of(job), edits=edits, is_cancelled=is_cancelled, until_cycle=job.until_cycle)
    if job.begun is not None and not control.is_cancelled:
        simulator.tracer.check_expected()
    return simulator, asked, result


def prepare(job: Job, sink: Sink) -> tuple[Simulator, OpenAccess, Sequence[AnyEdit]]:
    """Loads a job's cluster: the simulator, what it asks of extenders, and the edits that its run is to take.

    Raises:
        ManifestError: the input is wrong.
    """
    asked = job.extenders.open()
    simulator = Simulator(
        load_config(job.config or ""), job.options, sink, extender_transport=asked.transport
    )
    if job.begun is not None:
        simulator.tracer.expect(job.begun.num_events, job.begun.digest)
    objects = [decode_json_object(bytes(raw)) for raw in job.objects]
    edits = read_edits(job.edits, objects=objects)
    simulator.load(objects, read_question(job.question))
    set_aside()
    if job.fork is not None:
        begin_fork(simulator, job.fork, edits)
    return simulator, asked, edits


def steps_of(job: Job) -> list[Step]:
    """A job's changes during the run."""
    return [
        Step(advance_us=step.advance_us, apply=tuple(map(decode_object, step.apply)), delete=step.delete)
        for step in job.steps
    ]


def _encode_result(result: RunResult, *, is_cancelled: bool) -> bytes:
    status = "cancelled" if is_cancelled else "finished"
    return msgspec.json.encode({"status": status, **msgspec.structs.asdict(result)})


def _refuse(stdout: frames.Writable, message: str, errors: tuple[FieldError, ...], *, cause: str = "") -> int:
    refusal = {"status": "failed", "message": message, "errors": errors, "cause": cause}
    frames.write_frame(stdout, frames.REFUSED, msgspec.json.encode(refusal))
    return EXIT_REFUSED


if __name__ == "__main__":
    sys.exit(main())
