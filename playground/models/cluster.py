"""Clusters and their immutable revisions."""

from __future__ import annotations

from django.db import models

from playground.models.fields import IdField, JSONTextField
from playground.models.profile import Profile
from playground.models.workspace import OwnedQuerySet, Workspace


class Cluster(models.Model):
    """What the user sees as one cluster: a name and its newest revision."""

    id = IdField()
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="clusters")
    name = models.CharField(max_length=200)
    example = models.SlugField(max_length=100, blank=True, help_text="the example it was loaded from")
    question = models.CharField(max_length=300, blank=True)
    description = models.TextField(blank=True)
    revision = models.ForeignKey(
        "ClusterRevision", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    profile = models.ForeignKey(
        Profile, on_delete=models.SET_NULL, null=True, blank=True, related_name="+",
        help_text="the configuration that came with its objects",
    )  # fmt: skip
    created_at = models.DateTimeField(auto_now_add=True)

    objects = OwnedQuerySet["Cluster"].as_manager()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["workspace", "-created_at"])]

    def __str__(self) -> str:
        return self.name


class ClusterRevision(models.Model):
    """The objects of a cluster at one time, named by their content. Never changed once written."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="revisions")
    digest = models.CharField(max_length=64, help_text="SHA-256 over the canonical objects in order")
    counts = JSONTextField(default=dict, help_text="nodes, pods, bound, pending, other")
    kinds = JSONTextField(default=dict, help_text="kind: number of objects")
    card = JSONTextField(default=dict, help_text="what a small picture of the cluster needs")
    skipped = JSONTextField(default=list)
    warnings = JSONTextField(default=list)
    errors = JSONTextField(default=list, help_text="objects left out by skip_invalid")
    report = JSONTextField(default=dict, help_text="what the import read, filled in and found suspicious")
    captured_at = models.CharField(max_length=64, blank=True, help_text="RFC 3339, as the snapshot says")
    is_redacted = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cluster", "digest"], name="revision_by_content")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The digest's first twelve digits, as shown."""
        return self.digest[:12]
