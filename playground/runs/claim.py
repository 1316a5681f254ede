"""Claims of runs: what a former attempt stored is gone on from, and sockets are told."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from playground import claims
from playground.claims import Claim, ClaimLost
from playground.models import CycleDetail, CycleSummary, EventChunk, Run, RunOutcome, RunStatus
from playground.runs.notify import notify

__all__ = ["Claim", "ClaimLost", "begin_anew", "claim", "go_on", "reconcile", "request_cancel"]

INTERRUPTED = (
    "The workers that computed this run are gone. What had arrived is shown; “Go on” computes the rest."
)


def claim(run_id: str) -> Claim[Run] | None:
    """Takes a run that waits, was interrupted, or whose worker is gone; the events that it has stored stay.

    Args:
        run_id: the run.

    Returns:
        The claim; None where another worker has the run, it is over or it was tried too often.
    """
    with transaction.atomic():
        won = claims.take(Run, run_id)
        if won is None:
            return None
        RunOutcome.objects.filter(run_id=run_id).delete()
    notify(run_id)
    return won


def begin_anew(claimed: Claim[Run], message: str) -> None:
    """Drops what was stored of a run: another engine's beginning cannot be gone on from.

    Args:
        claimed: the run.
        message: why, for people.

    Raises:
        ClaimLost: another attempt owns the run.
    """
    with transaction.atomic():
        claimed.write(last_seq=0, message=message)
        for model in (EventChunk, CycleSummary, CycleDetail):
            model.objects.filter(run_id=claimed.id).delete()
    notify(claimed.id)


def go_on(run: Run) -> bool:
    """Has a run that was cancelled or interrupted computed to its end; what it has stored stays.

    Args:
        run: refreshed.

    Returns:
        Whether it waits for a worker now.
    """
    changed = Run.objects.filter(
        id=run.id, status__in=(RunStatus.CANCELLED, RunStatus.INTERRUPTED)
    ).update(
        status=RunStatus.PENDING, cancel_requested=False, attempts=0, dispatched_at=None, finished_at=None,
        message="",
    )  # fmt: skip
    notify(run.id)
    run.refresh_from_db()
    return bool(changed)


def request_cancel(run: Run) -> None:
    """Asks a run to stop: one that waits ends here, one that is computed is told by its supervisor.

    Args:
        run: the run.
    """
    claims.request_cancel(run)
    notify(run.id)


def reconcile(*, at_start: bool = False) -> list[str]:
    """Hands runs without a living worker to another, and finds waiting ones whose task was lost.

    A run that was tried too often is marked as interrupted.

    Args:
        at_start: also what was dispatched a moment ago (the in-memory broker forgets with its process).

    Returns:
        The runs to dispatch again.
    """
    claims.abandoned(Run).filter(attempts__lt=settings.RUN_MAX_ATTEMPTS).update(
        status=RunStatus.PENDING, attempt_token="", dispatched_at=None
    )
    dead = claims.abandoned(Run)
    for run_id in list(dead.values_list("id", flat=True)):
        is_marked = dead.filter(id=run_id).update(
            status=RunStatus.INTERRUPTED, attempt_token="", finished_at=timezone.now(), message=INTERRUPTED
        )
        if is_marked:
            notify(run_id)
    return claims.lost(Run, at_start=at_start)
