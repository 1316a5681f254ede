"""Edits of a scenario, judged and told in words, before anything is run."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.fields import KnownFields
from playground.api.scenarios import EditsField


class EditsSerializer(KnownFields):
    """Edits, as a run or a fork takes them."""

    edits = EditsField()


class SentencesSerializer(serializers.Serializer[Any]):
    """What each edit does."""

    sentences = serializers.ListField(
        child=serializers.CharField(), help_text="one an edit, without its time"
    )


class EditsRead(APIView):
    """Edits in words."""

    write_scope = "read"

    @extend_schema(
        operation_id="edits_read",
        summary="Judge edits, and tell them as sentences",
        tags=["scenarios"],
        request=EditsSerializer,
        responses={200: SentencesSerializer},
    )
    def post(self, request: Request) -> Response:
        """Answers a sentence an edit; what is wrong with them has its field, such as `edits[2].replicas` (422)."""
        asked = EditsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        from engine.scenarios import sentences  # loads the simulator: not at start

        return Response({"sentences": sentences(asked.validated_data["edits"])})
