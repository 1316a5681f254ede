"""Forks: another future from any cycle or time of a run."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.asked import check_scenario
from playground.api.errors import ConflictError, UnprocessableError
from playground.api.fields import KnownFields, NameText
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.pagination import MAX_NUMBER
from playground.api.run_fields import RunSerializer
from playground.api.run_start import start_fork
from playground.api.runs import run_answer
from playground.api.scenarios import EditsField
from playground.api.waiting import PREFER
from playground.models import Run, RunStatus, workspace_of
from playground.runs.fork import shared_part

MAX_CYCLE = 2**31 - 1
FORKABLE = (RunStatus.RUNNING, RunStatus.FINISHED, RunStatus.CANCELLED, RunStatus.INTERRUPTED)


class NewForkSerializer(KnownFields):
    """Where another future begins, and what happens in it."""

    cycle = serializers.IntegerField(
        min_value=1, max_value=MAX_CYCLE, required=False, help_text="just before this cycle"
    )
    t_us = serializers.IntegerField(
        min_value=0, max_value=MAX_NUMBER, required=False, help_text="or at this virtual time"
    )
    edits = EditsField(required=False, default=list)
    name = NameText(required=False, default="")


class RunFork(APIView):
    """Another future of a run."""

    @extend_schema(
        operation_id="run_fork",
        summary="Fork a run",
        tags=["runs"],
        parameters=[PREFER, IDEMPOTENCY_KEY],
        request=NewForkSerializer,
        responses={
            201: RunSerializer,
            409: OpenApiResponse(description="The run has not come so far, or has failed."),
        },
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Starts a run that is the same up to a cycle or a time and has more edits from there on.

        Without an edit it becomes the same run again, byte for byte. An edit without a time takes place at once.
        """
        return run_answer(request, self._make(request, run_id))

    @idempotent
    def _make(self, request: Request, run_id: str) -> Response:
        asked = NewForkSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        parent: Run = get_object_or_404(Run.objects.of(workspace_of(request.user)), id=run_id)
        cycle, t_us = wanted.get("cycle"), wanted.get("t_us")
        if (cycle is None) == (t_us is None):
            raise UnprocessableError("A fork begins at a `cycle` or at a `t_us`: give one of them.")
        check_scenario(wanted["edits"], None, {})
        _check_reached(parent, cycle, t_us)
        fork = shared_part(parent, cycle=cycle, t_us=t_us)
        if fork is None:
            raise NotFound(f"This run has no cycle {cycle}.")
        edits = [_placed(edit, cycle, fork) for edit in wanted["edits"]]
        run = start_fork(parent, fork, edits, wanted["name"])
        headers = {"Location": f"/api/v1/runs/{run.id}"}
        return Response(RunSerializer(run).data, status=201, headers=headers)


def _placed(edit: dict[str, Any], cycle: int | None, fork: dict[str, Any]) -> dict[str, Any]:
    """Returns an edit with a time: where the fork begins, unless it says when."""
    if "at" in edit or "cycle" in edit:
        return edit
    return {**edit, "cycle": cycle} if cycle is not None else {**edit, "at": f"{fork['t_us']}us"}


def _check_reached(parent: Run, cycle: int | None, t_us: int | None) -> None:
    """Refuses to fork what is not there (yet)."""
    if parent.status not in FORKABLE:
        raise ConflictError(f"The run is {parent.status}; there is nothing to share yet.")
    if parent.status == RunStatus.FINISHED:
        return
    progress = parent.progress.get("t_us", 0)
    if t_us is not None and t_us > progress:
        raise ConflictError(f"The run has come to {progress} µs so far, not to {t_us}.")
    if cycle is not None and not parent.cycles.filter(cycle__gte=cycle).exists():
        raise ConflictError(f"The run has not come to cycle {cycle} (yet).")
