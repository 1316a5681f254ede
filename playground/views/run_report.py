"""A run as one file that needs no network: to attach to a ticket, to keep with a build."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from playground.api.runs import owned_runs
from playground.runs.repeat import repeat_command
from playground.runs.report import report_of


@require_safe
def run_report(request: HttpRequest, run_id: str) -> HttpResponse:
    """Hands out the report as a file; its styles stand inside, which no page of ours may have."""
    rows = owned_runs(request.user).defer(None).select_related("revision", "cluster")
    run = get_object_or_404(rows, id=run_id)
    repeat = repeat_command(run, request.build_absolute_uri("/").rstrip("/"))
    answer = render(request, "playground/report.html", {**report_of(run), "repeat": repeat})
    answer["Content-Disposition"] = f'attachment; filename="run-{run.id}.html"'
    return answer
