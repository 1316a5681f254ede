"""Clusters: import, list, read, delete."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import APIException
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.errors import BadParameterError, FieldErrorSerializer
from playground.api.pagination import bool_parameter
from playground.api.parsers import MANIFEST_TYPES, RAW_PARSERS
from playground.clusters.importing import Labels, clean_name, import_cluster
from playground.models import Cluster, workspace_of
from scheduler_core.api.manifest import Source

RAW_NAME = "input"


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

    class Meta:
        model = Cluster
        fields = [
            *("id", "name", "question", "description", "example", "revision", "created_at"),
            *("counts", "kinds", "skipped", "warnings", "errors"),
        ]


class TooLargeError(APIException):
    """More than is taken at once."""

    status_code = 413


def owned_clusters() -> Any:
    """Returns the clusters that may be seen, with their revisions, in one query."""
    return Cluster.objects.of(workspace_of()).filter(revision__isnull=False).select_related("revision")


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
        return owned_clusters()

    @extend_schema(
        summary="Import manifests as a new cluster",
        parameters=[
            OpenApiParameter("name", str, description="what to call it"),
            OpenApiParameter(
                "skip_invalid", bool, description="take what is right, list the rest in `errors`"
            ),
        ],
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {
                    "file": {"type": "array", "items": {"type": "string", "format": "binary"}},
                    "name": {"type": "string"},
                    "skip_invalid": {"type": "boolean"},
                },
                "required": ["file"],
            },
            **dict.fromkeys(MANIFEST_TYPES[:3], OpenApiTypes.BINARY),
        },
        responses={201: ClusterSerializer},
    )
    @action(detail=False, methods=["post"], url_path="import", parser_classes=[MultiPartParser, *RAW_PARSERS])
    def import_manifests(self, request: Request) -> Response:
        """Reads YAML or JSON, files or the body itself. All or nothing; every error has its place."""
        sources = sources_of(request)
        name = request.query_params.get("name") or _form_value(request, "name")
        skip_invalid = bool_parameter(request, "skip_invalid", _form_value(request, "skip_invalid"))
        labels = Labels(clean_name(name) if name else "")
        cluster = import_cluster(workspace_of(), sources, labels, skip_invalid=bool(skip_invalid))
        return Response(
            self.get_serializer(cluster).data,
            status=201,
            headers={"Location": f"/api/v1/clusters/{cluster.id}"},
        )


def sources_of(request: Request) -> list[Source]:
    """Returns what was sent: the form's files, its text, or the body.

    Args:
        request: of the import.

    Raises:
        BadParameterError: a form without a file.
        TooLargeError: over the limit.
    """
    data: Any = request.data
    if isinstance(data, bytes) or not request.content_type.startswith("multipart/"):
        return [Source(RAW_NAME, data or b"")]
    sources = [Source(clean_name(file.name or ""), file.read()) for file in request.FILES.getlist("file")]
    if text := _form_value(request, "text"):
        sources.append(Source("pasted text", text))
    if not sources:
        raise BadParameterError("The form has no complete file: send one or more fields named `file`.")
    return sources


def _form_value(request: Request, name: str) -> str:
    data: Any = request.data
    return "" if isinstance(data, bytes) else str(data.get(name, ""))
