"""The cluster page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playground.api.run_start import start_run
from playground.models import Cluster, Profile, workspace_of
from playground.views.context import MAX_ROWS, api_urls, cluster_card, clusters_with_latest_run, items_of
from playground.views.family import MAX_FAMILY, outcome_of, runs_of, title_of, tree_of
from playground.views.imported import import_of

MAX_PROFILES = 100


@require_safe
def cluster_page(request: HttpRequest, cluster_id: str) -> HttpResponse:
    """Shows a cluster: its nodes, pods and runs."""
    cluster = get_object_or_404(clusters_with_latest_run(request.user).defer(None), id=cluster_id)
    revision = cluster.revision
    assert revision is not None
    card = cluster_card(cluster)
    runs = runs_of(request.user, cluster.id)
    context = {
        "cluster": card,
        "nodes": items_of(revision.nodes),
        "pods": items_of(revision.pods),
        "more_nodes": max(0, revision.counts["nodes"] - MAX_ROWS),
        "more_pods": max(0, revision.counts["pods"] - MAX_ROWS),
        "imported": import_of(revision),
        "own_profile": cluster.profile_id,
        "profiles": Profile.objects.of(cluster.workspace_id).only("id", "name")[:MAX_PROFILES],
        "left_out": revision.errors,
        "runs": runs,
        "family": tree_of(runs),
        "num_kept": sum(run.kept for run in runs),
        "choices": [{"id": run.id, "words": f"{title_of(run)} ({outcome_of(run)})"} for run in runs],
        "more_runs": len(runs) == MAX_FAMILY,
        "data": {
            "cluster": {**card, "created_at": cluster.created_at.isoformat()},
            "runs_url": "/api/v1/runs",
            **api_urls(cluster.id, revision.name),
        },
    }
    return render(request, "playground/cluster.html", context)


@require_safe
def what_if_page(request: HttpRequest, cluster_id: str) -> HttpResponse:
    """Shows a cluster to change: edits as a list, and what they move."""
    cluster = get_object_or_404(clusters_with_latest_run(request.user), id=cluster_id)
    return render(request, "playground/what_if.html", {"cluster": cluster_card(cluster)})


@require_POST
def run_form(request: HttpRequest, cluster_id: str) -> HttpResponse:
    """Starts a run with the chosen profile, else with the one that came with the cluster, and shows it."""
    workspace = workspace_of(request.user)
    clusters = Cluster.objects.of(workspace).filter(revision__isnull=False)
    cluster = get_object_or_404(clusters.select_related("revision", "profile"), id=cluster_id)
    profile = cluster.profile
    if "profile" in request.POST:
        chosen = request.POST["profile"]
        profile = get_object_or_404(Profile.objects.of(workspace), id=chosen) if chosen else None
    return redirect("playground:run", start_run(cluster, profile=profile).id)
