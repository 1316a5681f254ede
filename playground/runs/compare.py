"""Two runs side by side, from their stored events; with the numbers that tipped the first cycle that parts them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from playground.models import CycleDetail, Pod, Run, RunStatus
from playground.runs import story
from scheduler_core.trace import (
    Comparison,
    PodStart,
    compare_runs,
    decode_detail,
    explain_tipping,
    score_rows,
)

_ENDINGS = {
    RunStatus.PENDING: "has not begun",
    RunStatus.RUNNING: "is still going",
    RunStatus.FAILED: "failed",
    RunStatus.CANCELLED: "was cancelled",
    RunStatus.INTERRUPTED: "was interrupted",
}


def compared(before: Run, after: Run) -> dict[str, Any]:
    """Returns what differs between two runs, as plain values with sentences.

    Runs that did not come to their end are compared as far as both came.

    Args:
        before: any run.
        after: as a fork of the first or a run under another profile.
    """
    comparison = _comparison(
        *(
            (run.id, run.revision_id, run.last_seq, run.status == RunStatus.FINISHED)
            for run in (before, after)
        )
    )
    found: dict[str, Any] = msgspec.to_builtins(comparison)
    cycle = found["first_diverging_cycle"]
    if cycle is not None:
        details = [_detail(before, cycle["cycle_before"]), _detail(after, cycle["cycle_after"])]
        cycle["scores"] = []
        if all(details):
            old, new = (decode_detail(each) for each in details if each)
            cycle["tipped_by"] = list(explain_tipping(old, new)) or cycle["tipped_by"]
            cycle["scores"] = [msgspec.to_builtins(row) for row in score_rows(old, new)]
    return {"before": before.id, "after": after.id, "notes": _notes(before, after, comparison), **found}


@lru_cache(maxsize=4)
def _comparison(*runs: tuple[str, int, int, bool]) -> Comparison:
    """Compares what is stored; a page asks for the same twice."""
    lines = [list(story.event_lines(run_id)) for run_id, *_ in runs]
    starts = {revision: _start(revision) for revision in dict.fromkeys(revision for _, revision, *_ in runs)}
    ends = [
        msgspec.json.decode(events[-1])["t_us"] if events else 0
        for events, (*_, finished) in zip(lines, runs, strict=True)
        if not finished
    ]
    first, second = (starts[revision] for _, revision, *_ in runs)
    return compare_runs(*lines, pods_before=first, pods_after=second, until_us=min(ends, default=None))


def _start(revision: int) -> dict[str, PodStart]:
    """Returns the pods that a run of a revision begins with."""
    items = Pod.objects.filter(revision_id=revision).values_list("item", flat=True).iterator()
    return {
        f"{item['namespace']}/{item['name']}": PodStart(item["node"] or "", item.get("owner", ""))
        for item in items
    }


def _notes(before: Run, after: Run, comparison: Comparison) -> list[str]:
    """Returns what one should know before reading the comparison."""
    notes = []
    if before.id == after.id:
        notes.append("A run beside itself is always the same: choose another one.")
    elif before.cluster_id != after.cluster_id:
        notes.append("The runs are of different clusters: pods and nodes are matched by their names.")
    elif before.revision_id != after.revision_id:
        notes.append("The runs are of different revisions of the cluster: what else was changed shows too.")
    if comparison.until_us is not None:
        ends = {
            which: _ENDINGS[RunStatus(run.status)]
            for which, run in (("first", before), ("second", after))
            if run.status != RunStatus.FINISHED
        }
        told = " and ".join(f"the {which} run {ending}" for which, ending in ends.items())
        time = f"{comparison.until_us / 1_000_000:.3f} s"
        notes.append(f"{told[0].upper()}{told[1:]}: what both did before {time} is compared.")
    return notes


def _detail(run: Run, cycle: int) -> bytes | None:
    """Returns a cycle's detail if it is kept; it is not computed again for this."""
    rows = CycleDetail.objects.filter(run=run, cycle=cycle, payload__isnull=False)
    return rows.values_list("payload", flat=True).first()
