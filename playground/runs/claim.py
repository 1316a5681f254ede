"""Claims of runs: what a former attempt left is cleared, and sockets are told."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from playground import claims
from playground.claims import Claim, ClaimLost
from playground.models import CycleDetail, CycleSummary, EventChunk, Run, RunOutcome, RunStatus
from playground.runs.notify import notify

__all__ = ["Claim", "ClaimLost", "claim", "reconcile", "request_cancel"]

INTERRUPTED = (
    "The worker that computed this run is gone. What had arrived is shown; start the run again for the rest."
)


def claim(run_id: str) -> Claim[Run] | None:
    """Takes a run that waits, was interrupted, or whose worker is gone; clears what a former attempt left.

    Args:
        run_id: the run.

    Returns:
        The claim; None where another worker has the run, it is over or it was tried too often.
    """
    with transaction.atomic():
        won = claims.take(Run, run_id, last_seq=0)
        if won is None:
            return None
        for model in (EventChunk, CycleSummary, CycleDetail, RunOutcome):
            model.objects.filter(run_id=run_id).delete()
    notify(run_id)
    return won


def request_cancel(run: Run) -> None:
    """Asks a run to stop: one that waits ends here, one that is computed is told by its supervisor.

    Args:
        run: the run.
    """
    claims.request_cancel(run)
    notify(run.id)


def reconcile(*, at_start: bool = False) -> list[str]:
    """Marks runs without a living worker as interrupted and finds waiting ones whose task was lost.

    Args:
        at_start: also what was dispatched a moment ago (the in-memory broker forgets with its process).

    Returns:
        The runs to dispatch again.
    """
    dead = claims.abandoned(Run)
    for run_id in list(dead.values_list("id", flat=True)):
        is_marked = dead.filter(id=run_id).update(
            status=RunStatus.INTERRUPTED, attempt_token="", finished_at=timezone.now(), message=INTERRUPTED
        )
        if is_marked:
            notify(run_id)
    return claims.lost(Run, at_start=at_start)
