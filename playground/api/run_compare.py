"""Two runs compared: where pods went, who had to go, who waited, and what tipped it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.errors import BadParameterError, ConflictError
from playground.api.jobs import JobSerializer, answer_of, start_job
from playground.api.pagination import bool_parameter
from playground.api.runs import owned
from playground.api.schema import ID_SCHEMA
from playground.api.trace import run_of
from playground.api.waiting import PREFER
from playground.jobs.compare import KIND, question_of
from playground.models import Run, workspace_of
from playground.runs.compare import compared

MAX_EVENTS_HERE = 50_000


class ComparisonSerializer(serializers.Serializer[Any]):
    """What differs between two runs; long lists are cut, the counts are of all."""

    before = serializers.CharField()
    after = serializers.CharField()
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="what to know first, as that one is still going"
    )
    same = serializers.BooleanField(help_text="byte for byte")
    text = serializers.CharField(help_text="the verdict: 2 newly pending, 1 rescued, 14 moved")
    kinds = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="how many pods are newly pending, rescued, moved, new, gone",
    )
    until_us = serializers.IntegerField(
        allow_null=True, help_text="compared up to this virtual time; null: to both ends"
    )
    num_cycles_before = serializers.IntegerField()
    num_cycles_after = serializers.IntegerField()
    sentences = serializers.ListField(child=serializers.CharField(), help_text="the same for people")
    num_placements = serializers.IntegerField()
    placements = serializers.ListField(
        child=serializers.DictField(), help_text="pods that ended elsewhere: `pod`, `before`, `after`, `kind`"
    )
    num_victims = serializers.IntegerField()
    victims = serializers.ListField(
        child=serializers.DictField(), help_text="pods that were preempted in one run alone"
    )
    num_waits = serializers.IntegerField()
    waits = serializers.ListField(
        child=serializers.DictField(), help_text="pods that waited longer or shorter"
    )
    waits_before = serializers.DictField()
    waits_after = serializers.DictField()
    first_difference = serializers.DictField(allow_null=True, help_text="the first event that is another one")
    first_diverging_cycle = serializers.DictField(
        allow_null=True, help_text="the first attempt that went otherwise, `tipped_by` and its numbers"
    )


class RunCompare(APIView):
    """One run beside another."""

    @extend_schema(
        operation_id="run_compare",
        summary="Compare with another run",
        tags=["runs"],
        parameters=[
            OpenApiParameter("with", ID_SCHEMA, required=True, description="the run after the change"),
            OpenApiParameter(
                "so_far", bool, description="compare runs that are still going as far as they have come"
            ),
            PREFER,
        ],
        responses={
            200: ComparisonSerializer,
            202: JobSerializer,
            409: OpenApiResponse(description="One of them is not over, and not `so_far`."),
        },
    )
    def get(self, request: Request, run_id: str) -> Response:
        """Answers what is different in the other run; of long runs by a job (202), or with `Prefer: wait=30`."""
        other = request.query_params.get("with", "")
        if not other:
            raise BadParameterError("with must name the other run.")
        before = run_of(request, run_id)
        after: Run = owned(Run.objects.of(workspace_of(request.user)), "run", other)
        so_far = bool_parameter(request, "so_far")
        for run in (before, after):
            if not run.is_over and not so_far:
                raise ConflictError(f"Run {run.id} is {run.status}; compare it when it is over.")
        if before.last_seq + after.last_seq <= MAX_EVENTS_HERE:
            return Response(compared(before, after))
        job = start_job(before.workspace_id, KIND, question_of(before, after))
        return answer_of(request, job, lambda done: Response(done.result))
