"""Objects of every other kind of a revision."""

from __future__ import annotations

from django.db import models

from playground.models.cluster import ClusterRevision
from playground.models.fields import NameField
from playground.models.kubernetes_object import NAME_LENGTH, KubernetesObject


class Resource(KubernetesObject):
    """An object of any other kind that was read."""

    revision = models.ForeignKey(ClusterRevision, on_delete=models.CASCADE, related_name="resources")
    kind = NameField(max_length=100)
    api_version = NameField(max_length=200, blank=True)
    namespace = NameField(max_length=NAME_LENGTH, blank=True)

    class Meta:
        ordering = ["position"]
        indexes = [
            models.Index(fields=["revision", "position"]),
            models.Index(fields=["revision", "kind"]),
        ]
