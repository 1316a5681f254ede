"""Pods of a revision."""

from __future__ import annotations

from django.db import models

from playground.models.cluster import ClusterRevision
from playground.models.fields import JSONTextField, NameField
from playground.models.kubernetes_object import NAME_LENGTH, KubernetesObject


class Pod(KubernetesObject):
    """A pod."""

    revision = models.ForeignKey(ClusterRevision, on_delete=models.CASCADE, related_name="pods")
    namespace = NameField(max_length=NAME_LENGTH)
    node_name = NameField(max_length=NAME_LENGTH, blank=True)
    phase = NameField(max_length=32, blank=True)
    item = JSONTextField(help_text="the pod as lists show it")

    class Meta:
        ordering = ["position"]
        indexes = [
            models.Index(fields=["revision", "position"]),
            models.Index(fields=["revision", "node_name"]),
        ]
