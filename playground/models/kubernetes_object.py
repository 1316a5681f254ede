"""What the rows of all kinds share: the canonical JSON is the truth, the columns are what lists need."""

from __future__ import annotations

from django.db import models

from playground.models.fields import NameField

NAME_LENGTH = 253


class KubernetesObject(models.Model):
    """What a row of each kind has: its place in the input, its names, its text."""

    position = models.PositiveIntegerField(help_text="place in the input; the order of nodes matters")
    name = NameField(max_length=NAME_LENGTH)
    object = models.TextField(help_text="canonical JSON, scrubbed")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name
