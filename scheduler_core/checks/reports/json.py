"""The verdict itself as JSON; its schema is ``docs/reference/verdict.schema.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from scheduler_core.checks.verdict import Verdict


def render(verdict: Verdict) -> str:
    """Returns the report."""
    return msgspec.json.format(msgspec.json.encode(verdict), indent=2).decode() + "\n"
