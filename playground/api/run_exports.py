"""A run in formats that other tools read."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.streaming import answer_with
from playground.api.trace import run_of
from playground.runs import story
from playground.runs.chrome_trace import chrome_trace

JSON_LINES = "application/jsonl"


class JSONLinesRenderer(JSONRenderer):
    """Lets JSON lines be asked for by Accept; they are stored as such."""

    media_type = JSON_LINES
    format = "jsonl"


class EventsExport(APIView):
    """All events in one file."""

    renderer_classes = [JSONRenderer, JSONLinesRenderer]

    @extend_schema(
        operation_id="run_export",
        summary="Export all events as JSON lines",
        tags=["traces"],
        responses={(200, JSON_LINES): OpenApiTypes.STR},
    )
    def get(self, request: Request, run_id: str) -> HttpResponseBase:
        """Answers every event as the engine wrote it, one a line: what `playground run --trace` writes."""
        run = run_of(request, run_id)
        lines = (line + b"\n" for line in story.event_lines(run.id))
        headers = {"Content-Disposition": f'attachment; filename="run-{run.id}.jsonl"'}
        return answer_with(request, lines, run.last_seq, JSON_LINES, headers)


class ChromeTraceRead(APIView):
    """The run for Perfetto and chrome://tracing."""

    @extend_schema(
        operation_id="run_chrome_trace",
        summary="Export as a trace for Perfetto",
        tags=["traces"],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, run_id: str) -> HttpResponseBase:
        """Answers trace event JSON: cycles, every pod's way through the queues, queue depths."""
        run = run_of(request, run_id)
        pieces = chrome_trace(story.event_lines(run.id))
        headers = {"Content-Disposition": f'attachment; filename="run-{run.id}.trace.json"'}
        return answer_with(request, pieces, run.last_seq, "application/json", headers)
