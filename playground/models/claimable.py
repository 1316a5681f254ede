"""What rows have that a worker computes: a status, who has taken it, whether it should stop, and how it ended."""

from __future__ import annotations

from django.db import models

from playground.models.fields import JSONTextField, MessageField


class WorkStatus(models.TextChoices):
    """Where a run or a job is; the last four are ends."""

    PENDING = "pending"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


OPEN = (WorkStatus.PENDING, WorkStatus.RUNNING)
CLAIMABLE = (WorkStatus.PENDING, WorkStatus.INTERRUPTED)


class Claimable(models.Model):
    """The state of computing something.

    The claim (`attempt_token`, `lease_until`) says which worker computes it; whoever no longer holds it writes
    nothing (`playground/claims.py`).
    """

    status = models.CharField(max_length=12, choices=WorkStatus, default=WorkStatus.PENDING)
    cancel_requested = models.BooleanField(default=False)
    attempt_token = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    dispatched_at = models.DateTimeField(null=True, blank=True)

    progress = JSONTextField(default=dict)
    errors = JSONTextField(default=list)
    message = MessageField(blank=True)

    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes (what was interrupted may still be taken up again)."""
        return self.status not in OPEN
