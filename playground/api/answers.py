"""Why not this node: sentences about one node of a run, made by the core."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.pagination import int_parameter, number
from playground.api.trace import detail_or_wait, raw_json, run_of
from playground.runs.node_story import node_story
from scheduler_core.trace import decode_detail, explain_node

VERDICTS = ["chosen", "fits", "refused", "refused_for_good", "not_looked_at", "unknown"]
LAST = 2**31 - 1


class RefusalSerializer(serializers.Serializer[Any]):
    """What one plugin has against the node."""

    plugin = serializers.CharField()
    code = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField()


class RemedySerializer(serializers.Serializer[Any]):
    """A change with which the pod would fit."""

    kind = serializers.CharField()
    text = serializers.CharField()
    plugin = serializers.CharField()
    nodes = serializers.ListField(child=serializers.CharField())
    num_nodes = serializers.IntegerField()


class NodeAnswerSerializer(serializers.Serializer[Any]):
    """Why a pod did or did not go to a node."""

    cycle = serializers.IntegerField()
    pod = serializers.CharField()
    node = serializers.CharField()
    verdict = serializers.ChoiceField(VERDICTS)
    text = serializers.CharField()
    refusals = RefusalSerializer(many=True, help_text="of every plugin, first the one that is reported")
    remedies = RemedySerializer(many=True, help_text="one for each refusal; all are needed")
    preemption = serializers.CharField()


class NodeStorySerializer(serializers.Serializer[Any]):
    """What a node had to do with the pods that found no place."""

    answers = NodeAnswerSerializer(many=True)
    num_unread = serializers.IntegerField(help_text="pods whose cycle has to be opened first")


class NodeAnswerRead(APIView):
    """One node in one cycle."""

    @extend_schema(
        operation_id="run_cycle_node",
        summary="Say why a node was chosen, or why not",
        tags=["traces"],
        responses={200: NodeAnswerSerializer},
    )
    def get(self, request: Request, run_id: str, cycle: int, node: str) -> HttpResponse:
        """Answers why the cycle's pod did or did not go to a node; 202 while a replay computes the cycle again."""
        found = detail_or_wait(run_of(request, run_id), cycle)
        if isinstance(found, HttpResponse):
            return found
        return raw_json(msgspec.json.encode(explain_node(decode_detail(found), node)))


class NodeStoryRead(APIView):
    """One node over a run."""

    @extend_schema(
        operation_id="run_node",
        summary="Say whom a node refused",
        tags=["traces"],
        parameters=[number("until", "the last cycle that counts", high=LAST)],
        responses={200: NodeStorySerializer},
    )
    def get(self, request: Request, run_id: str, node: str) -> HttpResponse:
        """Answers who was refused by a node, and why: the last failed cycle of each pod, the latest first."""
        until = int_parameter(request, "until", LAST, high=LAST)
        story = node_story(run_of(request, run_id).id, node, until)
        return raw_json(msgspec.json.encode({"answers": story.answers, "num_unread": story.num_unread}))
