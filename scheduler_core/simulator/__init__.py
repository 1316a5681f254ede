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
from scheduler_core.simulator.checkpoint import Checkpoint, checkpoint_before, restore
from scheduler_core.simulator.end_state import end_state
from scheduler_core.simulator.options import CONFORMANCE, DEFAULT, SimulatorOptions
from scheduler_core.simulator.simulator import (
    ENGINE_VERSION,
    PendingPod,
    RunResult,
    Simulator,
    Step,
)
from scheduler_core.trace.sink import ReplayError

__all__ = [
    "CONFORMANCE",
    "DEFAULT",
    "ENGINE_VERSION",
    "Answer",
    "Checkpoint",
    "PendingPod",
    "RecordingTransport",
    "ReplayError",
    "ReplayTransport",
    "RunResult",
    "Simulator",
    "SimulatorOptions",
    "Step",
    "TapeError",
    "TransportError",
    "checkpoint_before",
    "decode_tape",
    "encode_tape",
    "end_state",
    "restore",
]
