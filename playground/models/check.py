"""Checks: what was asked, and the verdict. A row appears with its verdict; until then there is a job."""

from __future__ import annotations

from django.db import models

from playground.models.cluster import Cluster, ClusterRevision
from playground.models.fields import CompressedField, IdField, JSONTextField, MessageField, NameField
from playground.models.profile import Profile
from playground.models.run import Run
from playground.models.workspace import OwnedQuerySet, Workspace


class Outcome(models.TextChoices):
    """What a check came to."""

    PASS = "pass"
    FAIL = "fail"
    TOO_OLD = "too-old"


class Check(models.Model):
    """A question to a cluster's revision, frozen, and its verdict."""

    id = IdField()
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="checks")
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="checks")
    revision = models.ForeignKey(ClusterRevision, on_delete=models.CASCADE, related_name="checks")
    profile = models.ForeignKey(Profile, on_delete=models.SET_NULL, null=True, blank=True)
    name = NameField(max_length=200, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome)
    summary = MessageField(blank=True)
    counts = JSONTextField(default=dict)
    question = CompressedField(help_text="JSON of a CheckInput, without the cluster's objects")
    verdict = CompressedField(help_text="JSON of a Verdict")
    run = models.ForeignKey(
        Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        help_text="the run that shows it, once somebody asked for it",
    )  # fmt: skip
    created_at = models.DateTimeField(help_text="when it was asked")
    finished_at = models.DateTimeField(auto_now_add=True)

    objects = OwnedQuerySet["Check"].as_manager()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["workspace", "-created_at"])]

    def __str__(self) -> str:
        return f"{self.id} ({self.outcome})"
