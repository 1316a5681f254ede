"""Runs: what was asked, how far it is, and what came out."""

from __future__ import annotations

from django.db import models

from playground.models.claimable import Claimable, WorkStatus
from playground.models.cluster import Cluster, ClusterRevision
from playground.models.fields import CompressedField, IdField, JSONTextField, MessageField, NameField
from playground.models.profile import Profile
from playground.models.scenario import Scenario
from playground.models.workspace import OwnedQuerySet, Workspace

RunStatus = WorkStatus


class Run(Claimable):
    """A revision, a profile, edits, a question and options, frozen; and the state of computing it.

    A fork has its parent's edits before its own, and everything else as its parent; it computes the shared beginning
    again and proves by `fork` that it is the same. So it stands alone; still its parent is not deleted before it.
    """

    id = IdField()
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="runs")
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="runs")
    revision = models.ForeignKey(ClusterRevision, on_delete=models.CASCADE, related_name="runs")
    profile = models.ForeignKey(Profile, on_delete=models.SET_NULL, null=True, blank=True)
    scenario = models.ForeignKey(Scenario, on_delete=models.SET_NULL, null=True, blank=True)
    parent = models.ForeignKey("self", on_delete=models.RESTRICT, null=True, blank=True, related_name="forks")
    name = NameField(max_length=200, blank=True)
    note = MessageField(blank=True, help_text="what people want to remember of it")
    kept = models.BooleanField(default=False, help_text="not deleted before it is let go")

    config = models.TextField(null=True, blank=True)  # noqa: DJ001  the engine tells "none" from "empty"
    edits = JSONTextField(default=list)
    told = JSONTextField(default=list, help_text="its own edits as sentences, without those of its parent")
    question = JSONTextField(null=True, blank=True)
    fork = JSONTextField(
        null=True, blank=True, help_text="num_events, digest, t_us, num_cycles, num_edits of the shared part"
    )
    options = JSONTextField(default=dict)

    last_seq = models.PositiveBigIntegerField(default=0)
    num_cycles = models.PositiveBigIntegerField(default=0)
    num_bound = models.PositiveIntegerField(default=0)
    num_pending = models.PositiveIntegerField(default=0)
    why = JSONTextField(
        default=list, help_text="why pods stay pending: reason, number of pods; the first few"
    )
    headline = JSONTextField(default=list, help_text="what it came to: sentences with tone and pods")
    digest = models.CharField(max_length=64, blank=True)
    engine_version = models.CharField(max_length=64, blank=True)
    notes = JSONTextField(default=list, help_text="what the configuration sets without effect")

    objects = OwnedQuerySet["Run"].as_manager()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [
            models.Index(fields=["workspace", "-created_at"]),
            models.Index(fields=["cluster", "-created_at"]),
            models.Index(fields=["status", "lease_until"]),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.status})"


class RunOutcome(models.Model):
    """Where every pod ended; apart from the run, for it can be large."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="outcome", primary_key=True)
    placements = CompressedField(help_text="JSON: pod → node")
    pending = CompressedField(help_text="JSON: pod, message, queue, plugins")
    tape = CompressedField(default=b"", help_text="JSON lines: what extenders answered")
    ending = CompressedField(
        default=b"{}", help_text="JSON: moves, refused, refused_edits, stopped, question"
    )
    end_state = CompressedField(
        null=True, help_text="JSON lines: all objects as the run left them; once asked for"
    )

    def __str__(self) -> str:
        return f"outcome of {self.run_id}"
