"""A pod's story in a run: every event that names it, and its cycles."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.trace import CycleSerializer, raw_json, run_of
from playground.runs import story

MAX_CYCLES = 5000


class PodStorySerializer(serializers.Serializer[Any]):
    """What happened to a pod, in order."""

    pod = serializers.CharField(help_text="namespace/name")
    node = serializers.CharField(allow_null=True, help_text="where it is at the end, if anywhere")
    message = serializers.CharField(help_text="why it has no node at the end, in the scheduler's words")
    cycles = CycleSerializer(many=True)
    events = serializers.ListField(child=serializers.DictField(), help_text="that name it, also as a victim")
    is_cut = serializers.BooleanField(help_text="whether there were more events")


class PodStoryRead(APIView):
    """The story of one pod."""

    @extend_schema(
        operation_id="run_pod",
        summary="Read a pod's story",
        tags=["traces"],
        responses={200: PodStorySerializer},
    )
    def get(self, request: Request, run_id: str, namespace: str, name: str) -> HttpResponse:
        """Answers the pod's way through queues, attempts and nodes, as far as the run has come."""
        run = run_of(request, run_id)
        pod = f"{namespace}/{name}"
        lines, is_cut = story.events_naming(run.id, pod)
        if not lines:
            raise NotFound(f"No event of this run names the pod {pod!r} (yet).")
        placements, pending = story.outcome_as_values(run.id)
        waiting = next((each["message"] for each in pending if each["pod"] == pod), "")
        told = {
            "pod": pod,
            "node": placements.get(pod),
            "message": waiting,
            "cycles": story.cycles_after(run.id, 0, MAX_CYCLES, pod=pod),
            "is_cut": is_cut,
        }
        return raw_json(json.dumps(told)[:-1].encode() + b',"events":[' + b",".join(lines) + b"]}")
