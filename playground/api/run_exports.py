"""A run in formats that other tools read."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.streaming import answer_with
from playground.api.trace import run_of
from playground.runs import story
from playground.runs.chrome_trace import chrome_trace


class ChromeTraceRead(APIView):
    """The run for Perfetto and chrome://tracing."""

    @extend_schema(operation_id="run_chrome_trace", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request, run_id: str) -> HttpResponseBase:
        """Answers trace event JSON: cycles, every pod's way through the queues, queue depths."""
        run = run_of(request, run_id)
        pieces = chrome_trace(story.event_lines(run.id))
        headers = {"Content-Disposition": f'attachment; filename="run-{run.id}.trace.json"'}
        return answer_with(request, pieces, run.last_seq, "application/json", headers)
