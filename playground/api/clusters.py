"""Clusters: list, read, delete. How they come in is told by `imports.py`."""

from __future__ import annotations

import json
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.errors import FieldErrorSerializer
from playground.api.fields import KnownFields, NameText, PlainObject
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.clusters.importing import Labels, import_cluster
from playground.models import Cluster, workspace_of
from playground.models.fields import storable

MAX_OBJECT = 1 << 20
MAX_OBJECTS = 20_000


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


class NewClusterSerializer(KnownFields):
    """A cluster that is written, not imported."""

    name = NameText()
    objects = serializers.ListField(
        child=PlainObject(max_bytes=MAX_OBJECT), required=False, default=list, max_length=MAX_OBJECTS,
        help_text="Kubernetes objects; a cluster may begin empty",
    )  # fmt: skip


class ClusterChangeSerializer(KnownFields):
    """What of a cluster can be changed by itself; its objects have addresses of their own."""

    name = NameText(required=False)
    question = serializers.CharField(max_length=300, required=False, allow_blank=True)
    description = serializers.CharField(max_length=10_000, required=False, allow_blank=True)


@extend_schema(tags=["clusters"])
@extend_schema_view(
    list=extend_schema(summary="List clusters"),
    retrieve=extend_schema(summary="Read a cluster"),
    destroy=extend_schema(
        summary="Delete a cluster",
        responses={204: OpenApiResponse(description="Gone with its revisions, runs and checks.")},
    ),
)
class ClusterViewSet(
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet[Cluster],
):
    """Clusters, newest first, each with its newest revision."""

    serializer_class = ClusterSerializer
    queryset = Cluster.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        return owned_clusters(self.request.user)

    @extend_schema(
        summary="Create a cluster",
        parameters=[IDEMPOTENCY_KEY],
        request=NewClusterSerializer,
        responses={201: ClusterSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Makes a cluster of objects that are given as JSON, or an empty one; files are imported."""
        asked = NewClusterSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": asked.validated_data["objects"]})
        labels = Labels(asked.validated_data["name"])
        cluster = import_cluster(workspace_of(request.user), [("objects", text.encode())], labels)
        headers = {"Location": f"/api/v1/clusters/{cluster.id}"}
        return Response(ClusterSerializer(cluster).data, status=201, headers=headers)

    @extend_schema(
        summary="Rename or describe a cluster",
        request=ClusterChangeSerializer,
        responses={200: ClusterSerializer},
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Changes the words, never the objects: no new revision."""
        cluster = self.get_object()
        asked = ClusterChangeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        for field, value in asked.validated_data.items():
            setattr(cluster, field, storable(value))
        cluster.save(update_fields=list(asked.validated_data))
        return Response(ClusterSerializer(cluster).data)
