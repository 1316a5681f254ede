"""Checks: manifests, a cluster, a profile and expectations give a verdict; a door of the core.

Names are fetched when they are asked for: who only reads the command line's options loads no simulator.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from scheduler_core.checks.check import Check, CheckInput, NamedText, read_check
    from scheduler_core.checks.conclude import Held
    from scheduler_core.checks.differing import Difference, difference
    from scheduler_core.checks.expectations import Expectations
    from scheduler_core.checks.pod_story import PodStory, explain_pod
    from scheduler_core.checks.proof import Proof, proof_of
    from scheduler_core.checks.reading import load_expectations
    from scheduler_core.checks.running import held_in, run, stoppable
    from scheduler_core.checks.schema import expectations_schema, verdict_schema
    from scheduler_core.checks.trial import Order
    from scheduler_core.checks.verdict import (
        VERDICT_VERSION,
        Verdict,
        decode_verdict,
        encode_verdict,
        exit_code,
    )
    from scheduler_core.checks.world import Cancelled, Setup

__all__ = [
    "VERDICT_VERSION",
    "Cancelled",
    "Check",
    "CheckInput",
    "Difference",
    "Expectations",
    "Held",
    "NamedText",
    "Order",
    "PodStory",
    "Proof",
    "Setup",
    "Verdict",
    "decode_verdict",
    "difference",
    "encode_verdict",
    "exit_code",
    "expectations_schema",
    "explain_pod",
    "held_in",
    "load_expectations",
    "proof_of",
    "read_check",
    "run",
    "stoppable",
    "verdict_schema",
]

_NAMES: Final = {
    "check": "Check CheckInput NamedText read_check",
    "conclude": "Held",
    "differing": "Difference difference",
    "expectations": "Expectations",
    "pod_story": "PodStory explain_pod",
    "proof": "Proof proof_of",
    "reading": "load_expectations",
    "running": "held_in run stoppable",
    "schema": "expectations_schema verdict_schema",
    "trial": "Order",
    "verdict": "VERDICT_VERSION Verdict decode_verdict encode_verdict exit_code",
    "world": "Cancelled Setup",
}
_HOMES: Final = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Returns what is asked for. No submodule has the name of one: it would take its place once imported."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
