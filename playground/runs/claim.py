"""Who computes a run: one winner, a lease, and what becomes of runs whose worker is gone.

Every write carries the attempt's token; a worker that has lost its claim changes no row.
"""

from __future__ import annotations

import dataclasses
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from playground.models import CLAIMABLE, CycleDetail, CycleSummary, EventChunk, Run, RunOutcome, RunStatus
from playground.runs.notify import notify

REDISPATCH_AFTER = timedelta(seconds=60)
INTERRUPTED = (
    "The worker that computed this run is gone. What had arrived is shown; start the run again for the rest."
)


class ClaimLost(Exception):
    """Another attempt owns the run, or it was deleted: stop and write nothing."""


@dataclasses.dataclass(frozen=True)
class Claim:
    """The right to compute a run, as long as the token stands in its row."""

    run_id: str
    token: str

    def row(self) -> QuerySet[Run]:
        """Returns the run while it is ours, else nothing."""
        return Run.objects.filter(id=self.run_id, attempt_token=self.token, status=RunStatus.RUNNING)

    def write(self, **values: Any) -> None:
        """Changes the run and prolongs the lease.

        Args:
            values: the columns to change.

        Raises:
            ClaimLost: the run is no longer ours.
        """
        if not self.row().update(lease_until=lease_end(), **values):
            raise ClaimLost(self.run_id)

    def is_cancel_requested(self) -> bool:
        """Returns what the row says.

        Raises:
            ClaimLost: the run is no longer ours.
        """
        wanted = self.row().values_list("cancel_requested", flat=True).first()
        if wanted is None:
            raise ClaimLost(self.run_id)
        return wanted

    def finish(self, status: RunStatus, **values: Any) -> None:
        """Writes the end of the run.

        Args:
            status: how it ended.
            values: other columns.
        """
        self.write(status=status, finished_at=timezone.now(), **values)


def lease_end() -> Any:
    """Returns until when a claim holds that is prolonged now."""
    return timezone.now() + timedelta(seconds=settings.RUN_LEASE_SECONDS)


def claim(run_id: str) -> Claim | None:
    """Takes a run that waits, was interrupted, or whose worker is gone; clears what a former attempt left.

    Args:
        run_id: the run.

    Returns:
        The claim; None where another worker has the run, it is over or it was tried too often.
    """
    token = secrets.token_hex(16)
    abandoned = Q(status=RunStatus.RUNNING, lease_until__lt=timezone.now())
    with transaction.atomic():
        won = (
            Run.objects.filter(
                Q(status__in=CLAIMABLE) | abandoned, id=run_id, attempts__lt=settings.RUN_MAX_ATTEMPTS
            )
            .filter(cancel_requested=False)
            .update(
                status=RunStatus.RUNNING,
                attempt_token=token,
                attempts=F("attempts") + 1,
                lease_until=lease_end(),
                started_at=timezone.now(),
                finished_at=None,
                last_seq=0,
                progress={},
                message="",
                errors=[],
            )
        )
        if not won:
            return None
        for model in (EventChunk, CycleSummary, CycleDetail, RunOutcome):
            model.objects.filter(run_id=run_id).delete()
    notify(run_id)
    return Claim(run_id, token)


def request_cancel(run: Run) -> None:
    """Asks a run to stop: one that waits ends here, one that is computed is told by its supervisor.

    Args:
        run: the run.
    """
    Run.objects.filter(id=run.id).update(cancel_requested=True)
    Run.objects.filter(id=run.id, status__in=CLAIMABLE).update(
        status=RunStatus.CANCELLED, finished_at=timezone.now(), message="Cancelled before it started."
    )
    run.refresh_from_db()
    notify(run.id)


def reconcile(*, at_start: bool = False) -> list[str]:
    """Marks runs without a living worker as interrupted and finds waiting ones whose task was lost.

    Args:
        at_start: also what was dispatched a moment ago (the in-memory broker forgets with its process).

    Returns:
        The runs to dispatch again.
    """
    now = timezone.now()
    dead = Run.objects.filter(status=RunStatus.RUNNING, lease_until__lt=now)
    for run_id in list(dead.values_list("id", flat=True)):
        is_marked = Run.objects.filter(id=run_id, status=RunStatus.RUNNING, lease_until__lt=now).update(
            status=RunStatus.INTERRUPTED, attempt_token="", finished_at=now, message=INTERRUPTED
        )
        if is_marked:
            notify(run_id)
    waiting = Run.objects.filter(status=RunStatus.PENDING, cancel_requested=False)
    if not (at_start and not settings.REDIS_URL):
        waiting = waiting.filter(Q(dispatched_at=None) | Q(dispatched_at__lt=now - REDISPATCH_AFTER))
    return list(waiting.order_by("created_at").values_list("id", flat=True)[:100])
