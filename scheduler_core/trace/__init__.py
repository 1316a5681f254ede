"""The trace of a run: events, cycle details, their encoding, and the sentences made of them."""

from __future__ import annotations

from scheduler_core.trace.answers import NodeAnswer, explain_node
from scheduler_core.trace.codec import decode_detail, encode_detail, event_schema
from scheduler_core.trace.compare import Comparison, PodStart, compare_runs, explain_tipping, score_rows
from scheduler_core.trace.detail import CycleDetail, Remedy
from scheduler_core.trace.prefix import Prefix, prefix_before_cycle, prefix_until
from scheduler_core.trace.remedies import explain_fit
from scheduler_core.trace.sensitivity import Sensitivity, sensitivity
from scheduler_core.trace.sink import MemorySink, SilentSink, Sink

__all__ = [
    "Comparison",
    "CycleDetail",
    "MemorySink",
    "NodeAnswer",
    "PodStart",
    "Prefix",
    "Remedy",
    "Sensitivity",
    "SilentSink",
    "Sink",
    "compare_runs",
    "decode_detail",
    "encode_detail",
    "event_schema",
    "explain_fit",
    "explain_node",
    "explain_tipping",
    "prefix_before_cycle",
    "prefix_until",
    "score_rows",
    "sensitivity",
]
