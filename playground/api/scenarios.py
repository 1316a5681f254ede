"""Scenarios: lists of edits with virtual times, kept by name."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.asked import check_scenario
from playground.api.fields import KnownFields, NameText, PlainObject
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.parsers import RawManifestParser, StrictJSONParser
from playground.clusters.importing import clean_name
from playground.models import Scenario, workspace_of
from playground.models.fields import new_id
from scheduler_core.api import scrubbed_edit

MAX_EDITS = 10_000
MAX_EDIT = 1 << 20
YAML = "application/yaml"
EDITS_HELP = "each with `kind` and `at` (as `1m30s`) or `cycle`; docs/reference/scenarios has them all"


class YAMLParser(RawManifestParser):
    """A scenario as it is written in files."""

    media_type = YAML


class EditsField(serializers.ListField):
    """Edits; the core judges what is in them."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            child=PlainObject(max_bytes=MAX_EDIT), max_length=MAX_EDITS, help_text=EDITS_HELP, **kwargs
        )

    def to_internal_value(self, data: Any) -> list[Any]:
        """Returns the edits without values of variables, which are stored nowhere."""
        return [scrubbed_edit(edit) for edit in super().to_internal_value(data)]


class ScenarioSerializer(KnownFields, serializers.ModelSerializer[Scenario]):
    """Edits, what is asked, and how long the run may take; checked when it is stored."""

    name = NameText()
    edits = EditsField(required=False, default=list)
    question = PlainObject(
        required=False, allow_null=True, default=None, help_text="`ask`: continue, reschedule or replan"
    )
    options = PlainObject(
        required=False, default=dict, help_text="`horizon_us` and `controllers`, as of a run's options"
    )

    class Meta:
        model = Scenario
        fields = ["id", "name", "question", "options", "edits", "created_at"]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        check_scenario(attrs.get("edits", []), attrs.get("question"), attrs.get("options", {}))
        return attrs


@extend_schema(tags=["scenarios"])
@extend_schema_view(
    list=extend_schema(summary="List scenarios"),
    retrieve=extend_schema(summary="Read a scenario"),
    create=extend_schema(
        summary="Keep a scenario",
        parameters=[IDEMPOTENCY_KEY],
        request={"application/json": ScenarioSerializer, YAML: OpenApiTypes.OBJECT},
    ),
    update=extend_schema(
        summary="Replace a scenario",
        request={"application/json": ScenarioSerializer, YAML: OpenApiTypes.OBJECT},
    ),
    partial_update=extend_schema(summary="Change a part of a scenario"),
    destroy=extend_schema(
        summary="Delete a scenario",
        responses={204: OpenApiResponse(description="Gone; runs have their copy.")},
    ),
)
class ScenarioViewSet(viewsets.ModelViewSet[Scenario]):
    """Scenarios, newest first. A run takes a copy, so changing one changes no run."""

    serializer_class = ScenarioSerializer
    queryset = Scenario.objects.none()
    lookup_value_regex = "[^/]+"
    parser_classes = [StrictJSONParser, YAMLParser]

    def get_queryset(self) -> Any:
        return Scenario.objects.of(workspace_of(self.request.user))

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        if isinstance(kwargs.get("data"), bytes):
            kwargs["data"] = _from_text(kwargs["data"])
        return super().get_serializer(*args, **kwargs)

    @idempotent
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Takes JSON, or YAML of kind Scenario; every error has its line and field, and nothing is kept then."""
        return super().create(request, *args, **kwargs)

    def perform_create(self, serializer: Any) -> None:
        serializer.save(workspace_id=workspace_of(self.request.user))


def _from_text(text: bytes) -> dict[str, Any]:
    from engine.scenarios import plain_scenario

    read = plain_scenario(text, "scenario")
    name = clean_name(read.name) if read.name else f"scenario {new_id()[:6]}"
    return {"name": name, "edits": read.edits, "question": read.question, "options": read.options}
