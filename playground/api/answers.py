"""Why not this node: sentences about one node of a run, made by the core."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.pagination import int_parameter, number
from playground.api.trace import detail_or_wait, details_or_wait, raw_json, run_of
from playground.runs import story
from scheduler_core.trace import decode_detail, explain_node

VERDICTS = ["chosen", "fits", "refused", "refused_for_good", "not_looked_at", "unknown"]
REFUSED = ("refused", "refused_for_good")
LAST = 2**31 - 1
PAGE, MAX_PAGE = 20, 50


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
    """Whom a node refused: a page of cycles, the latest first."""

    answers = NodeAnswerSerializer(many=True)
    num_cycles = serializers.IntegerField(
        help_text="cycles with a refusal by any node that this page is about"
    )
    next_until = serializers.IntegerField(
        allow_null=True, help_text="`until` of the next page, with earlier cycles"
    )


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
        parameters=[
            number("until", "the last cycle that counts", high=LAST),
            number("limit", "how many cycles at most", low=1, high=MAX_PAGE),
        ],
        responses={200: NodeStorySerializer, 202: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, run_id: str, node: str) -> HttpResponse:
        """Answers who was refused by a node and why, cycle by cycle, the latest first; 202 while a replay computes
        cycles again.
        """
        until = int_parameter(request, "until", LAST, high=LAST)
        limit = int_parameter(request, "limit", PAGE, low=1, high=MAX_PAGE)
        run = run_of(request, run_id)
        cycles, next_until = story.refusing_cycles(run.id, until, limit)
        details = details_or_wait(run, cycles)
        if isinstance(details, HttpResponse):
            return details
        answers = (explain_node(decode_detail(each), node) for each in details)
        refused = [answer for answer in answers if answer.verdict in REFUSED]
        page = {"answers": refused, "num_cycles": len(cycles), "next_until": next_until}
        return raw_json(msgspec.json.encode(page))
