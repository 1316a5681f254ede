"""The trace of a run as it came: event bytes, one line a cycle, the cycles' details."""

from __future__ import annotations

from django.db import models

from playground.models.fields import CompressedField, MessageField, NameField
from playground.models.kubernetes_object import NAME_LENGTH
from playground.models.run import Run


class EventChunk(models.Model):
    """One flush of the engine: the events' JSON lines, joined, exactly as encoded."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="chunks")
    first_seq = models.PositiveBigIntegerField()
    last_seq = models.PositiveBigIntegerField()
    payload = models.BinaryField()

    class Meta:
        ordering = ["first_seq"]
        constraints = [models.UniqueConstraint(fields=["run", "first_seq"], name="chunk_by_first_seq")]
        indexes = [models.Index(fields=["run", "last_seq"])]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.first_seq}–{self.last_seq}"


class CycleSummary(models.Model):
    """A cycle in one line, so that a list needs no decoding of events."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cycles")
    cycle = models.PositiveIntegerField()
    t_us = models.BigIntegerField()
    pod = NameField(max_length=2 * NAME_LENGTH + 1)
    attempt = models.PositiveIntegerField(default=1)
    result = models.CharField(max_length=16, help_text="scheduled, unschedulable or error")
    node = NameField(max_length=NAME_LENGTH, blank=True)
    num_feasible = models.PositiveIntegerField(default=0)
    num_evaluated = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["cycle"]
        constraints = [models.UniqueConstraint(fields=["run", "cycle"], name="summary_by_cycle")]
        indexes = [models.Index(fields=["run", "pod", "cycle"])]

    def __str__(self) -> str:
        return f"{self.run_id} #{self.cycle}"


class DetailStatus(models.TextChoices):
    """How a cycle's detail stands."""

    STORED = "stored"
    REPLAYING = "replaying"
    FAILED = "failed"
    REFUTED = "refuted"


class CycleDetail(models.Model):
    """The matrices of a cycle, as the run gave them or as a replay computed them again."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="details")
    cycle = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=DetailStatus, default=DetailStatus.STORED)
    payload = CompressedField(null=True)
    message = MessageField(blank=True, help_text="why a replay failed")
    requested_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["cycle"]
        constraints = [models.UniqueConstraint(fields=["run", "cycle"], name="detail_by_cycle")]

    def __str__(self) -> str:
        return f"{self.run_id} #{self.cycle}: {self.status}"
