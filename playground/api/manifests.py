"""Manifests judged as the API server does, and given back as plain objects; nothing is stored."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.imports import FILES, RAW_NAME, files_of
from playground.api.parsers import MANIFEST_TYPES, RAW_PARSERS
from scheduler_core.api import Limits, Source, load_manifests

NAME = "manifests"
MAX_BYTES = 4 << 20


class ManifestsSerializer(serializers.Serializer[Any]):
    """What was read."""

    objects = serializers.ListField(child=serializers.DictField(), help_text="in their order, scrubbed")
    skipped = serializers.DictField(child=serializers.IntegerField(), help_text="kind: how many are not read")
    warnings = serializers.ListField(child=serializers.CharField())


class ManifestRead(APIView):
    """Reads manifests as somebody writes them: strictly."""

    parser_classes = [MultiPartParser, *RAW_PARSERS]
    write_scope = "read"

    @extend_schema(
        tags=["objects"],
        operation_id="manifests_read",
        summary="Judge manifests",
        request={
            "multipart/form-data": {"type": "object", "properties": FILES, "required": ["file"]},
            **dict.fromkeys(MANIFEST_TYPES[:3], OpenApiTypes.BINARY),
        },
        responses={200: ManifestsSerializer},
    )
    def post(self, request: Request) -> Response:
        """Answers the objects of YAML or JSON, the body or files; every error has its line and field (422), unknown
        fields too.
        """
        limits = Limits(bytes=min(MAX_BYTES, settings.MAX_UPLOAD_BYTES))
        sources = [Source(NAME if name == RAW_NAME else name, data) for name, data in files_of(request)]
        loaded = load_manifests(sources, strict=True, limits=limits)
        return Response(
            {
                "objects": [item.raw for item in loaded.objects],
                "skipped": loaded.skipped,
                "warnings": loaded.warnings,
            }
        )
