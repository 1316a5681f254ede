"""Scheduler configurations kept by name."""

from __future__ import annotations

from django.db import models

from playground.models.fields import IdField
from playground.models.workspace import OwnedQuerySet, Workspace


class Profile(models.Model):
    """A KubeSchedulerConfiguration as its author wrote it. A run takes a copy."""

    id = IdField()
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="profiles")
    name = models.CharField(max_length=200)
    config = models.TextField(help_text="KubeSchedulerConfiguration as YAML or JSON")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = OwnedQuerySet["Profile"].as_manager()

    class Meta:
        ordering = ["-created_at", "id"]

    def __str__(self) -> str:
        return self.name
