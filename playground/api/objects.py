"""A revision's nodes, pods and other resources, a page at a time."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
from django.db.models import TextField
from django.db.models.functions import Cast
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView, get_object_or_404
from rest_framework.request import Request

from playground.api.clusters import owned_clusters
from playground.api.errors import BadParameterError
from playground.api.pagination import ObjectPages, bool_parameter, number
from playground.api.trace import raw_json
from playground.models import Cluster, ClusterRevision, Node, Pod, Resource

REVISION_DIGITS = 64


class AmountsField(serializers.DictField):
    """Amount by resource: cpu in milli, all else in whole units."""

    child = serializers.IntegerField()


class TaintSerializer(serializers.Serializer[Any]):
    """A taint."""

    key = serializers.CharField()
    value = serializers.CharField()
    effect = serializers.CharField()


class NodeSerializer(serializers.Serializer[Any]):
    """A node as lists and maps show it."""

    name = serializers.CharField()
    zone = serializers.CharField()
    labels = serializers.DictField(child=serializers.CharField())
    taints = TaintSerializer(many=True)
    unschedulable = serializers.BooleanField()
    ready = serializers.BooleanField(allow_null=True)
    allocatable = AmountsField()
    requested = AmountsField()
    num_pods = serializers.IntegerField()
    images = serializers.IntegerField()
    creation = serializers.IntegerField(allow_null=True, help_text="microseconds since 1970")
    object = serializers.DictField(required=False, help_text="with full=1")


class PodSerializer(serializers.Serializer[Any]):
    """A pod as lists and maps show it."""

    namespace = serializers.CharField()
    name = serializers.CharField()
    node = serializers.CharField(allow_null=True)
    nominated_node = serializers.CharField(allow_null=True)
    phase = serializers.CharField()
    priority = serializers.IntegerField(allow_null=True)
    priority_class = serializers.CharField()
    requests = AmountsField()
    labels = serializers.DictField(child=serializers.CharField())
    owner = serializers.CharField()
    creation = serializers.IntegerField(allow_null=True, help_text="microseconds since 1970")
    scheduling_gates = serializers.IntegerField()
    scheduler_name = serializers.CharField()
    object = serializers.DictField(required=False, help_text="with full=1")


class ResourceSerializer(serializers.Serializer[Any]):
    """An object of another kind."""

    kind = serializers.CharField()
    api_version = serializers.CharField()
    namespace = serializers.CharField()
    name = serializers.CharField()
    object = serializers.DictField(required=False, help_text="with full=1")


HEX = {"type": "string", "pattern": f"^[0-9a-f]{{1,{REVISION_DIGITS}}}$"}
REVISION = OpenApiParameter(
    "revision", HEX, description="a revision by the first digits of its name; else the newest"
)
LIMIT = number("limit", "how many at most", low=1, high=1000)
COMMON = [
    OpenApiParameter("full", bool, description="with the whole object"),
    REVISION,
    OpenApiParameter("q", str, description="part of the name"),
]


def revision_of(request: Request, cluster_id: str) -> ClusterRevision:
    """Returns the revision that a request names, else the newest one of the cluster.

    Args:
        request: may have `revision` in its address.
        cluster_id: from the address.
    """
    cluster = get_object_or_404(owned_clusters(request.user), id=cluster_id)
    digits = request.query_params.get("revision")
    if digits is not None and not re.fullmatch(HEX["pattern"], digits):
        raise BadParameterError("revision must be the first digits of a revision's name.")
    return named_revision(cluster, digits or "")


def named_revision(cluster: Cluster, digits: str) -> ClusterRevision:
    """Returns the newest revision whose name begins with these digits.

    Args:
        cluster: with its newest revision.
        digits: of the digest; none: the newest.

    Raises:
        NotFound: there is none.
    """
    newest = cluster.revision
    if newest is not None and newest.digest.startswith(digits):
        return newest
    found = (
        cluster.revisions.filter(digest__startswith=digits[:REVISION_DIGITS]).order_by("-created_at").first()
    )
    if found is None:
        raise NotFound(f"This cluster has no revision {digits[:REVISION_DIGITS]!r}.")
    return found


class ObjectList(GenericAPIView[Any]):
    """What the three lists share."""

    pagination_class = ObjectPages
    filters: dict[str, str] = {"q": "name__icontains"}

    def answer(self, request: Request, rows: Any, fields: tuple[str, ...]) -> HttpResponse:
        """Returns a page: the rows that pass the filters, with the object itself where asked for."""
        for parameter, column in self.filters.items():
            if value := request.query_params.get(parameter):
                rows = rows.filter(**{column: value})
        is_full = bool_parameter(request, "full")
        if fields == ("item",) and not is_full:
            return self._as_stored(rows)
        page = self.paginate_queryset(rows.values(*fields, *(("object",) if is_full else ())))
        return self.get_paginated_response([_shown(row) for row in page or ()])

    def _as_stored(self, rows: Any) -> HttpResponse:
        """Returns a page of items in the text that is stored: thousands are not read to be written again."""
        texts = self.paginate_queryset(rows.values_list(Cast("item", TextField()), flat=True))
        head = json.dumps(self.get_paginated_response([]).data).removesuffix("]}")
        return raw_json(f"{head}{','.join(texts or ())}]}}".encode())


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = row.pop("item", None) or row
    if "object" in row:
        shown["object"] = msgspec.json.decode(row["object"])
    return shown


class NodeList(ObjectList):
    """Nodes in the order of the input."""

    serializer_class = NodeSerializer
    queryset = Node.objects.none()

    @extend_schema(
        operation_id="cluster_nodes",
        summary="List nodes as pages show them",
        tags=["objects"],
        parameters=COMMON,
        responses={200: NodeSerializer(many=True)},
    )
    def get(self, request: Request, cluster_id: str) -> HttpResponse:
        """Lists the nodes with what their pods ask of them."""
        return self.answer(request, revision_of(request, cluster_id).nodes.all(), ("item",))


class PodList(ObjectList):
    """Pods in the order of the input."""

    serializer_class = PodSerializer
    queryset = Pod.objects.none()
    filters = {**ObjectList.filters, "namespace": "namespace", "node": "node_name", "phase": "phase"}

    @extend_schema(
        operation_id="cluster_pods",
        summary="List pods as pages show them",
        tags=["objects"],
        parameters=[
            *COMMON,
            OpenApiParameter("namespace", str),
            OpenApiParameter("node", str),
            OpenApiParameter("phase", str),
            OpenApiParameter("bound", bool, description="only pods with, or without, a node"),
        ],
        responses={200: PodSerializer(many=True)},
    )
    def get(self, request: Request, cluster_id: str) -> HttpResponse:
        """Lists the pods."""
        rows = revision_of(request, cluster_id).pods.all()
        is_bound = bool_parameter(request, "bound")
        if is_bound is not None:
            rows = rows.exclude(node_name="") if is_bound else rows.filter(node_name="")
        return self.answer(request, rows, ("item",))


class ResourceList(ObjectList):
    """Objects of all other kinds, in the order of the input."""

    serializer_class = ResourceSerializer
    queryset = Resource.objects.none()
    filters = {**ObjectList.filters, "kind": "kind", "namespace": "namespace"}

    @extend_schema(
        operation_id="cluster_resources",
        summary="List objects of all other kinds as pages show them",
        tags=["objects"],
        parameters=[*COMMON, OpenApiParameter("kind", str), OpenApiParameter("namespace", str)],
        responses={200: ResourceSerializer(many=True)},
    )
    def get(self, request: Request, cluster_id: str) -> HttpResponse:
        """Lists the objects that are neither nodes nor pods."""
        rows = revision_of(request, cluster_id).resources.all()
        return self.answer(request, rows, ("kind", "api_version", "namespace", "name"))
