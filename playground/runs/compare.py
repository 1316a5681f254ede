"""Two runs side by side, from their stored events; with the numbers that tipped the first cycle that parts them."""

from __future__ import annotations

from typing import Any

import msgspec

from playground.models import CycleDetail, Run
from playground.runs import story
from scheduler_core.trace import compare_runs, decode_detail, explain_tipping


def compared(before: Run, after: Run) -> dict[str, Any]:
    """Returns what differs between two runs, as plain values with sentences.

    Args:
        before: over.
        after: over, as a fork of the first or a run under another profile.
    """
    comparison = compare_runs(list(story.event_lines(before.id)), list(story.event_lines(after.id)))
    found: dict[str, Any] = msgspec.to_builtins(comparison)
    cycle = found["first_diverging_cycle"]
    if cycle is not None:
        details = [_detail(before, cycle["cycle_before"]), _detail(after, cycle["cycle_after"])]
        if all(details):
            old, new = (decode_detail(each) for each in details if each)
            cycle["tipped_by"] = list(explain_tipping(old, new)) or cycle["tipped_by"]
    return {"before": before.id, "after": after.id, **found}


def _detail(run: Run, cycle: int) -> bytes | None:
    """Returns a cycle's detail if it is kept; it is not computed again for this."""
    rows = CycleDetail.objects.filter(run=run, cycle=cycle, payload__isnull=False)
    return rows.values_list("payload", flat=True).first()
