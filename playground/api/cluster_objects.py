"""One object of a cluster: read, replaced, patched, deleted. Each change makes a revision."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.clusters import owned_clusters
from playground.api.errors import ConflictError
from playground.api.objects import REVISION, revision_of
from playground.api.parsers import JSON_PATCHES, MANIFEST_TYPES, RAW_PARSERS, body_of
from playground.api.patches import JSON_PATCH, MERGE_PATCH, json_patched, merge_patched
from playground.api.preconditions import IF_MATCH, IF_NONE_MATCH, check_preconditions, etag_of
from playground.clusters.editing import Change, Delete, ObjectMissing, Put, RevisionMoved, find, revise
from playground.models import ClusterRevision
from scheduler_core.api import object_key

MAX_ATTEMPTS = 5
REVISION_HEADER = "Playground-Revision"
NAME = {"type": "string", "pattern": r"^[A-Za-z0-9]([A-Za-z0-9._:-]{0,251}[A-Za-z0-9])?$"}
KIND = {"type": "string", "pattern": r"^[A-Z][A-Za-z]{0,62}$"}
ADDRESS = [
    OpenApiParameter("kind", KIND, OpenApiParameter.PATH, description="as `kind:` in a manifest"),
    OpenApiParameter("name", NAME, OpenApiParameter.PATH),
]
CHANGED = {
    409: OpenApiResponse(description="It exists already, or the cluster changes faster than this could.")
}


class ObjectView(APIView):
    """One object."""

    parser_classes = [*JSON_PATCHES, *RAW_PARSERS]

    @extend_schema(
        operation_id="read_object",
        summary="Read an object",
        tags=["objects"],
        parameters=[*ADDRESS, REVISION],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(
        self, request: Request, cluster_id: str, kind: str, name: str, namespace: str = ""
    ) -> HttpResponse:
        """Answers the object as it is stored: without what scheduling never reads and nobody should keep."""
        revision = revision_of(request, cluster_id)
        key = object_key(kind, namespace, name)
        text = text_of(revision, key)
        if text is None:
            raise NotFound(f"There is no {key} in this cluster.")
        return shown(text, revision)

    @extend_schema(
        operation_id="replace_object",
        summary="Create or replace an object",
        tags=["objects"],
        parameters=[*ADDRESS, IF_MATCH, IF_NONE_MATCH],
        request=dict.fromkeys(MANIFEST_TYPES[:3], OpenApiTypes.OBJECT),
        responses={200: OpenApiTypes.OBJECT, 201: OpenApiTypes.OBJECT, **CHANGED},
    )
    def put(
        self, request: Request, cluster_id: str, kind: str, name: str, namespace: str = ""
    ) -> HttpResponse:
        """Takes the whole object; kind, namespace and name must be those of the address."""
        key = object_key(kind, namespace, name)
        text = body_of(request)
        return self._change(request, cluster_id, key, lambda _old: Put(text=text, key=key))

    @extend_schema(
        operation_id="patch_object",
        summary="Patch an object",
        tags=["objects"],
        parameters=[*ADDRESS, IF_MATCH],
        request={
            MERGE_PATCH: OpenApiTypes.OBJECT,
            JSON_PATCH: {"type": "array", "items": {"type": "object"}},
        },
        responses={200: OpenApiTypes.OBJECT, **CHANGED},
    )
    def patch(
        self, request: Request, cluster_id: str, kind: str, name: str, namespace: str = ""
    ) -> HttpResponse:
        """Takes a JSON merge patch or a JSON patch, as `kubectl patch --type=merge` and `--type=json` send them."""
        patched = json_patched if request.content_type.startswith(JSON_PATCH) else merge_patched
        key = object_key(kind, namespace, name)

        def change(old: str | None) -> Change:
            if old is None:
                raise NotFound(f"There is no {key} in this cluster.")
            result = patched(msgspec.json.decode(old), request.data)
            return Put(text=msgspec.json.encode(result), name="the patched object", key=key, mode="replace")

        return self._change(request, cluster_id, key, change)

    @extend_schema(
        operation_id="delete_object",
        summary="Delete an object",
        tags=["objects"],
        parameters=[*ADDRESS, IF_MATCH],
        responses={204: OpenApiResponse(description="It is not in the newest revision."), **CHANGED},
    )
    def delete(
        self, request: Request, cluster_id: str, kind: str, name: str, namespace: str = ""
    ) -> HttpResponse:
        """Takes the object away; what it owns stays, for no controller runs here."""
        key = object_key(kind, namespace, name)
        return self._change(request, cluster_id, key, lambda _old: Delete(key=key))

    def _change(
        self,
        request: Request,
        cluster_id: str,
        key: str,
        change: Callable[[str | None], Change],
    ) -> HttpResponse:
        """Makes a revision from the newest one; where another was quicker, looks and tries again."""
        for _attempt in range(MAX_ATTEMPTS):
            cluster = get_object_or_404(owned_clusters(request.user), id=cluster_id)
            old = text_of(cluster.revision, key)
            check_preconditions(request, key, old)
            try:
                revision = revise(cluster, [change(old)], expected=cluster.revision.digest)
            except RevisionMoved:
                continue
            except ObjectMissing as error:
                raise NotFound(f"There is no {key} in this cluster.") from error
            if request.method == "DELETE":
                return Response(status=204, headers={REVISION_HEADER: revision.name})
            return shown(text_of(revision, key) or "{}", revision, status=200 if old else 201)
        raise ConflictError("The cluster changes faster than this could be written; try again.")


def shown(text: str, revision: ClusterRevision, status: int = 200) -> HttpResponse:
    """Returns an object as an answer.

    Args:
        text: its canonical JSON.
        revision: where it is.
        status: of the answer.
    """
    headers = {"ETag": etag_of(text), REVISION_HEADER: revision.name}
    return HttpResponse(text, content_type="application/json", status=status, headers=headers)


def text_of(revision: ClusterRevision, key: str) -> str | None:
    """Returns the canonical JSON of an object, None where it is not.

    Args:
        revision: where to look.
        key: as "Pod/default/web" or "Node/n1".
    """
    found = find(revision, key)
    return None if found is None else found.object


@extend_schema_view(
    get=extend_schema(operation_id="read_namespaced_object", summary="Read an object in a namespace"),
    put=extend_schema(
        operation_id="replace_namespaced_object", summary="Create or replace an object in a namespace"
    ),
    patch=extend_schema(operation_id="patch_namespaced_object", summary="Patch an object in a namespace"),
    delete=extend_schema(operation_id="delete_namespaced_object", summary="Delete an object in a namespace"),
)
class NamespacedObjectView(ObjectView):
    """One object that lives in a namespace."""
