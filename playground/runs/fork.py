"""Where a fork leaves its parent, found in the parent's stored events."""

from __future__ import annotations

from typing import Any

import msgspec

from playground.models import CycleSummary, Run
from playground.runs import story
from scheduler_core.trace import prefix_before_cycle, prefix_until


def shared_part(parent: Run, *, cycle: int | None, t_us: int | None) -> dict[str, Any] | None:
    """Returns what a fork has in common with its parent, as its job is told; None where there is no such cycle.

    Args:
        parent: whose events are there as far as they are needed.
        cycle: the fork begins just before it.
        t_us: or at this virtual time, which may lie after the end.
    """
    lines = story.event_lines(parent.id)
    if cycle is not None:
        if not CycleSummary.objects.filter(run=parent, cycle=cycle).exists():
            return None
        prefix = prefix_before_cycle(cycle, lines)
    else:
        prefix = prefix_until(t_us or 0, lines)
    if prefix is None:
        return None
    return {**msgspec.to_builtins(prefix), "num_edits": len(parent.edits)}
