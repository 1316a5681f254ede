"""The cluster page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playground.api.runs import RunSerializer, owned_runs, start_run
from playground.models import Cluster, workspace_of
from playground.views.context import MAX_ROWS, api_urls, cluster_card, clusters_with_latest_run, items_of

MAX_RUNS = 50


@require_safe
def cluster_page(request: HttpRequest, cluster_id: str) -> HttpResponse:
    """Shows a cluster: its nodes, pods and runs."""
    cluster = get_object_or_404(clusters_with_latest_run(request.user).defer(None), id=cluster_id)
    revision = cluster.revision
    assert revision is not None
    card = cluster_card(cluster)
    runs = owned_runs(request.user).filter(cluster=cluster)[:MAX_RUNS]
    context = {
        "cluster": card,
        "nodes": items_of(revision.nodes),
        "pods": items_of(revision.pods),
        "more_nodes": max(0, revision.counts["nodes"] - MAX_ROWS),
        "more_pods": max(0, revision.counts["pods"] - MAX_ROWS),
        "kinds": [{"kind": kind, "count": count} for kind, count in sorted(revision.kinds.items())],
        "skipped": revision.skipped,
        "warnings": revision.warnings,
        "left_out": revision.errors,
        "runs": RunSerializer(runs, many=True).data,
        "data": {
            "cluster": {**card, "created_at": cluster.created_at.isoformat()},
            "runs_url": "/api/v1/runs",
            **api_urls(cluster.id, revision.name),
        },
    }
    return render(request, "playground/cluster.html", context)


@require_POST
def run_form(request: HttpRequest, cluster_id: str) -> HttpResponse:
    """Starts a run and shows it."""
    clusters = Cluster.objects.of(workspace_of(request.user)).filter(revision__isnull=False)
    return redirect("playground:run", start_run(get_object_or_404(clusters, id=cluster_id)).id)
