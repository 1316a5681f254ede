"""A cluster's objects of all kinds: found a page at a time, and created."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.cluster_objects import CHANGED, KIND, REVISION_HEADER
from playground.api.clusters import owned_clusters
from playground.api.errors import ConflictError, UnprocessableError
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.label_selector import parse_label_selector
from playground.api.objects import LIMIT, REVISION, revision_of
from playground.api.pagination import int_parameter
from playground.api.parsers import MANIFEST_TYPES, RAW_PARSERS, body_of
from playground.api.preconditions import etag_of
from playground.clusters.editing import ObjectExists, Put, revise
from playground.models import ClusterRevision, Node, Pod, Resource
from scheduler_core.api import object_key

BATCH_ROWS = 500


class ObjectSerializer(serializers.Serializer[Any]):
    """An object with what names it and what it is like now."""

    key = serializers.CharField(help_text="Kind/namespace/name, or Kind/name")
    kind = serializers.CharField()
    namespace = serializers.CharField()
    name = serializers.CharField()
    etag = serializers.CharField(help_text="for If-Match")
    object = serializers.DictField()


class ObjectPageSerializer(serializers.Serializer[Any]):
    """A page of objects."""

    revision = serializers.CharField()
    results = ObjectSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="address of the next page")


class CreatedSerializer(serializers.Serializer[Any]):
    """What was created."""

    revision = serializers.CharField(help_text="the new revision")


class ObjectsView(APIView):
    """All objects of a cluster."""

    parser_classes = RAW_PARSERS

    @extend_schema(
        operation_id="cluster_objects",
        summary="Find objects",
        tags=["objects"],
        parameters=[
            REVISION,
            OpenApiParameter("kind", KIND),
            OpenApiParameter("namespace", str),
            OpenApiParameter("q", str, description="part of the name"),
            OpenApiParameter("labelSelector", str, description="as `kubectl get -l` takes it"),
            LIMIT,
            OpenApiParameter("cursor", str, description="from `next`"),
        ],
        responses={
            200: ObjectPageSerializer,
            422: OpenApiResponse(description="The cursor is not from this list, or the selector is none."),
        },
    )
    def get(self, request: Request, cluster_id: str) -> Response:
        """Lists whole objects of any kind in the order of the input, a page at a time."""
        revision = revision_of(request, cluster_id)
        limit = int_parameter(request, "limit", 100, low=1, high=1000)
        selector = parse_label_selector(request.query_params.get("labelSelector", ""))
        found: list[dict[str, Any]] = []
        after, last, has_more = cursor_of(request, revision), -1, False
        for position, shown in objects_after(revision, after, filters_of(request)):
            labels = shown["object"].get("metadata", {}).get("labels") or {}
            if not all(each.matches(labels) for each in selector):
                continue
            if len(found) == limit:
                has_more = True
                break
            found.append(shown)
            last = position
        query = request.query_params.copy()
        query["revision"] = revision.name
        query["cursor"] = base64.urlsafe_b64encode(f"{revision.name}.{last}".encode()).decode().rstrip("=")
        address = f"{request.build_absolute_uri(request.path)}?{query.urlencode()}"
        return Response({"revision": revision.name, "results": found, "next": address if has_more else None})

    @extend_schema(
        operation_id="create_objects",
        summary="Create objects",
        tags=["objects"],
        parameters=[IDEMPOTENCY_KEY],
        request=dict.fromkeys(MANIFEST_TYPES[:3], OpenApiTypes.OBJECT),
        responses={201: CreatedSerializer, **CHANGED},
    )
    @idempotent
    def post(self, request: Request, cluster_id: str) -> Response:
        """Takes one object or several (YAML documents, a List), all or none of them."""
        cluster = get_object_or_404(owned_clusters(request.user), id=cluster_id)
        try:
            revision = revise(cluster, [Put(text=body_of(request), mode="create")])
        except ObjectExists as error:
            raise ConflictError(f"{error} exists already; PUT replaces it.") from error
        return Response({"revision": revision.name}, status=201, headers={REVISION_HEADER: revision.name})


def filters_of(request: Request) -> dict[str, str]:
    """Returns what the address asks for, by column.

    Args:
        request: of a list.
    """
    columns = {"kind": "kind", "namespace": "namespace", "q": "name__icontains"}
    return {column: value for name, column in columns.items() if (value := request.query_params.get(name))}


def objects_after(
    revision: ClusterRevision, after: int, filters: dict[str, str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields (position, object as lists show it) of all kinds in the order of the input.

    Args:
        revision: where to look.
        after: the last position known.
        filters: by column.
    """
    while True:
        batch = sorted(_batch(revision, after, filters))[:BATCH_ROWS]
        for position, kind, namespace, name, text in batch:
            yield (
                position,
                {
                    "key": object_key(kind, namespace, name),
                    "kind": kind,
                    "namespace": namespace,
                    "name": name,
                    "etag": etag_of(text),
                    "object": msgspec.json.decode(text),
                },
            )
        if len(batch) < BATCH_ROWS:
            return
        after = batch[-1][0]


def _batch(
    revision: ClusterRevision, after: int, filters: dict[str, str]
) -> Iterator[tuple[int, str, str, str, str]]:
    kind = filters.get("kind")
    rest = {column: value for column, value in filters.items() if column != "kind"}
    models: list[Any] = [model for model in (Node, Pod) if kind in (None, model.__name__)]
    if kind is None or not models:
        models.append(Resource)
    for model in models:
        if model is Node and "namespace" in rest:
            continue
        wanted = rest | ({"kind": kind} if model is Resource and kind else {})
        rows = model.objects.filter(revision=revision, position__gt=after, **wanted).order_by("position")
        columns = [name for name in ("kind", "namespace") if hasattr(model, name)]
        for row in rows.values("position", "name", "object", *columns)[:BATCH_ROWS]:
            named = row.get("kind") or model.__name__
            yield row["position"], named, row.get("namespace", ""), row["name"], row["object"]


def cursor_of(request: Request, revision: ClusterRevision) -> int:
    """Returns the position after which a page begins.

    Args:
        request: of a list.
        revision: the one that is listed.

    Raises:
        UnprocessableError: the cursor is not of this list.
    """
    text = request.query_params.get("cursor", "")
    if not text:
        return -1
    try:
        name, _, position = (
            base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_").decode().partition(".")
        )
    except (binascii.Error, ValueError):
        name, position = "", ""
    if name != revision.name or not re.fullmatch(r"[0-9]{1,9}", position):
        raise UnprocessableError("cursor is not from this list; take it from `next`.")
    return int(position)
