"""The cluster as a run left it, as manifests."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.errors import ConflictError
from playground.api.jobs import JobSerializer, answer_of, start_job
from playground.api.pagination import choice_parameter
from playground.api.revisions import MEDIA_TYPES, YAMLRenderer, exported
from playground.api.trace import run_of
from playground.api.waiting import PREFER
from playground.jobs.end_state import KIND, question_of
from playground.models import Job, Run, RunOutcome, RunStatus, WorkStatus


class EndState(APIView):
    """All objects at the end of a run."""

    renderer_classes = [JSONRenderer, YAMLRenderer]

    @extend_schema(
        operation_id="run_end_state",
        summary="Export the end of a run as manifests",
        tags=["runs"],
        parameters=[
            OpenApiParameter(
                "format", str, enum=list(MEDIA_TYPES), description="else what Accept says, else JSON"
            ),
            PREFER,
        ],
        responses={
            **{(200, media): OpenApiTypes.OBJECT for media in MEDIA_TYPES.values()},
            (202, "application/json"): JobSerializer,
        },
    )
    def get(self, request: Request, run_id: str) -> HttpResponseBase:
        """Answers one List that `kubectl apply` and the import read back: what was imported, as the run left it.

        The first time the run is computed again for it: 202 with the job, or `Prefer: wait=30`.
        """
        wanted = choice_parameter(request, "format", list(MEDIA_TYPES))
        format_ = wanted or ("yaml" if request.accepted_renderer.format == "yaml" else "json")
        run = run_of(request, run_id)
        if run.status != RunStatus.FINISHED:
            raise ConflictError(f"The run is {run.status}; only one that has finished has an end.")

        def finished(_job: Job) -> Any:
            return file_of(request, run, format_)

        return file_of(request, run, format_) or answer_of(request, job_for(run), finished)


def file_of(request: Request | HttpRequest, run: Run, format_: str) -> HttpResponseBase | None:
    """Returns the end of a run as a file of manifests, None where it is not computed yet.

    Args:
        request: the request.
        run: finished.
        format_: json or yaml.
    """
    lines = RunOutcome.objects.filter(run=run).values_list("end_state", flat=True).first()
    if lines is None:
        return None
    objects = map(msgspec.json.decode, lines.splitlines())
    return exported(request, run.revision, objects, format_, f"run-{run.id}-end")


def job_for(run: Run) -> Job:
    """Returns the job that computes the end of a run; one that is on its way already serves all.

    Args:
        run: finished.
    """
    question = question_of(run)
    waiting = Job.objects.filter(
        workspace_id=run.workspace_id, kind=KIND, status__in=(WorkStatus.PENDING, WorkStatus.RUNNING)
    )
    found = next((job for job in waiting if job.question == question), None)
    return found or start_job(run.workspace_id, KIND, question)
