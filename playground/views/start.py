"""The start page and what its forms do: import, delete."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from engine.imports import ImportOptions
from engine.imports.child import status_of
from playground.api.imports import PASTED_NAME, start_import
from playground.clusters.importing import clean_name
from playground.models import Cluster, Job, workspace_of
from playground.views.gallery import gallery
from playground.views.shelf import shelf
from scheduler_core.errors import FieldError, ManifestError


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Shows the clusters, where to drop a dump, and the questions to begin with."""
    return _page(request)


def _page(request: HttpRequest, *, status: int = 200, **form: Any) -> HttpResponse:
    context = {"shelf": shelf(request), "topics": gallery(), "errors": [], **form}
    return render(request, "playground/start.html", context, status=status)


@require_POST
def import_form(request: HttpRequest) -> HttpResponse:
    """Imports the form's files or text; shows the errors at the form where it is refused."""
    name = request.POST.get("name", "")
    text = request.POST.get("text", "")
    files = [(clean_name(file.name or ""), file.read()) for file in request.FILES.getlist("file") if file]
    if text.strip():
        files.append((PASTED_NAME, text.encode("utf-8", "replace")))
    options = ImportOptions(skip_invalid=is_on(request, "skip_invalid"), redact=is_on(request, "redact"))
    form = {"form_name": name, "form_text": text, "form_redact": options.redact}
    if not files:
        nothing = FieldError(type="Required value", message="Choose a file or paste manifests.")
        return _page(request, status=422, **form, errors=[_error(nothing)])
    try:
        made = start_import(
            workspace_of(request.user), files, clean_name(name) if name.strip() else "", options
        )
    except ManifestError as refused:
        return _page(request, status=status_of(refused), **form, errors=[_error(e) for e in refused.errors])
    if isinstance(made, Job):
        return redirect("playground:job", made.id)
    return redirect("playground:cluster", made.id)


def is_on(request: HttpRequest, name: str) -> bool:
    """Returns whether a box of a form is ticked.

    Args:
        request: with the form.
        name: of the box.
    """
    return request.POST.get(name, "") in ("on", "true", "1")


def _error(error: FieldError) -> dict[str, Any]:
    names = ("file", "document", "line", "column", "field", "value", "type", "message", "hint")
    return {**{name: getattr(error, name) for name in names}, "sentence": error.sentence()}


@require_POST
def delete_cluster_form(request: HttpRequest, cluster_id: str) -> HttpResponse:
    """Deletes a cluster with its runs."""
    get_object_or_404(Cluster.objects.of(workspace_of(request.user)), id=cluster_id).delete()
    return redirect("playground:start")
