"""Manifests judged as the API server does, and given back as plain objects; nothing is stored."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.imports import FILES, RAW_NAME, files_of
from playground.api.parsers import MANIFEST_TYPES, RAW_PARSERS
from scheduler_core.api import Limits, Source, load_manifests, manifest_schema

NAME = "manifests"
MAX_BYTES = 4 << 20


class ManifestsSerializer(serializers.Serializer[Any]):
    """What was read."""

    objects = serializers.ListField(child=serializers.DictField(), help_text="in their order, scrubbed")
    skipped = serializers.DictField(child=serializers.IntegerField(), help_text="kind: how many are not read")
    warnings = serializers.ListField(child=serializers.CharField())


class ManifestFieldSerializer(serializers.Serializer[Any]):
    """One field."""

    type = serializers.CharField(help_text="text, number, flag, quantity, time, any, or a name in `types`")
    form = serializers.ChoiceField(["one", "list", "map"], required=False, help_text="`one` without it")
    values = serializers.ListField(child=serializers.CharField(), required=False, help_text="it may have")
    doc = serializers.CharField(required=False)
    is_read = serializers.BooleanField(required=False, help_text="false: simulations do not look at it")


class ManifestKindSerializer(serializers.Serializer[Any]):
    """A kind."""

    api_version = serializers.CharField()
    type = serializers.CharField(help_text="a name in `types`")
    namespaced = serializers.BooleanField()
    doc = serializers.CharField()


class ManifestSchemaSerializer(serializers.Serializer[Any]):
    """Kinds, and the types that they are made of."""

    kinds = serializers.DictField(child=ManifestKindSerializer())
    types = serializers.DictField(child=serializers.DictField(child=ManifestFieldSerializer()))


class ManifestSchemaRead(APIView):
    """Tells what manifests may say."""

    @extend_schema(
        tags=["objects"],
        operation_id="manifests_schema",
        summary="Read what manifests may say",
        responses={200: ManifestSchemaSerializer},
    )
    def get(self, request: Request) -> HttpResponse:
        """Answers every kind with its fields, their values and meanings, as editors offer them."""
        return HttpResponse(_schema(), content_type="application/json")


@cache
def _schema() -> bytes:
    return msgspec.json.encode(manifest_schema())


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
