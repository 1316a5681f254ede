"""Who computes a row: one winner, a lease, and what becomes of rows whose worker is gone.

Every write carries the attempt's token; a worker that has lost its claim changes no row.
"""

from __future__ import annotations

import dataclasses
import secrets
from datetime import timedelta
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from playground.models import CLAIMABLE, Claimable, WorkStatus

REDISPATCH_AFTER = timedelta(seconds=60)
MAX_DISPATCHED = 100

Row = TypeVar("Row", bound=Claimable)


class ClaimLost(Exception):
    """Another attempt owns the row, or it was deleted: stop and write nothing."""


@dataclasses.dataclass(frozen=True)
class Claim(Generic[Row]):
    """The right to compute a row, as long as the token stands in it."""

    model: type[Row]
    id: str
    token: str

    def row(self) -> QuerySet[Row]:
        """Returns the row while it is ours, else nothing."""
        return rows_of(self.model).filter(id=self.id, attempt_token=self.token, status=WorkStatus.RUNNING)

    def write(self, **values: Any) -> None:
        """Changes the row and prolongs the lease.

        Args:
            values: the columns to change.

        Raises:
            ClaimLost: the row is no longer ours.
        """
        if not self.row().update(lease_until=lease_end(), **values):
            raise ClaimLost(self.id)

    def is_cancel_requested(self) -> bool:
        """Returns what the row says.

        Raises:
            ClaimLost: the row is no longer ours.
        """
        wanted = self.row().values_list("cancel_requested", flat=True).first()
        if wanted is None:
            raise ClaimLost(self.id)
        return wanted

    def finish(self, status: WorkStatus, **values: Any) -> None:
        """Writes the end.

        Args:
            status: how it ended.
            values: other columns.
        """
        self.write(status=status, finished_at=timezone.now(), **values)


def rows_of(model: type[Row]) -> QuerySet[Row]:
    """Returns all rows of a model.

    Args:
        model: runs or jobs.
    """
    return model._default_manager.all()


def lease_end() -> Any:
    """Returns until when a claim holds that is prolonged now."""
    return timezone.now() + timedelta(seconds=settings.RUN_LEASE_SECONDS)


def take(model: type[Row], row_id: str, **cleared: Any) -> Claim[Row] | None:
    """Takes a row that waits, was interrupted, or whose worker is gone.

    Args:
        model: runs or jobs.
        row_id: the row.
        cleared: columns to set back to how a new attempt begins.

    Returns:
        The claim; None where another worker has the row, it is over or it was tried too often.
    """
    token = secrets.token_hex(16)
    abandoned = Q(status=WorkStatus.RUNNING, lease_until__lt=timezone.now())
    won = (
        rows_of(model)
        .filter(Q(status__in=CLAIMABLE) | abandoned, id=row_id, attempts__lt=settings.RUN_MAX_ATTEMPTS)
        .filter(cancel_requested=False)
        .update(
            status=WorkStatus.RUNNING,
            attempt_token=token,
            attempts=F("attempts") + 1,
            lease_until=lease_end(),
            started_at=timezone.now(),
            finished_at=None,
            progress={},
            message="",
            errors=[],
            **cleared,
        )
    )
    return Claim(model, row_id, token) if won else None


def request_cancel(row: Claimable) -> None:
    """Asks a row's worker to stop; one that waits for a worker ends here.

    Args:
        row: a run or a job; refreshed.
    """
    rows = rows_of(type(row)).filter(pk=row.pk)
    rows.update(cancel_requested=True)
    rows.filter(status__in=CLAIMABLE).update(
        status=WorkStatus.CANCELLED, finished_at=timezone.now(), message="Cancelled before it started."
    )
    row.refresh_from_db()


def abandoned(model: type[Row]) -> QuerySet[Row]:
    """Returns the rows that are being computed by nobody who still lives.

    Args:
        model: runs or jobs.
    """
    return rows_of(model).filter(status=WorkStatus.RUNNING, lease_until__lt=timezone.now())


def lost(model: type[Row], *, at_start: bool = False) -> list[str]:
    """Returns the waiting rows whose task was lost, oldest first.

    Args:
        model: runs or jobs.
        at_start: also what was dispatched a moment ago (the in-memory broker forgets with its process).
    """
    waiting = rows_of(model).filter(status=WorkStatus.PENDING, cancel_requested=False)
    if not (at_start and not settings.REDIS_URL):
        long_ago = timezone.now() - REDISPATCH_AFTER
        waiting = waiting.filter(Q(dispatched_at=None) | Q(dispatched_at__lt=long_ago))
    return list(waiting.order_by("created_at").values_list("pk", flat=True)[:MAX_DISPATCHED])
