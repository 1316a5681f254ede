"""Runs: start, follow, rename, cancel, delete."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import RestrictedError
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import mixins, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.asked import check_scenario
from playground.api.clusters import owned_clusters
from playground.api.errors import ConflictError
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.objects import named_revision
from playground.api.pagination import choice_parameter
from playground.api.run_fields import (
    NewRunSerializer,
    RunChangeSerializer,
    RunReadSerializer,
    RunSerializer,
)
from playground.api.run_start import start_run
from playground.api.waiting import PREFER, note_waited, wait_until
from playground.models import OPEN, Profile, Run, RunStatus, Scenario, workspace_of
from playground.runs.claim import go_on, request_cancel
from playground.tasks import dispatch_run

MAX_NAMED = 10


def _called(run: Any) -> str:
    return f"{run.name} ({run.pk})" if run.name else str(run.pk)


def owned_runs(user: Any) -> Any:
    """Returns the runs that may be seen, with their revisions' names.

    Args:
        user: who asks.
    """
    return Run.objects.of(workspace_of(user)).select_related("revision").defer("config", "edits", "question")


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


def run_answer(request: Request, made: Response) -> Response:
    """Returns the answer for a run that was just started, once it is over where the request waits for that.

    Args:
        request: with `Prefer: wait=…`, if it wants to wait.
        made: the answer as the run began.
    """
    run_id = made.data["id"]
    seconds = wait_until(request, lambda: not Run.objects.filter(id=run_id, status__in=OPEN).exists())
    if seconds and (run := owned_runs(request.user).filter(id=run_id).first()):
        made.data = RunSerializer(run).data
    return note_waited(made, seconds)


@extend_schema(tags=["runs"])
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
        summary="List runs",
        parameters=[
            OpenApiParameter("cluster", str),
            OpenApiParameter("status", str, enum=RunStatus.values),
        ],
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Lists the runs."""
        return super().list(request, *args, **kwargs)

    @extend_schema(summary="Read a run", parameters=[PREFER], responses={200: RunReadSerializer})
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Answers how far a run is, and all it was asked."""
        rows = self.get_queryset().defer(None)
        run = get_object_or_404(rows, id=kwargs["pk"])
        seconds = 0
        if not run.is_over:
            seconds = wait_until(request, lambda: not Run.objects.filter(id=run.id, status__in=OPEN).exists())
            run = get_object_or_404(rows, id=run.id) if seconds else run
        return note_waited(Response(RunReadSerializer(run, context={"request": request}).data), seconds)

    @extend_schema(
        summary="Start a run",
        parameters=[PREFER, IDEMPOTENCY_KEY],
        request=NewRunSerializer,
        responses={
            201: RunSerializer,
            404: OpenApiResponse(description="There is no such cluster, revision, profile or scenario."),
        },
    )
    def create(self, request: Request) -> Response:
        """Freezes a revision, a profile, edits, a question and options as a run, and starts it."""
        return run_answer(request, self._make(request))

    @idempotent
    def _make(self, request: Request) -> Response:
        asked = NewRunSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        cluster = owned(owned_clusters(request.user), "cluster", wanted["cluster"])
        workspace = workspace_of(request.user)
        profile = owned(Profile.objects.of(workspace), "profile", wanted["profile"])
        scenario = owned(Scenario.objects.of(workspace), "scenario", wanted["scenario"])
        check_scenario(wanted["edits"], wanted["question"], wanted["options"])
        run = start_run(
            cluster,
            revision=named_revision(cluster, wanted.get("revision", "")),
            profile=profile,
            scenario=scenario,
            **{name: wanted[name] for name in ("edits", "question", "options", "name")},
        )
        headers = {"Location": f"/api/v1/runs/{run.id}"}
        return Response(RunSerializer(run).data, status=201, headers=headers)

    @extend_schema(
        summary="Rename, annotate or keep a run", request=RunChangeSerializer, responses={200: RunSerializer}
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Changes the name, the note, and whether the run is kept; everything else of a run is frozen."""
        run = self.get_object()
        asked = RunChangeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        for field, value in asked.validated_data.items():
            setattr(run, field, value)
        run.save(update_fields=list(asked.validated_data))
        return Response(RunSerializer(run).data)

    @extend_schema(
        summary="Delete a run",
        responses={
            204: OpenApiResponse(description="Gone; if it was running, it stops."),
            409: OpenApiResponse(description="Other runs were forked from it, or it is kept."),
        },
    )
    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Deletes the run and its trace. A run that others were forked from stays until they are gone, a kept one
        until it is let go.
        """
        run = self.get_object()
        if run.kept:
            raise ConflictError("This run is kept. Let it go first, then delete it.")
        try:
            run.delete()
        except RestrictedError as error:
            forks = ", ".join(sorted(map(_called, error.restricted_objects))[:MAX_NAMED])
            raise ConflictError(
                f"Other runs were forked from this one: {forks}. Delete them first."
            ) from error
        return Response(status=204)

    @extend_schema(
        summary="Go on with a run that was cancelled or interrupted",
        request=None,
        responses={
            202: RunSerializer,
            409: OpenApiResponse(description="It has ended by itself, failed, or is still going."),
        },
    )
    @action(detail=True, methods=["post"], url_path="continue")
    def go_on(self, request: Request, pk: str) -> Response:
        """Has the rest computed. Runs are deterministic: a worker computes what is stored again, compares it, and
        adds what follows; where it comes out differently, the run is computed anew.
        """
        run = self.get_object()
        if not go_on(run):
            raise ConflictError(f"This run is {run.status}: only a cancelled or interrupted one can go on.")
        transaction.on_commit(partial(dispatch_run, run.id))
        return Response(self.get_serializer(run).data, status=202)

    @extend_schema(summary="Cancel a run", request=None, responses={200: RunSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Asks the run to stop; what has arrived stays. A run that is over stays as it is."""
        run = self.get_object()
        if not run.is_over:
            request_cancel(run)
        return Response(self.get_serializer(run).data)
