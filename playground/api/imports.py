"""Imports: small ones are answered at once, large ones are jobs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.imports import ImportOptions
from engine.imports.child import REFUSED, status_of
from engine.imports.rows import error_item
from engine.sources import measure_uploads
from playground.api.clusters import ClusterSerializer, owned_clusters
from playground.api.errors import BadParameterError
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.jobs import JobSerializer, accepted, follow, start_job
from playground.api.pagination import bool_parameter
from playground.api.parsers import MANIFEST_TYPES, RAW_PARSERS
from playground.api.waiting import PREFER
from playground.clusters.importing import File, clean_name, import_cluster, labels_of
from playground.jobs.imports import KIND, question_of
from playground.models import Cluster, Job, workspace_of
from playground.problems import PROBLEM_JSON, problem
from scheduler_core.errors import ManifestError

RAW_NAME = "input"
PASTED_NAME = "pasted text"
MAX_PATH = 300
ARCHIVE_TYPES = ("application/gzip", "application/x-gzip", "application/zip", "application/x-tar")
FILES = {
    "file": {"type": "array", "minItems": 1, "items": {"type": "string", "format": "binary"}},
    "path": {
        "type": "array",
        "items": {"type": "string"},
        "description": "of each file, where it lies below a folder",
    },
}
FLAGS = {
    "skip_invalid": "take what is right, list the rest in `errors`",
    "redact": "give namespaces, names, label values, images and hosts other names; every decision stays the same",
}


class ClusterImport(APIView):
    """Manifests, archives and support bundles become a cluster."""

    parser_classes = [MultiPartParser, *RAW_PARSERS]

    @extend_schema(
        operation_id="clusters_import",
        summary="Import a new cluster",
        parameters=[
            OpenApiParameter("name", str, description="what to call it"),
            *(OpenApiParameter(name, bool, description=what) for name, what in FLAGS.items()),
            PREFER,
            IDEMPOTENCY_KEY,
        ],
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {
                    **FILES,
                    "name": {"type": "string"},
                    **{name: {"type": "boolean", "description": what} for name, what in FLAGS.items()},
                },
                "required": ["file"],
            },
            **dict.fromkeys((*MANIFEST_TYPES[:3], *ARCHIVE_TYPES), OpenApiTypes.BINARY),
        },
        responses={201: ClusterSerializer, 202: JobSerializer},
    )
    def post(self, request: Request) -> Response:
        """Reads YAML, JSON, .tar.gz, .zip and support bundles: files, or the body itself.

        All or nothing; every error has its place. More than 2 MB, unpacked, become a job: 202 with its address, or
        the cluster itself with `Prefer: wait=30`, if it is ready by then.
        """
        return follow(request, self._make(request), lambda job: created(imported_by(job, request.user)))

    @idempotent
    def _make(self, request: Request) -> Response:
        files = files_of(request)
        name = request.query_params.get("name") or _form_value(request, "name")
        name = clean_name(name) if name.strip() else ""
        options = options_of(request)
        try:
            made = start_import(workspace_of(request.user), files, name, options)
        except ManifestError as wrong:
            return refusal(wrong)
        return accepted(made) if isinstance(made, Job) else created(made)


def start_import(workspace_id: str, files: list[File], name: str, options: ImportOptions) -> Cluster | Job:
    """Imports files: here and now where they are small, else by a job.

    Args:
        workspace_id: whose the cluster will be.
        files: names and contents.
        name: of the cluster, or nothing.
        options: how to import.

    Raises:
        ManifestError: they are too large, or small and wrong; nothing was stored.
    """
    if measure_uploads(files, max_bytes=options.limits.bytes) > settings.JOB_ABOVE_BYTES:
        return start_job(workspace_id, KIND, question_of(name, options), files)
    return import_cluster(workspace_id, files, labels_of(files, name), options)


def imported_by(job: Job, user: Any) -> Cluster:
    """Returns the cluster that a finished import has made.

    Args:
        job: finished.
        user: who asks.
    """
    found: Cluster = owned_clusters(user).get(id=(job.result or {})["cluster"])
    return found


def created(cluster: Cluster) -> Response:
    """Returns the answer for a new cluster.

    Args:
        cluster: with its revision.
    """
    headers = {"Location": f"/api/v1/clusters/{cluster.id}"}
    return Response(ClusterSerializer(cluster).data, status=201, headers=headers)


def refusal(wrong: ManifestError) -> Response:
    """Returns problem details for an input that is wrong or too large.

    Args:
        wrong: with all that is wrong.
    """
    status = status_of(wrong)
    detail = REFUSED if status != 413 else f"{REFUSED} {too_large(wrong)}"
    errors = [error_item(error) for error in wrong.errors]
    return Response(problem(status, detail, errors), status=status, content_type=PROBLEM_JSON)


def too_large(wrong: ManifestError) -> str:
    """Returns the sentence for an input that is more than is taken.

    Args:
        wrong: the refusal.
    """
    first = next(error for error in wrong.errors if error.type == "Limit")
    return (
        f"{first.file or 'It'} {first.message}. Leave out what scheduling does not read, as logs, Secrets and "
        "ConfigMaps, or read it with `playground run -f`, which takes a gigabyte."
    )


def files_of(request: Request) -> list[File]:
    """Returns what was sent: the form's files, its text, or the body.

    Args:
        request: of the import.

    Raises:
        BadParameterError: a form without a file.
    """
    data: Any = request.data
    if isinstance(data, bytes) or not request.content_type.startswith("multipart/"):
        return [(RAW_NAME, data or b"")]
    uploads = request.FILES.getlist("file")
    paths = data.getlist("path")
    names = paths if len(paths) == len(uploads) else [file.name for file in uploads]
    files = [
        (clean_name(name or "")[:MAX_PATH], file.read()) for name, file in zip(names, uploads, strict=True)
    ]
    if text := _form_value(request, "text"):
        files.append((PASTED_NAME, text.encode("utf-8", "replace")))
    if not files:
        raise BadParameterError("The form has no complete file: send one or more fields named `file`.")
    return files


def options_of(request: Request) -> ImportOptions:
    """Returns how to import, from the address or the form.

    Args:
        request: of the import.
    """
    skip_invalid, redact = (bool(bool_parameter(request, name, _form_value(request, name))) for name in FLAGS)
    return ImportOptions(skip_invalid=skip_invalid, redact=redact)


def _form_value(request: Request, name: str) -> str:
    data: Any = request.data
    return "" if isinstance(data, bytes) else str(data.get(name, ""))
