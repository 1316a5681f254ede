"""A cluster's revisions: listed, gone back to, exported as manifests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.clusters import ClusterSerializer, CountsSerializer, owned_clusters
from playground.api.errors import UnprocessableError
from playground.api.objects import HEX, REVISION, revision_of
from playground.api.pagination import bool_parameter, choice_parameter
from playground.api.streaming import answer_with
from playground.clusters.editing import texts_of
from playground.models import ClusterRevision
from scheduler_core.api import Redaction, decode_object, export_pieces

MEDIA_TYPES = {"yaml": "application/yaml", "json": "application/json"}


class RevisionSerializer(serializers.Serializer[Any]):
    """A revision; its name is made from its content."""

    revision = serializers.CharField(source="name", help_text="twelve digits of `digest`")
    digest = serializers.CharField(help_text="SHA-256 over the canonical objects in order")
    is_newest = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    counts = CountsSerializer()
    kinds = serializers.DictField(child=serializers.IntegerField())

    def get_is_newest(self, revision: ClusterRevision) -> bool:
        return bool(revision.pk == self.context["newest"])


class RevisionList(GenericAPIView[ClusterRevision]):
    """The revisions of a cluster."""

    serializer_class = RevisionSerializer
    queryset = ClusterRevision.objects.none()

    @extend_schema(
        operation_id="cluster_revisions",
        summary="List revisions",
        tags=["clusters"],
        responses={200: RevisionSerializer(many=True)},
    )
    def get(self, request: Request, cluster_id: str) -> Response:
        """Lists what the cluster has been, newest first; runs keep the one they were made from."""
        cluster = get_object_or_404(owned_clusters(request.user), id=cluster_id)
        rows = cluster.revisions.exclude(digest="").order_by("-created_at", "-id")
        page = self.paginate_queryset(rows.only("cluster", "digest", "created_at", "counts", "kinds"))
        shown = RevisionSerializer(page, many=True, context={"newest": cluster.revision_id})
        return self.get_paginated_response(shown.data)


class RevisionRestore(APIView):
    """A former revision as the newest."""

    @extend_schema(
        operation_id="cluster_restore",
        summary="Go back to a revision",
        tags=["clusters"],
        parameters=[OpenApiParameter("revision", HEX, OpenApiParameter.PATH)],
        request=None,
        responses={200: ClusterSerializer},
    )
    def post(self, request: Request, cluster_id: str, revision: str) -> Response:
        """Makes a former revision the newest again. Nothing is lost: the other stays in the list."""
        cluster = get_object_or_404(owned_clusters(request.user), id=cluster_id)
        found = cluster.revisions.filter(digest__startswith=revision).order_by("-created_at").first()
        if found is None:
            raise NotFound(f"This cluster has no revision {revision[:64]!r}.")
        cluster.revision = found
        cluster.save(update_fields=["revision"])
        return Response(ClusterSerializer(cluster).data)


class YAMLRenderer(JSONRenderer):
    """Lets YAML be asked for by Accept; the text is made by the view."""

    media_type = MEDIA_TYPES["yaml"]
    format = "yaml"


class ClusterExport(APIView):
    """A revision as manifests."""

    renderer_classes = [JSONRenderer, YAMLRenderer]

    @extend_schema(
        operation_id="cluster_export",
        summary="Export as manifests",
        tags=["clusters"],
        parameters=[
            REVISION,
            OpenApiParameter(
                "format", str, enum=list(MEDIA_TYPES), description="else what Accept says, else JSON"
            ),
            OpenApiParameter(
                "redact", bool, description="give all names others; every decision stays the same"
            ),
        ],
        responses={
            (200, "application/yaml"): OpenApiTypes.OBJECT,
            (200, "application/json"): OpenApiTypes.OBJECT,
        },
    )
    def get(self, request: Request, cluster_id: str) -> HttpResponseBase:
        """Answers one List that `kubectl apply` and the import read back."""
        wanted = choice_parameter(request, "format", list(MEDIA_TYPES))
        is_redacted = bool_parameter(request, "redact")
        revision = revision_of(request, cluster_id)
        chosen = wanted or ("yaml" if request.accepted_renderer.format == "yaml" else "json")
        objects: Iterable[Any] = (msgspec.json.decode(text) for _position, text in texts_of(revision))
        if is_redacted:
            objects = _redacted(objects)
        return exported(request, revision, objects, chosen, f"{cluster_id}-{revision.name}")


def exported(
    request: Request | HttpRequest, revision: ClusterRevision, objects: Iterable[Any], format_: str, stem: str
) -> HttpResponseBase:
    """Returns objects as a file of manifests.

    Args:
        request: the request.
        revision: what they are, or were made, from.
        objects: in their plain form.
        format_: json or yaml.
        stem: of the file's name.
    """
    pieces = export_pieces(objects, "yaml" if format_ == "yaml" else "json", captured_at=revision.captured_at)
    headers = {"Content-Disposition": f'attachment; filename="{stem}.{format_}"'}
    return answer_with(request, pieces, sum(revision.kinds.values()), MEDIA_TYPES[format_], headers)


def _redacted(plain: Iterable[Any]) -> list[Any]:
    objects = list(plain)
    try:
        typed = [decode_object(raw) for raw in objects]
    except msgspec.ValidationError as error:
        raise UnprocessableError(f"This cluster cannot be redacted: {error}") from error
    redaction = Redaction(typed)
    return [raw for each in typed if (raw := redaction.redacted(each)) is not None]
