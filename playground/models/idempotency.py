"""Answers to requests that carried an Idempotency-Key, so that sending one again does nothing twice."""

from __future__ import annotations

from django.db import models

from playground.models.fields import CompressedField, JSONTextField
from playground.models.workspace import Workspace

KEY_LENGTH = 255


class IdempotentAnswer(models.Model):
    """A request by its key and digest, and what was answered. Written in the transaction that did the work."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=KEY_LENGTH)
    digest = models.CharField(max_length=64, help_text="SHA-256 over method, address and body")
    status = models.PositiveSmallIntegerField(default=0)
    body = CompressedField(default=b"", help_text="JSON")
    headers = JSONTextField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "key"], name="answer_by_key")]

    def __str__(self) -> str:
        return self.key
