"""The run page."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playground.api.run_fields import RunSerializer
from playground.api.run_start import start_again
from playground.api.runs import owned_runs
from playground.models import Run, RunStatus, workspace_of
from playground.runs import story
from playground.views.context import MAX_ROWS, api_urls
from playground.views.family import family_of, offers, runs_of, title_of, tree_of


@require_safe
def run_page(request: HttpRequest, run_id: str) -> HttpResponse:
    """Shows a run; what moves is the elements' affair, the outcome stands here too."""
    run = get_object_or_404(owned_runs(request.user).select_related("revision", "cluster"), id=run_id)
    shown = RunSerializer(run).data
    placements, pending = _outcome(run.id)
    cluster = {
        "id": run.cluster_id,
        "name": run.cluster.name,
        "question": run.cluster.question,
        "description": run.cluster.description,
        "revision": run.revision.name,
        "counts": run.revision.counts,
    }
    runs = runs_of(request.user, run.cluster_id)
    context = {
        "title": title_of(run),
        "family": tree_of(family_of(runs, run.id), run.id),
        "offers": offers(run, runs),
        "run": {
            **shown,
            "created_at": run.created_at,
            "started_at": run.started_at,
            "finished_at": run.finished_at,
        },
        "cluster": cluster,
        "told": json.dumps(told_of(run)),
        "placements_rows": [{"pod": pod, "node": node} for pod, node in list(placements.items())[:MAX_ROWS]],
        "more_placements": max(0, len(placements) - MAX_ROWS),
        "pending_rows": pending[:MAX_ROWS],
        "more_pending": max(0, len(pending) - MAX_ROWS),
        "data": {
            "run": shown,
            "cluster": cluster,
            "run_url": f"/api/v1/runs/{run.id}",
            "socket": f"/ws/runs/{run.id}/",
            **api_urls(run.cluster_id, run.revision.name),
        },
    }
    return render(request, "playground/run.html", context)


def told_of(run: Run) -> dict[str, Any]:
    """Returns what the page tells of a finished run before it has read its events; nothing of another one.

    Args:
        run: the run.
    """
    if run.status != RunStatus.FINISHED:
        return {}
    return {"headline": run.headline, "num_cycles": run.num_cycles, "message": run.message}


@require_POST
def run_again_form(request: HttpRequest, run_id: str) -> HttpResponse:
    """Asks the same once more, of the cluster as it is now, and shows the run."""
    runs = Run.objects.of(workspace_of(request.user)).select_related("cluster")
    return redirect("playground:run", start_again(get_object_or_404(runs, id=run_id)).id)


def _outcome(run_id: str) -> tuple[dict[str, str], list[dict[str, Any]]]:
    outcome = story.outcome_of(run_id)
    if outcome is None:
        return {}, []
    return json.loads(outcome.placements), json.loads(outcome.pending)
