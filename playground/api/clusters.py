"""Clusters: list, read, delete. How they come in is told by `imports.py`."""

from __future__ import annotations

from typing import Any

from rest_framework import mixins, serializers, viewsets

from playground.api.errors import FieldErrorSerializer
from playground.models import Cluster, workspace_of


class CountsSerializer(serializers.Serializer[Any]):
    """How many objects there are."""

    nodes = serializers.IntegerField()
    pods = serializers.IntegerField()
    bound = serializers.IntegerField()
    pending = serializers.IntegerField()
    other = serializers.IntegerField()


class SkippedSerializer(serializers.Serializer[Any]):
    """A kind that is not read."""

    kind = serializers.CharField()
    count = serializers.IntegerField()


class FindingSerializer(serializers.Serializer[Any]):
    """Something that looks wrong in what was imported."""

    message = serializers.CharField()
    objects = serializers.ListField(child=serializers.CharField(), help_text="the first of them")
    count = serializers.IntegerField(help_text="of all of them")
    sentence = serializers.CharField()


class ReportSerializer(serializers.Serializer[Any]):
    """What an import made of its input."""

    read = serializers.DictField(child=serializers.IntegerField(), help_text="number by kind")
    skipped = serializers.DictField(
        child=serializers.IntegerField(), help_text="scheduling does not read them"
    )
    invalid = serializers.IntegerField(help_text="left out because they are wrong")
    defaulted = serializers.DictField(
        child=serializers.IntegerField(), help_text="what was filled in, how often"
    )
    suspicious = FindingSerializer(many=True)
    captured_at = serializers.CharField(help_text="when the cluster was like this; empty: it does not say")
    notes = serializers.ListField(child=serializers.CharField())


class ClusterSerializer(serializers.ModelSerializer[Cluster]):
    """A cluster with its newest revision."""

    revision = serializers.CharField(
        source="revision.name", help_text="twelve digits of the content's SHA-256"
    )
    counts = CountsSerializer(source="revision.counts")
    kinds = serializers.DictField(source="revision.kinds", child=serializers.IntegerField())
    skipped = SkippedSerializer(source="revision.skipped", many=True)
    warnings = serializers.ListField(source="revision.warnings", child=serializers.CharField())
    errors = FieldErrorSerializer(source="revision.errors", many=True, help_text="left out by skip_invalid")  # type: ignore[assignment]

    report = ReportSerializer(source="revision.report")
    captured_at = serializers.CharField(source="revision.captured_at", help_text="RFC 3339, or empty")
    redacted = serializers.BooleanField(source="revision.is_redacted", help_text="all names are made up")
    profile = serializers.CharField(
        source="profile_id", allow_null=True, help_text="the configuration that came with the objects"
    )

    class Meta:
        model = Cluster
        fields = [
            *("id", "name", "question", "description", "example", "revision", "created_at"),
            *("counts", "kinds", "skipped", "warnings", "errors"),
            *("report", "captured_at", "redacted", "profile"),
        ]


def owned_clusters(user: Any) -> Any:
    """Returns the clusters that may be seen, with their revisions, in one query.

    Args:
        user: who asks.
    """
    return Cluster.objects.of(workspace_of(user)).filter(revision__isnull=False).select_related("revision")


class ClusterViewSet(
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet[Cluster],
):
    """Clusters as imported."""

    serializer_class = ClusterSerializer
    queryset = Cluster.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        return owned_clusters(self.request.user)
