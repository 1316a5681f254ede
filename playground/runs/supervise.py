"""Computes a run: claim, engine, sink, end. Runs in a thread of a Celery worker."""

from __future__ import annotations

import threading
import time

import structlog
from django.conf import settings
from django.db import DatabaseError
from django.db.models import F

from engine.frames import REFUTED
from playground.models import Run, RunStatus
from playground.runs import story
from playground.runs.claim import Claim, ClaimLost, begin_anew, claim
from playground.runs.drive import Ending, Reason, drive
from playground.runs.job import job_of
from playground.runs.notify import notify
from playground.runs.sink import DatabaseSink
from playground.runs.spawner import spawner
from playground.storage import sentence_of

log = structlog.get_logger(__name__)

BEGUN_ANEW = "What was stored of this run is not what this version computes: it was computed anew."

stopping = threading.Event()
"""Set when this worker is told to end: runs are interrupted at once instead of holding it up."""


def supervise(run_id: str) -> None:
    """Computes a run if nobody else does.

    Args:
        run_id: the run.
    """
    if stopping.is_set():
        Run.objects.filter(id=run_id, status=RunStatus.PENDING).update(dispatched_at=None)
        return
    claimed = claim(run_id)
    if claimed is None:
        log.info("run not taken: it is over or another worker has it", run=run_id)
        return
    try:
        _compute(claimed)
    except ClaimLost:
        log.warning("run lost to another attempt, or deleted", run=run_id)
    except Exception as error:
        words = sentence_of(error, settings.VAR_DIR)
        if words is None:
            log.exception("run failed in its supervisor", run=run_id)
        else:
            log.error("run failed", run=run_id, cause=words)
        words = words or f"The server could not complete this run: {type(error).__name__}: {error}"
        try:
            _fail(claimed, words)
        except DatabaseError as again:  # the lease ends, and the run is taken up again
            log.error("a run's failure could not be stored", run=run_id, cause=str(again))


def _compute(claimed: Claim) -> None:
    run = Run.objects.get(id=claimed.id)
    begun = story.begun(run)
    sink = DatabaseSink(claimed, story.event_lines(run.id), run.last_seq)
    ending = drive(spawner.take(), job_of(run, "auto", begun=begun), sink.store, Control(claimed))
    if begun is not None and ending.cause == REFUTED:
        begin_anew(claimed, BEGUN_ANEW)
        sink = DatabaseSink(claimed)
        ending = drive(spawner.take(), job_of(run, "auto"), sink.store, Control(claimed))
    if ending.last is None or _is_cut_short(ending):
        _finish_cut_short(claimed, ending)
    else:
        sink.finish(*ending.last)


class Control:
    """Why a run should stop: asked every 50 ms, it reads the row and prolongs the lease."""

    def __init__(self, claimed: Claim) -> None:
        self._claimed = claimed
        self._started = self._prolonged = time.monotonic()

    def __call__(self, silent_seconds: float) -> Reason | None:
        now = time.monotonic()
        if stopping.is_set():
            return "stopping"
        if self._claimed.is_cancel_requested():
            return "cancel"
        if now - self._started > settings.RUN_SECONDS:
            return "time"
        if silent_seconds > settings.RUN_SILENT_SECONDS:
            return "silent"
        if now - self._prolonged > settings.RUN_LEASE_SECONDS / 4:
            self._prolonged = now
            self._claimed.write()
        return None


def _is_cut_short(ending: Ending) -> bool:
    """Returns whether the engine's good-bye answers our wish to stop, not the user's."""
    return ending.reason in ("time", "silent", "stopping") and ending.status == "cancelled"


def _finish_cut_short(claimed: Claim, ending: Ending) -> None:
    """Ends a run whose engine gave no last frame."""
    if ending.log_tail:
        log.error("engine's log", run=claimed.id, log=ending.log_tail)
    if ending.reason == "stopping":
        _hand_over(claimed)
        return
    if ending.reason == "cancel":
        claimed.finish(RunStatus.CANCELLED, message="Cancelled; the engine did not answer and was ended.")
        notify(claimed.id)
        return
    _fail(claimed, {
        "time": f"The run took longer than {settings.RUN_SECONDS} s and was stopped.",
        "silent": f"The engine said nothing for {settings.RUN_SILENT_SECONDS} s and was ended.",
    }.get(ending.reason or "", ending.cause_of()))  # fmt: skip


def _hand_over(claimed: Claim) -> None:
    """Leaves a run that this worker can no longer compute: to another worker's reconciler, where there are others."""
    if settings.REDIS_URL:
        claimed.write(status=RunStatus.PENDING, dispatched_at=None, attempts=F("attempts") - 1)
    else:
        claimed.finish(RunStatus.INTERRUPTED, message="The worker that computed this run was stopped.")
    notify(claimed.id)


def _fail(claimed: Claim, message: str) -> None:
    try:
        claimed.finish(RunStatus.FAILED, message=message)
    except ClaimLost:
        return
    notify(claimed.id)
