"""Lists of edits kept by name."""

from __future__ import annotations

from django.db import models

from playground.models.fields import IdField, JSONTextField
from playground.models.workspace import OwnedQuerySet, Workspace


class Scenario(models.Model):
    """An ordered list of edits, each with a virtual time. A run takes a copy."""

    id = IdField()
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="scenarios")
    name = models.CharField(max_length=200)
    edits = JSONTextField(default=list)
    question = JSONTextField(null=True, blank=True, help_text="what is asked; none: to continue")
    options = JSONTextField(default=dict, help_text="horizon and controllers, as a run's options")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = OwnedQuerySet["Scenario"].as_manager()

    class Meta:
        ordering = ["-created_at", "id"]

    def __str__(self) -> str:
        return self.name
