"""The start page and what its forms do: import, load an example, delete."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playground.clusters.examples import Example, examples, load_example
from playground.clusters.importing import Labels, clean_name, import_cluster
from playground.models import Cluster, workspace_of
from playground.views.context import MAX_CLUSTERS, cluster_card, clusters_with_latest_run
from scheduler_core.api.manifest import Source
from scheduler_core.errors import FieldError, ManifestError


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Shows the clusters and where to drop a dump."""
    return _page(request)


def _page(request: HttpRequest, *, status: int = 200, **form: Any) -> HttpResponse:
    clusters = [cluster_card(cluster) for cluster in clusters_with_latest_run()[:MAX_CLUSTERS]]
    context = {"clusters": clusters, "examples": [_card(each) for each in examples()], "errors": [], **form}
    return render(request, "playground/start.html", context, status=status)


def _card(example: Example) -> dict[str, Any]:
    return {
        "slug": example.slug,
        "name": example.name,
        "question": example.question,
        "description": example.description,
        "counts": example.counts,
    }


@require_POST
def import_form(request: HttpRequest) -> HttpResponse:
    """Imports the form's files or text; shows the errors at the form where it is refused."""
    name = request.POST.get("name", "")
    text = request.POST.get("text", "")
    sources = [
        Source(clean_name(file.name or ""), file.read()) for file in request.FILES.getlist("file") if file
    ]
    if text.strip():
        sources.append(Source("pasted text", text))
    form = {"form_name": name, "form_text": text}
    if not sources:
        nothing = FieldError(type="Required value", message="Choose a file or paste manifests.")
        return _page(request, status=422, **form, errors=[_error(nothing)])
    try:
        cluster = import_cluster(
            workspace_of(),
            sources,
            Labels(clean_name(name) if name.strip() else ""),
            skip_invalid=request.POST.get("skip_invalid", "") in ("on", "true", "1"),
        )
    except ManifestError as refused:
        return _page(request, status=422, **form, errors=[_error(error) for error in refused.errors])
    return redirect("playground:cluster", cluster.id)


def _error(error: FieldError) -> dict[str, Any]:
    names = ("file", "document", "line", "column", "field", "value", "type", "message")
    return {**{name: getattr(error, name) for name in names}, "sentence": error.sentence()}


@require_POST
def load_example_form(request: HttpRequest, slug: str) -> HttpResponse:
    """Makes a new cluster from an example."""
    example = next((each for each in examples() if each.slug == slug), None)
    if example is None:
        raise Http404
    return redirect("playground:cluster", load_example(workspace_of(), example).id)


@require_POST
def delete_cluster_form(request: HttpRequest, cluster_id: str) -> HttpResponse:
    """Deletes a cluster with its runs."""
    get_object_or_404(Cluster.objects.of(workspace_of()), id=cluster_id).delete()
    return redirect("playground:start")
