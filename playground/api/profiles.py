"""Scheduler configurations kept by name."""

from __future__ import annotations

from typing import Any

from rest_framework import mixins, serializers, viewsets

from playground.models import Profile, workspace_of
from scheduler_core.config import load_config

MAX_CONFIG = 256 << 10


class ProfileSerializer(serializers.ModelSerializer[Profile]):
    """A KubeSchedulerConfiguration; checked when it is stored."""

    config = serializers.CharField(max_length=MAX_CONFIG, trim_whitespace=False)

    def validate_config(self, value: str) -> str:
        load_config(value)
        return value

    class Meta:
        model = Profile
        fields = ["id", "name", "config", "created_at"]


class ProfileViewSet(
    mixins.CreateModelMixin,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet[Profile],
):
    """Profiles, newest first."""

    serializer_class = ProfileSerializer
    queryset = Profile.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        return Profile.objects.of(workspace_of())

    def perform_create(self, serializer: Any) -> None:
        serializer.save(workspace_id=workspace_of())
