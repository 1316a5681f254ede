"""Scheduler configurations kept by name."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.fields import KnownFields, NameText
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.models import Profile, workspace_of
from scheduler_core.config import load_config

MAX_CONFIG = 256 << 10


class ProfileSerializer(KnownFields, serializers.ModelSerializer[Profile]):
    """A KubeSchedulerConfiguration; checked when it is stored."""

    name = NameText()
    config = serializers.CharField(
        max_length=MAX_CONFIG, trim_whitespace=False, help_text="YAML or JSON, kept as written"
    )

    def validate_config(self, value: str) -> str:
        load_config(value)
        return value

    class Meta:
        model = Profile
        fields = ["id", "name", "config", "created_at"]


@extend_schema(tags=["profiles"])
@extend_schema_view(
    list=extend_schema(summary="List profiles"),
    retrieve=extend_schema(summary="Read a profile"),
    create=extend_schema(summary="Keep a profile", parameters=[IDEMPOTENCY_KEY]),
    update=extend_schema(summary="Replace a profile"),
    partial_update=extend_schema(summary="Change a profile's name or configuration"),
    destroy=extend_schema(
        summary="Delete a profile",
        responses={204: OpenApiResponse(description="Gone; runs have their copy.")},
    ),
)
class ProfileViewSet(viewsets.ModelViewSet[Profile]):
    """Profiles, newest first. A run takes a copy, so changing one changes no run."""

    serializer_class = ProfileSerializer
    queryset = Profile.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        return Profile.objects.of(workspace_of(self.request.user))

    @idempotent
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Keeps a configuration; what kube-scheduler would not start with is refused with its place."""
        return super().create(request, *args, **kwargs)

    def perform_create(self, serializer: Any) -> None:
        serializer.save(workspace_id=workspace_of(self.request.user))
