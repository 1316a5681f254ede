"""Lists of edits kept by name."""

from __future__ import annotations

from typing import Any

from rest_framework import mixins, serializers, viewsets

from playground.models import Scenario, workspace_of

MAX_STEPS = 1000


class ScenarioSerializer(serializers.ModelSerializer[Scenario]):
    """Edits, each with a virtual time; the engine checks them when they are used."""

    steps = serializers.ListField(child=serializers.DictField(), max_length=MAX_STEPS)

    class Meta:
        model = Scenario
        fields = ["id", "name", "steps", "created_at"]


class ScenarioViewSet(
    mixins.CreateModelMixin,
    mixins.ListModelMixin,
    mixins.RetrieveModelMixin,
    viewsets.GenericViewSet[Scenario],
):
    """Scenarios, newest first."""

    serializer_class = ScenarioSerializer
    queryset = Scenario.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        return Scenario.objects.of(workspace_of(self.request.user))

    def perform_create(self, serializer: Any) -> None:
        serializer.save(workspace_id=workspace_of(self.request.user))
