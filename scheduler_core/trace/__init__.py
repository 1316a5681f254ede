"""The trace of a run: events, cycle details, their encoding, and the sentences made of them."""

from __future__ import annotations

from scheduler_core.trace.codec import encode_detail, event_schema
from scheduler_core.trace.detail import CycleDetail
from scheduler_core.trace.sensitivity import Sensitivity, sensitivity
from scheduler_core.trace.sink import MemorySink, Sink

__all__ = [
    "CycleDetail",
    "MemorySink",
    "Sensitivity",
    "Sink",
    "encode_detail",
    "event_schema",
    "sensitivity",
]
