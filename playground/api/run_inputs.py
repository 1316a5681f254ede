"""What a run was made of, as files from which the command line repeats it."""

from __future__ import annotations

import json

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.revisions import YAMLRenderer
from playground.models import Run, workspace_of
from playground.runs.repeat import scenario_of

YAML = YAMLRenderer.media_type


def whole_run(request: Request, run_id: str) -> Run:
    """Returns a run that may be seen, with all that it was asked.

    Args:
        request: whose user asks.
        run_id: from the address.
    """
    return get_object_or_404(Run.objects.of(workspace_of(request.user)), id=run_id)


class RunConfigRead(APIView):
    """The configuration that a run was frozen with."""

    renderer_classes = [JSONRenderer, YAMLRenderer]

    @extend_schema(
        operation_id="run_config",
        summary="Read a run's configuration",
        tags=["runs"],
        responses={
            (200, YAML): OpenApiTypes.STR,
            404: OpenApiResponse(description="There is no such run, or it had no profile."),
        },
    )
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Answers the profile's text as it was copied when the run began."""
        run = whole_run(request, run_id)
        if run.config is None:
            raise NotFound(
                "This run had no profile: it decides as kube-scheduler does without a configuration."
            )
        headers = {"Content-Disposition": f'attachment; filename="config-{run.id}.yaml"'}
        return HttpResponse(run.config, content_type=YAML, headers=headers)


class RunScenarioRead(APIView):
    """The edits and the question that a run was frozen with."""

    @extend_schema(
        operation_id="run_scenario",
        summary="Read a run's edits as a scenario",
        tags=["runs"],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Answers edits and question as one document that `playground run --scenario` reads; a fork's has its
        parent's edits too.
        """
        run = whole_run(request, run_id)
        headers = {"Content-Disposition": f'attachment; filename="scenario-{run.id}.json"'}
        text = json.dumps(scenario_of(run), indent=2, ensure_ascii=False)
        return HttpResponse(text, content_type="application/json", headers=headers)
