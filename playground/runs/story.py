"""Questions about a run's trace, answered from the tables; events stay the bytes they are."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from django.db.models import F

from playground.models import OPEN, CycleSummary, EventChunk, Run, RunOutcome

MAX_NAMING = 5000
RUN_STATE_FIELDS = (
    "id",
    "status",
    "progress",
    "last_seq",
    "num_cycles",
    "num_bound",
    "num_pending",
    "headline",
    "message",
    "notes",
)


@dataclasses.dataclass(frozen=True)
class EventPage:
    """Consecutive events as JSON lines."""

    lines: list[bytes]
    first_seq: int
    last_seq: int


def run_state(run_id: str) -> dict[str, Any] | None:
    """Returns the run as sockets tell it, None where it is gone.

    Args:
        run_id: the run.
    """
    return Run.objects.filter(id=run_id).values(*RUN_STATE_FIELDS).first()


def is_over(state: dict[str, Any]) -> bool:
    """Returns whether a run in this state adds nothing any more.

    Args:
        state: as `run_state` gives it.
    """
    return state["status"] not in OPEN


def begun(run: Run) -> dict[str, Any] | None:
    """Returns what an earlier attempt at a run has stored, as a job is told; None where that is nothing.

    Args:
        run: whose row is fresh.
    """
    if run.last_seq == 0:
        return None
    digest = hashlib.sha256()
    for line in event_lines(run.id):
        digest.update(line + b"\n")
    return {"num_events": run.last_seq, "digest": digest.hexdigest()}


def events_after(run_id: str, after: int, *, max_events: int, max_bytes: int) -> EventPage:
    """Returns the events that follow a sequence number, at least one where there is one.

    Args:
        run_id: the run.
        after: the last sequence number known.
        max_events: how many at most.
        max_bytes: where to stop; a chunk that was begun is used up to `max_events`.
    """
    chunks = EventChunk.objects.filter(run_id=run_id, last_seq__gt=after).order_by("last_seq")
    lines: list[bytes] = []
    num_bytes = 0
    for first_seq, payload in chunks.values_list("first_seq", "payload").iterator(chunk_size=8):
        found = bytes(payload).splitlines()[max(0, after + 1 - first_seq) :]
        lines.extend(found[: max_events - len(lines)])
        num_bytes += len(payload)
        if num_bytes >= max_bytes or len(lines) >= max_events:
            break
    return EventPage(lines, after + 1, after + len(lines))


def event_lines(run_id: str) -> Iterator[bytes]:
    """Yields all events of a run as JSON lines, a chunk in memory at a time.

    Args:
        run_id: the run.
    """
    chunks = EventChunk.objects.filter(run_id=run_id).order_by("first_seq")
    for payload in chunks.values_list("payload", flat=True).iterator(chunk_size=8):
        yield from bytes(payload).splitlines()


def events_naming(run_id: str, name: str) -> tuple[list[bytes], bool]:
    """Returns the events that name something, and whether there were more than are given.

    Args:
        run_id: the run.
        name: as it stands in events: a pod's namespace/name, a node's name.
    """
    needle = json.dumps(name, ensure_ascii=False).encode("utf-8", "replace")
    found: list[bytes] = []
    chunks = EventChunk.objects.filter(run_id=run_id).order_by("first_seq")
    for payload in chunks.values_list("payload", flat=True).iterator(chunk_size=8):
        if needle not in bytes(payload):
            continue
        for line in bytes(payload).splitlines():
            if needle in line:
                if len(found) == MAX_NAMING:
                    return found, True
                found.append(line)
    return found, False


def outcome_as_values(run_id: str) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Returns placements and pending pods as values; nothing before the end.

    Args:
        run_id: the run.
    """
    outcome = outcome_of(run_id)
    if outcome is None:
        return {}, []
    return json.loads(outcome.placements), json.loads(outcome.pending)


def refusing_cycles(run_id: str, until: int, limit: int) -> tuple[list[int], int | None]:
    """Returns the cycles in which any node was refused, the latest first, and where earlier ones go on.

    Args:
        run_id: the run.
        until: the last cycle that counts.
        limit: how many at most.
    """
    rows = CycleSummary.objects.filter(run_id=run_id, cycle__lte=until).exclude(
        result="scheduled", num_evaluated=F("num_feasible")
    )
    found = list(rows.order_by("-cycle").values_list("cycle", flat=True)[: limit + 1])
    return found[:limit], found[limit] if len(found) > limit else None


def cycles_after(
    run_id: str, after: int, limit: int, *, pod: str = "", result: str = ""
) -> list[dict[str, Any]]:
    """Returns one line a cycle.

    Args:
        run_id: the run.
        after: the last cycle known.
        limit: how many at most.
        pod: only this pod's ("namespace/name").
        result: only these.
    """
    found = CycleSummary.objects.filter(run_id=run_id, cycle__gt=after)
    if pod:
        found = found.filter(pod=pod)
    if result:
        found = found.filter(result=result)
    fields = ("cycle", "pod", "attempt", "result", "node", "num_feasible", "num_evaluated", "t_us")
    rows = list(found.values(*fields)[:limit])
    for row in rows:
        row["node"] = row["node"] or None
    return rows


def outcome_of(run_id: str) -> RunOutcome | None:
    """Returns where the pods ended, None before the end.

    Args:
        run_id: the run.
    """
    return RunOutcome.objects.filter(run_id=run_id).first()
