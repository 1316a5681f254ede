"""Checks: manifests, a cluster, a profile and expectations give a verdict; a door of the core."""

from __future__ import annotations

from scheduler_core.checks.check import Check, CheckInput, NamedText, read_check
from scheduler_core.checks.conclude import Held
from scheduler_core.checks.expectations import Expectations
from scheduler_core.checks.reading import load_expectations
from scheduler_core.checks.run import held_in, run, stoppable
from scheduler_core.checks.schema import expectations_schema, verdict_schema
from scheduler_core.checks.trial import Order
from scheduler_core.checks.verdict import (
    VERDICT_VERSION,
    Verdict,
    decode_verdict,
    encode_verdict,
    exit_code,
)

__all__ = [
    "VERDICT_VERSION",
    "Check",
    "CheckInput",
    "Expectations",
    "Held",
    "NamedText",
    "Order",
    "Verdict",
    "decode_verdict",
    "encode_verdict",
    "exit_code",
    "expectations_schema",
    "held_in",
    "load_expectations",
    "read_check",
    "run",
    "stoppable",
    "verdict_schema",
]
