"""Runs: start, follow, cancel, delete."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.clusters import owned_clusters
from playground.api.errors import FieldErrorSerializer, UnprocessableError
from playground.api.fields import KnownFields, PlainObject
from playground.api.pagination import choice_parameter
from playground.models import Cluster, Profile, Run, RunStatus, Scenario, workspace_of
from playground.runs.claim import request_cancel
from playground.tasks import dispatch_run


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a run is."""

    cycles = serializers.IntegerField(required=False)
    bound = serializers.IntegerField(required=False)
    pending = serializers.IntegerField(required=False)
    t_us = serializers.IntegerField(required=False, help_text="virtual microseconds")


class RunSerializer(serializers.ModelSerializer[Run]):
    """A run and how far it is."""

    cluster = serializers.CharField(source="cluster_id")
    profile = serializers.CharField(source="profile_id", allow_null=True)
    scenario = serializers.CharField(source="scenario_id", allow_null=True)
    revision = serializers.CharField(source="revision.name")
    progress = ProgressSerializer()
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]
    options = serializers.DictField()
    notes = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="what the configuration sets without effect"
    )

    class Meta:
        model = Run
        fields = [
            *(
                "id",
                "cluster",
                "revision",
                "profile",
                "scenario",
                "options",
                "status",
                "progress",
                "last_seq",
            ),
            *(
                "num_cycles",
                "num_bound",
                "num_pending",
                "digest",
                "engine_version",
                "notes",
                "errors",
                "message",
            ),
            *("created_at", "started_at", "finished_at"),
        ]


class NewRunSerializer(KnownFields):
    """What to run."""

    cluster = serializers.CharField(max_length=64)
    profile = serializers.CharField(max_length=64, required=False, allow_null=True, default=None)
    scenario = serializers.CharField(max_length=64, required=False, allow_null=True, default=None)
    options = PlainObject(required=False, default=dict, help_text="overrides of SimulatorOptions")

    def validate_options(self, value: dict[str, Any]) -> dict[str, Any]:
        if value and (complaint := options_complaint(value)):
            raise UnprocessableError.of("options", complaint)
        return value


def options_complaint(options: dict[str, Any]) -> str:
    """Returns what the engine would say against these options, nothing where it takes them.

    Args:
        options: as sent.
    """
    from engine.process import Job  # the whole engine: only who overrides something waits for it

    try:
        msgspec.convert({"objects": [], "options": options}, type=Job)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def owned_runs(user: Any) -> Any:
    """Returns the runs that may be seen, with their revisions' names.

    Args:
        user: who asks.
    """
    return Run.objects.of(workspace_of(user)).select_related("revision").defer("config", "steps")


def start_run(
    cluster: Cluster,
    *,
    profile: Profile | None = None,
    scenario: Scenario | None = None,
    options: dict[str, Any] | None = None,
) -> Run:
    """Freezes a question as a run and hands it to a worker.

    Args:
        cluster: its newest revision is run.
        profile: a configuration to copy.
        scenario: steps to copy.
        options: overrides of SimulatorOptions; the engine checks them.
    """
    assert cluster.revision is not None
    with transaction.atomic():
        run = Run.objects.create(
            workspace_id=cluster.workspace_id,
            cluster=cluster,
            revision=cluster.revision,
            profile=profile,
            scenario=scenario,
            config=profile.config if profile else None,
            steps=scenario.steps if scenario else None,
            options=options or {},
        )
        transaction.on_commit(partial(dispatch_run, run.id))
    return run


def owned(rows: Any, noun: str, identifier: str | None) -> Any:
    """Returns the row with an identifier; None for none.

    Args:
        rows: those that may be seen.
        noun: for the error.
        identifier: as sent.

    Raises:
        NotFound: there is no such row.
    """
    if identifier is None:
        return None
    found = rows.filter(id=identifier).first()
    if found is None:
        raise NotFound(f"There is no {noun} {identifier!r}.")
    return found


class RunViewSet(
    mixins.ListModelMixin, mixins.RetrieveModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet[Run]
):
    """Runs, newest first."""

    serializer_class = RunSerializer
    queryset = Run.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        rows = owned_runs(self.request.user)
        if cluster := self.request.query_params.get("cluster"):
            rows = rows.filter(cluster_id=cluster)
        if status := choice_parameter(self.request, "status", RunStatus.values):
            rows = rows.filter(status=status)
        return rows

    @extend_schema(
        parameters=[OpenApiParameter("cluster", str), OpenApiParameter("status", str, enum=RunStatus.values)]
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Lists the runs."""
        return super().list(request, *args, **kwargs)

    @extend_schema(
        summary="Start a run",
        request=NewRunSerializer,
        responses={
            201: RunSerializer,
            404: OpenApiResponse(description="There is no such cluster, profile or scenario."),
        },
    )
    def create(self, request: Request) -> Response:
        """Freezes the newest revision, the profile, the scenario and the options as a run, and starts it."""
        asked = NewRunSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        run = start_run(
            owned(owned_clusters(request.user), "cluster", wanted["cluster"]),
            profile=owned(Profile.objects.of(workspace_of(request.user)), "profile", wanted["profile"]),
            scenario=owned(Scenario.objects.of(workspace_of(request.user)), "scenario", wanted["scenario"]),
            options=wanted["options"],
        )
        return Response(
            self.get_serializer(run).data, status=201, headers={"Location": f"/api/v1/runs/{run.id}"}
        )

    @extend_schema(summary="Cancel a run", request=None, responses={200: RunSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Asks the run to stop; what has arrived stays. A run that is over stays as it is."""
        run = self.get_object()
        if not run.is_over:
            request_cancel(run)
        return Response(self.get_serializer(run).data)
