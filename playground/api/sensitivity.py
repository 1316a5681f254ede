"""Who would have won a cycle under other weights."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from playground.api.errors import BadParameterError
from playground.api.trace import detail_or_wait, raw_json, run_of
from scheduler_core.trace import decode_detail, sensitivity

PAIRS = r"^([A-Za-z0-9_.-]+:-?[0-9]{1,10}(,[A-Za-z0-9_.-]+:-?[0-9]{1,10})*)?$"
WEIGHTS = OpenApiParameter(
    "weights",
    str,
    pattern=PAIRS,
    description="weights that are not as in the run: `ImageLocality:7,NodeAffinity:3`",
)
MAX_WEIGHT = 2**31 - 1


class WinSerializer(serializers.Serializer[Any]):
    """Between two weights these nodes lead."""

    from_weight = serializers.FloatField()
    to_weight = serializers.FloatField()
    nodes = serializers.ListField(child=serializers.CharField(), help_text="the first of num_nodes")
    num_nodes = serializers.IntegerField()


class PluginSensitivitySerializer(serializers.Serializer[Any]):
    """All winners over the weights 0 to 100 of one plugin."""

    plugin = serializers.CharField()
    weight = serializers.IntegerField(help_text="as it was")
    wins = WinSerializer(many=True)
    text = serializers.CharField()


class SensitivitySerializer(serializers.Serializer[Any]):
    """One entry a plugin that scored; none where a single node was feasible."""

    plugins = PluginSensitivitySerializer(many=True)


class SensitivityRead(APIView):
    """The flip points of one cycle."""

    @extend_schema(
        operation_id="run_cycle_sensitivity",
        summary="Say at which weights another node wins",
        parameters=[WEIGHTS],
        responses={200: SensitivitySerializer},
    )
    def get(self, request: Request, run_id: str, cycle: int) -> HttpResponse:
        """Answers for each plugin which nodes win at which weight; 202 while a replay computes the cycle again."""
        weights = weights_of(request)
        found = detail_or_wait(run_of(request, run_id), cycle)
        if isinstance(found, HttpResponse):
            return found
        detail = decode_detail(found)
        answers = [sensitivity(detail, plugin, weights) for plugin in detail.normalized]
        return raw_json(msgspec.json.encode({"plugins": answers}))


def weights_of(request: Request) -> dict[str, int]:
    """Returns the weights that are asked for, by plugin.

    Args:
        request: its `weights`.

    Raises:
        BadParameterError: it is no list of plugins with weights.
    """
    text = request.query_params.get("weights", "")
    if not re.fullmatch(PAIRS, text, re.ASCII):
        raise BadParameterError("weights must be plugins with weights, as `ImageLocality:7,NodeAffinity:3`.")
    pairs = [part.partition(":") for part in text.split(",") if part]
    return {name: max(-MAX_WEIGHT, min(int(weight), MAX_WEIGHT)) for name, _colon, weight in pairs}
