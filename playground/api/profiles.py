"""Scheduler configurations kept by name."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, viewsets

from playground.api.errors import ProblemSerializer
from playground.models import Profile, workspace_of

MAX_CONFIG = 256 << 10


class ProfileSerializer(serializers.ModelSerializer[Profile]):
    """A KubeSchedulerConfiguration; the engine checks it when it is used."""

    config = serializers.CharField(max_length=MAX_CONFIG, trim_whitespace=False)

    class Meta:
        model = Profile
        fields = ["id", "name", "config", "created_at"]


@extend_schema(responses={"4XX": ProblemSerializer})
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
