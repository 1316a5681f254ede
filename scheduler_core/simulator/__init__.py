"""A run: object store, virtual time, event loop, and the scheduler in them."""

from __future__ import annotations

from scheduler_core.extender.errors import TransportError
from scheduler_core.extender.tape import (
    Answer,
    RecordingTransport,
    ReplayTransport,
    TapeError,
    decode_tape,
    encode_tape,
)
from scheduler_core.simulator.account import Evicted
from scheduler_core.simulator.checkpoint import Checkpoint, checkpoint_before, restore
from scheduler_core.simulator.end_state import end_state
from scheduler_core.simulator.forks import Fork, begin_fork
from scheduler_core.simulator.options import CONFORMANCE, DEFAULT, SimulatorOptions
from scheduler_core.simulator.questions import Asked, Question, ask
from scheduler_core.simulator.result import ENGINE_VERSION, Move, PendingPod, RunResult
from scheduler_core.simulator.scenario.edits import AnyEdit
from scheduler_core.simulator.scenario.pure import Edited, apply_edits
from scheduler_core.simulator.scenario.reading import (
    Scenario,
    edit_schema,
    read_edits,
    read_question,
    read_scenario,
)
from scheduler_core.simulator.scenario.running import RefusedEdit
from scheduler_core.simulator.scenario.sentences import sentence
from scheduler_core.simulator.simulator import Simulator, Step
from scheduler_core.simulator.watch_log import WatchLog, is_watch_log, read_watch_log
from scheduler_core.trace.sink import ReplayError

__all__ = [
    "CONFORMANCE",
    "DEFAULT",
    "ENGINE_VERSION",
    "Answer",
    "AnyEdit",
    "Asked",
    "Checkpoint",
    "Edited",
    "Evicted",
    "Fork",
    "Move",
    "PendingPod",
    "Question",
    "RecordingTransport",
    "RefusedEdit",
    "ReplayError",
    "ReplayTransport",
    "RunResult",
    "Scenario",
    "Simulator",
    "SimulatorOptions",
    "Step",
    "TapeError",
    "TransportError",
    "WatchLog",
    "apply_edits",
    "ask",
    "begin_fork",
    "checkpoint_before",
    "decode_tape",
    "edit_schema",
    "encode_tape",
    "end_state",
    "is_watch_log",
    "read_edits",
    "read_question",
    "read_scenario",
    "read_watch_log",
    "restore",
    "sentence",
]
