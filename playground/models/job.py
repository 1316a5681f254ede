"""Jobs: work that outlasts a request, whatever it is: a large import, a check, a comparison.

A job is asked for (`playground.api.jobs.start_job`), taken by a worker (`playground.jobs.execute`) and done by the
handler of its kind (`playground/jobs/handlers.py`). Its row says how far it is, whether it should stop, and what came
out; what a handler has half done when its worker dies stands in `scratch`, so that the next one can undo it.
"""

from __future__ import annotations

from django.db import models

from playground.models.claimable import Claimable
from playground.models.fields import CompressedField, IdField, JSONTextField
from playground.models.workspace import OwnedQuerySet, Workspace

KIND_LENGTH = 32


class Job(Claimable):
    """One piece of work; `progress` is `{done, total, unit, text}`, total null where it is not known."""

    id = IdField()
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=KIND_LENGTH)
    question = JSONTextField(default=dict, help_text="what is asked; small")
    scratch = JSONTextField(default=dict, help_text="what an attempt has to undo if it does not end well")
    result = JSONTextField(null=True, blank=True)

    objects = OwnedQuerySet["Job"].as_manager()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [
            models.Index(fields=["workspace", "-created_at"]),
            models.Index(fields=["status", "lease_until"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id} ({self.status})"


class JobInput(models.Model):
    """A file that goes with a job; deleted as soon as the job is over."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="inputs")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=300)
    data = CompressedField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["job", "position"], name="input_by_position")]

    def __str__(self) -> str:
        return self.name
