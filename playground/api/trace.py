"""What a run gave: events, cycles, their details, placements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.errors import ConflictError
from playground.api.pagination import choice_parameter, int_parameter, number
from playground.api.waiting import PREFER, note_waited, wait_until
from playground.models import DetailStatus, Run, workspace_of
from playground.runs import detail, story
from playground.tasks import dispatch_replay

MAX_EVENTS = 20_000
MAX_CYCLES = 5000
MAX_EVENT_BYTES = 8 << 20
RESULTS = ["scheduled", "unschedulable", "error"]
RETRY_SECONDS = "1"
AFTER = number("after", "the last sequence number known")


class CycleSerializer(serializers.Serializer[Any]):
    """A cycle in one line."""

    cycle = serializers.IntegerField()
    pod = serializers.CharField()
    attempt = serializers.IntegerField()
    result = serializers.ChoiceField(RESULTS)
    node = serializers.CharField(allow_null=True)
    num_feasible = serializers.IntegerField()
    num_evaluated = serializers.IntegerField()
    t_us = serializers.IntegerField()


class CyclesSerializer(serializers.Serializer[Any]):
    """A page of cycles."""

    cycles = CycleSerializer(many=True)
    next_after = serializers.IntegerField(allow_null=True)


class EventsSerializer(serializers.Serializer[Any]):
    """A page of events; docs/trace-events.md describes them."""

    events = serializers.ListField(child=serializers.DictField())
    last_seq = serializers.IntegerField(help_text="of the run so far; the page ends at its last event")
    status = serializers.CharField()


class PendingSerializer(serializers.Serializer[Any]):
    """A pod without a node at the end."""

    pod = serializers.CharField()
    message = serializers.CharField()
    queue = serializers.CharField()
    plugins = serializers.ListField(child=serializers.CharField())


class PlacementsSerializer(serializers.Serializer[Any]):
    """Where every pod ended."""

    placements = serializers.DictField(child=serializers.CharField())
    pending = PendingSerializer(many=True)
    ending = serializers.DictField(
        help_text="`question` that was asked, `moves` of the pods it was about, objects and edits that were `refused`, "
        "and why the run was `stopped`, if it was"
    )


def run_of(request: Request, run_id: str) -> Run:
    """Returns a run that may be seen.

    Args:
        request: whose user asks.
        run_id: from the address.
    """
    return get_object_or_404(
        Run.objects.of(workspace_of(request.user)).defer("config", "edits", "question"), id=run_id
    )


def raw_json(body: bytes) -> HttpResponse:
    """Returns bytes that are JSON already.

    Args:
        body: the answer.
    """
    return HttpResponse(body, content_type="application/json")


class EventList(APIView):
    """Events, exactly as the engine encoded them."""

    @extend_schema(
        operation_id="run_events",
        summary="List events",
        tags=["traces"],
        parameters=[AFTER, number("limit", "how many at most", low=1, high=MAX_EVENTS)],
        responses={200: EventsSerializer},
    )
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Lists the events after a sequence number."""
        after = int_parameter(request, "after", 0)
        limit = int_parameter(request, "limit", 5000, low=1, high=MAX_EVENTS)
        run = run_of(request, run_id)
        page = story.events_after(run.id, after, max_events=limit, max_bytes=MAX_EVENT_BYTES)
        events = b",".join(page.lines)
        tail = f'],"last_seq":{run.last_seq},"status":"{run.status}"}}'.encode()
        return raw_json(b'{"events":[' + events + tail)


class CycleList(APIView):
    """Cycles, one line each."""

    @extend_schema(
        operation_id="run_cycles",
        summary="List cycles",
        tags=["traces"],
        parameters=[
            number("after", "the last cycle known", high=2**31 - 1),
            number("limit", "how many at most", low=1, high=MAX_CYCLES),
            OpenApiParameter("pod", str, description="only this pod's, as namespace/name"),
            OpenApiParameter("result", str, enum=RESULTS),
        ],
        responses={200: CyclesSerializer},
    )
    def get(self, request: Request, run_id: str) -> Response:
        """Lists the cycles after one."""
        after = int_parameter(request, "after", 0, high=2**31 - 1)
        limit = int_parameter(request, "limit", 500, low=1, high=MAX_CYCLES)
        filters = {
            "pod": request.query_params.get("pod", ""),
            "result": choice_parameter(request, "result", RESULTS),
        }
        rows = story.cycles_after(run_of(request, run_id).id, after, limit, **filters)
        return Response({"cycles": rows, "next_after": rows[-1]["cycle"] if len(rows) == limit else None})


def detail_or_wait(run: Run, cycle: int) -> bytes | Response:
    """Returns a cycle's detail as it is stored, or the answer that says to ask again.

    Args:
        run: the run.
        cycle: counts from 1.

    Raises:
        NotFound: the run has no such cycle.
        ConflictError: a replay did not come to it, or disagrees.
    """
    found = details_or_wait(run, [cycle])
    return found if isinstance(found, Response) else found[0]


def details_or_wait(run: Run, cycles: Sequence[int]) -> list[bytes] | Response:
    """Returns the details of cycles as they are stored, or the answer that says to ask again.

    Args:
        run: the run.
        cycles: count from 1; one replay computes all that are missing.

    Raises:
        NotFound: the run has no such cycle.
        ConflictError: a replay did not come to one, or disagrees.
    """
    found: list[bytes] = []
    missing: list[int] = []
    status = ""
    for cycle in cycles:
        answer = detail.look_up(run, cycle) if cycle < 2**31 else None
        if answer is None:
            raise NotFound(f"This run has no cycle {cycle} (yet).")
        if answer.status == DetailStatus.FAILED:
            raise ConflictError(answer.message)
        if answer.needs_replay:
            missing.append(cycle)
        if answer.payload is not None:
            found.append(answer.payload)
        else:
            status = answer.status
    if missing:
        dispatch_replay(run.id, missing)
    if not status:
        return found
    return Response({"status": status}, status=202, headers={"Retry-After": RETRY_SECONDS})


class CycleRead(APIView):
    """One cycle's verdicts and scores."""

    @extend_schema(
        operation_id="run_cycle",
        summary="Read a cycle's verdicts and scores",
        tags=["traces"],
        parameters=[PREFER],
        responses={
            200: OpenApiTypes.OBJECT,
            202: OpenApiTypes.OBJECT,
        },
    )
    def get(self, request: Request, run_id: str, cycle: int) -> HttpResponse:
        """Answers the detail; 202 while a replay computes it again, 409 where the replay disagrees."""
        run = run_of(request, run_id)
        found = detail_or_wait(run, cycle)
        if isinstance(found, bytes):
            return raw_json(found)
        seconds = wait_until(request, lambda: detail.is_decided(run, cycle))
        if seconds:
            run.refresh_from_db(fields=["status"])
            found = detail_or_wait(run, cycle)
        return note_waited(raw_json(found) if isinstance(found, bytes) else found, seconds)


class PlacementRead(APIView):
    """Where the pods ended."""

    @extend_schema(
        operation_id="run_placements",
        summary="Read where the pods ended",
        tags=["traces"],
        responses={200: PlacementsSerializer},
    )
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Answers placements and the pods that wait, with the scheduler's message; empty before the end."""
        outcome = story.outcome_of(run_of(request, run_id).id)
        if outcome is None:
            return raw_json(b'{"placements":{},"pending":[],"ending":{}}')
        parts = (outcome.placements, outcome.pending, outcome.ending)
        return raw_json(b'{"placements":%b,"pending":%b,"ending":%b}' % parts)
