"""A cycle's detail: as stored, else computed again by replaying the frozen run up to that cycle.

The process that computes it stays at the run's playhead for a while, so that the cycles beside it need no replay. A
replay proves itself: its events must be byte for byte those that are stored. Where they are not, it says so and shows
nothing.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from engine.frames import DETAIL, EVENTS, PLAYHEAD, REFUSED, unpack_detail, unpack_events
from engine.session import CAN_FORK
from playground.models import CycleDetail, CycleSummary, DetailStatus, EventChunk, Run, RunOutcome, RunStatus
from playground.runs.child import Child
from playground.runs.drive import Ending, Reason, ask, drive
from playground.runs.job import job_of
from playground.runs.playhead import is_of, playheads, turn_of
from playground.runs.sink import Frame
from playground.runs.spawner import spawner
from playground.runs.supervise import stopping

log = structlog.get_logger(__name__)

REPLAY_LOST_AFTER = timedelta(seconds=60)
REPLAY_AGAIN_AFTER = timedelta(seconds=10)
MAX_REPLAYED = 256
AHEAD = 2000


@dataclasses.dataclass(frozen=True)
class DetailAnswer:
    """What can be said about a cycle now."""

    payload: bytes | None = None
    status: str = ""
    message: str = ""
    needs_replay: bool = False


def look_up(run: Run, cycle: int) -> DetailAnswer | None:
    """Returns what is known of a cycle, and claims its replay where one is needed.

    Args:
        run: the run.
        cycle: counts from 1.

    Returns:
        The answer; None where the run has no such cycle.
    """
    found = CycleDetail.objects.filter(run=run, cycle=cycle).first()
    if found is not None and found.status == DetailStatus.STORED:
        return DetailAnswer(payload=found.payload, status=found.status)
    if not CycleSummary.objects.filter(run=run, cycle=cycle).exists():
        return None
    if run.status == RunStatus.RUNNING:
        return DetailAnswer(status="running")
    now = timezone.now()
    if found is not None and _stands(found, now):
        return DetailAnswer(status=DetailStatus.FAILED, message=found.message)
    _row, is_new = CycleDetail.objects.get_or_create(
        run=run, cycle=cycle, defaults={"status": DetailStatus.REPLAYING, "requested_at": now}
    )
    lost = Q(status=DetailStatus.REPLAYING, requested_at__lt=now - REPLAY_LOST_AFTER)
    failed = Q(status=DetailStatus.FAILED, requested_at__lt=now - REPLAY_AGAIN_AFTER)
    again = CycleDetail.objects.filter(lost | failed, run=run, cycle=cycle)
    needs_replay = is_new or bool(again.update(status=DetailStatus.REPLAYING, requested_at=now))
    return DetailAnswer(status=DetailStatus.REPLAYING, needs_replay=needs_replay)


def is_decided(run: Run, cycle: int) -> bool:
    """Asks the database whether a cycle's detail is there, or why it is not.

    Args:
        run: only its identifier is looked at.
        cycle: counts from 1.
    """
    rows = CycleDetail.objects.filter(run_id=run.id, cycle=cycle)
    return rows.exclude(status=DetailStatus.REPLAYING).exists()


def _stands(found: CycleDetail, now: datetime) -> bool:
    """Returns whether a replay need not be tried (again): it disagreed, or its engine died a moment ago."""
    if found.status == DetailStatus.REFUTED:
        return True
    fresh = found.requested_at is not None and found.requested_at > now - REPLAY_AGAIN_AFTER
    return found.status == DetailStatus.FAILED and fresh


def replay(run_id: str, cycles: Sequence[int]) -> None:
    """Runs the engine again up to some cycles and stores their details, or why there are none.

    Args:
        run_id: a run that is over.
        cycles: count from 1.
    """
    wanted = CycleDetail.objects.filter(run_id=run_id, cycle__in=cycles, status=DetailStatus.REPLAYING)
    run = Run.objects.filter(id=run_id).first()
    if run is None or not wanted.exists():
        return
    ending, payloads = ask_playhead(run, cycles)
    complaint = None
    if ending.reason is None and ending.status != "finished":  # see what is different
        ending, listener = compute(run, cycles)
        payloads, complaint = listener.payloads, listener.complaint
    if ending.reason == "stopping":
        wanted.delete()  # this server goes down: whoever asks next has it computed
        return
    is_refuted = complaint is not None
    if complaint is None and (ending.last is None or ending.last[0] == REFUSED):
        complaint = ending.cause_of() if ending.last is None else json.loads(ending.last[1])["message"]
    if complaint is None:
        for cycle, payload in payloads.items():
            wanted.filter(cycle=cycle).update(status=DetailStatus.STORED, payload=payload)
        missing = sorted(set(cycles) - set(payloads))
        if not missing:
            forget_oldest(run_id)
            return
        complaint = f"The replay ended without reaching cycle {missing[0]}."
    version = json.loads(ending.last[1]).get("engine_version", "") if ending.last else ""
    if run.engine_version and version and version != run.engine_version:
        complaint += f" The run was computed by engine {run.engine_version}; this is {version}."
    log.warning("replay failed", run=run_id, cycles=list(cycles), complaint=complaint)
    wanted.update(status=DetailStatus.REFUTED if is_refuted else DetailStatus.FAILED, message=complaint)


def forget_oldest(run_id: str) -> None:
    """Drops the replayed details of a run that were asked for first, beyond those that are kept.

    Args:
        run_id: the run.
    """
    replayed = CycleDetail.objects.filter(
        run_id=run_id, status=DetailStatus.STORED, requested_at__isnull=False
    )
    newest = replayed.order_by("-requested_at", "-id")
    surplus = list(newest.values_list("id", flat=True)[MAX_REPLAYED : 2 * MAX_REPLAYED])
    if surplus:
        CycleDetail.objects.filter(id__in=surplus).delete()


def ask_playhead(run: Run, cycles: Sequence[int]) -> tuple[Ending, dict[int, bytes]]:
    """Has the process at the run's playhead compute details, or one that then stays there.

    Args:
        run: a run that is over.
        cycles: count from 1.

    Returns:
        How it ended, and the details; what they follow on was byte for byte what is stored.
    """
    if not CAN_FORK:
        return Ending(None, 0, "", None), {}
    key = (str(run.id), run.last_seq, run.digest)
    payloads: dict[int, bytes] = {}

    def hear(frames: list[Frame]) -> None:
        payloads.update(unpack_detail(payload) for kind, payload in frames if kind == DETAIL)

    def control(silent_seconds: float) -> Reason | None:
        if stopping.is_set():
            return "stopping"
        return "silent" if silent_seconds > settings.RUN_SILENT_SECONDS else None

    *earlier, last = sorted(cycles)

    def put(child: Child, question: bytes) -> Ending:
        ending, is_there = ask(child, question, hear, control, kind=PLAYHEAD)
        if is_there and ending.reason is None and ending.status == "finished":
            playheads.keep(key, child)
        elif is_there:
            child.end()
        return ending

    with turn_of(key[0]):
        if (kept := playheads.take(key)) is not None:
            ending = put(kept, json.dumps({"cycles": [*earlier, last]}).encode())
            if ending.reason is not None or ending.status == "finished":
                return ending, payloads
        playheads.drop(lambda each: is_of(each, key[0]))
        payloads.clear()
        recorded = events_up_to(key[0], last + AHEAD)
        job = job_of(run, {"cycle": last, "earlier": earlier}, tape_of(run), recorded)
        return put(spawner.take(), job), payloads


def compute(run: Run, cycles: Sequence[int]) -> tuple[Ending, Listener]:
    """Has the engine compute the details of cycles from the start, taking nothing over.

    Args:
        run: a run that is over.
        cycles: count from 1.

    Returns:
        How the engine's process ended, and what was heard of it.
    """
    listener = Listener(str(run.id))
    *earlier, last = sorted(cycles)
    job = job_of(run, {"cycle": last, "earlier": earlier}, tape_of(run))
    return drive(spawner.take(), job, listener.hear, listener.control), listener


def events_up_to(run_id: str, cycle: int) -> bytes:
    """Returns a run's events as stored, one a line, up to the start of a cycle or a little further.

    Args:
        run_id: the run.
        cycle: counts from 1.
    """
    start = b'"type":"CycleStarted","cycle":%d,' % cycle
    payloads = []
    for payload in stored_chunks(run_id):
        payloads.append(payload)
        if start in payload:
            break
    return b"\n".join(payloads)


def tape_of(run: Run) -> bytes:
    """Returns what extenders answered in a run, as JSON lines; nothing where none was asked.

    Args:
        run: the run.
    """
    return RunOutcome.objects.filter(run=run).values_list("tape", flat=True).first() or b""


class Listener:
    """Takes the replay's frames and compares its events with those stored."""

    def __init__(self, run_id: str) -> None:
        self._stored = stored_events(run_id)
        self.payloads: dict[int, bytes] = {}
        self.complaint: str | None = None

    def hear(self, frames: list[Frame]) -> None:
        """Handles frames as `drive` gives them."""
        for kind, payload in frames:
            if kind == DETAIL:
                cycle, body = unpack_detail(payload)
                self.payloads[cycle] = body
            elif kind == EVENTS and self.complaint is None:
                self._compare(unpack_events(payload).lines.splitlines())

    def control(self, silent_seconds: float) -> Reason | None:
        """Says when to stop, as `drive` asks."""
        if stopping.is_set():
            return "stopping"
        if self.complaint is not None:
            return "cancel"
        return "silent" if silent_seconds > settings.RUN_SILENT_SECONDS else None

    def _compare(self, lines: list[bytes]) -> None:
        for line in lines:
            if b'"type":"RunFinished"' in line:
                continue  # the replay stops early, and may say so
            if line != next(self._stored, None):
                seq = json.loads(line).get("seq")
                self.complaint = f"Replaying this run gave another event at seq {seq} than it had."
                return


def stored_events(run_id: str) -> Iterator[bytes]:
    """Yields a run's events as stored, one at a time.

    Args:
        run_id: the run.
    """
    for payload in stored_chunks(run_id):
        yield from payload.splitlines()


def stored_chunks(run_id: str) -> Iterator[bytes]:
    """Yields a run's events as stored, many at a time, one a line.

    Args:
        run_id: the run.
    """
    chunks = (
        EventChunk.objects.filter(run_id=run_id).order_by("first_seq").values_list("first_seq", "payload")
    )
    after = 0
    # A query a chunk: a cursor left open would keep SQLite from writing what the replay found.
    while (chunk := chunks.filter(first_seq__gt=after).first()) is not None:
        after, payload = chunk
        yield bytes(payload)
