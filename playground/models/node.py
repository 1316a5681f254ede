"""Nodes of a revision."""

from __future__ import annotations

from django.db import models

from playground.models.cluster import ClusterRevision
from playground.models.fields import JSONTextField
from playground.models.kubernetes_object import KubernetesObject


class Node(KubernetesObject):
    """A node."""

    revision = models.ForeignKey(ClusterRevision, on_delete=models.CASCADE, related_name="nodes")
    item = JSONTextField(help_text="the node as lists show it")

    class Meta:
        ordering = ["position"]
        indexes = [models.Index(fields=["revision", "position"])]
