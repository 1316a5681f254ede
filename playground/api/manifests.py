"""Manifests judged as the API server does, and given back as plain objects; nothing is stored."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.parsers import MANIFEST_TYPES, RAW_PARSERS, body_of
from scheduler_core.api import Limits, Source, load_manifests

NAME = "manifests"
MAX_BYTES = 4 << 20


class ManifestsSerializer(serializers.Serializer[Any]):
    """What was read."""

    objects = serializers.ListField(child=serializers.DictField(), help_text="in their order, scrubbed")
    skipped = serializers.DictField(child=serializers.IntegerField(), help_text="kind: how many are not read")


class ManifestRead(APIView):
    """Reads manifests as somebody writes them: strictly."""

    parser_classes = RAW_PARSERS
    write_scope = "read"

    @extend_schema(
        tags=["objects"],
        operation_id="manifests_read",
        summary="Judge manifests",
        request=dict.fromkeys(MANIFEST_TYPES[:3], OpenApiTypes.BINARY),
        responses={200: ManifestsSerializer},
    )
    def post(self, request: Request) -> Response:
        """Answers the objects of YAML or JSON; every error has its line and field (422), unknown fields too."""
        limits = Limits(bytes=min(MAX_BYTES, settings.MAX_UPLOAD_BYTES))
        loaded = load_manifests([Source(NAME, body_of(request))], strict=True, limits=limits)
        return Response({"objects": [item.raw for item in loaded.objects], "skipped": loaded.skipped})
