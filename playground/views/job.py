"""The page of a job, for who has no JavaScript or waits for a file: how far it is, and a way to stop it."""

from __future__ import annotations

import time
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playground.api.end_state import file_of, job_for
from playground.api.jobs import is_over
from playground.api.revisions import MEDIA_TYPES
from playground.jobs import checks, end_state, imports
from playground.jobs.execute import cancel
from playground.models import Job, Run, RunStatus, WorkStatus, workspace_of

HEADINGS = {
    imports.KIND: {
        "open": "Importing",
        WorkStatus.CANCELLED: "The import was cancelled",
        WorkStatus.FAILED: "The import was refused",
        WorkStatus.INTERRUPTED: "The import did not end",
    },
    checks.KIND: {
        "open": "Checking",
        WorkStatus.CANCELLED: "The check was cancelled",
        WorkStatus.FAILED: "The check was refused",
        WorkStatus.INTERRUPTED: "The check did not end",
    },
    end_state.KIND: {
        "open": "Preparing the file",
        WorkStatus.FINISHED: "The file is ready",
        WorkStatus.CANCELLED: "The export was cancelled",
        WorkStatus.FAILED: "The file cannot be made",
        WorkStatus.INTERRUPTED: "The export did not end",
    },
}
FILE_WAIT_SECONDS, LOOK_SECONDS = 5.0, 0.1


@require_safe
def job_page(request: HttpRequest, job_id: str) -> HttpResponse:
    """Shows how far a job is; leads to the cluster once it is imported."""
    job = get_object_or_404(Job.objects.of(workspace_of(request.user)), id=job_id)
    result = job.result or {}
    if job.status == WorkStatus.FINISHED and job.kind == imports.KIND:
        return redirect("playground:cluster", result["cluster"])
    if job.status == WorkStatus.FINISHED and job.kind == checks.KIND:
        return redirect("playground:check", check_of(job))
    headings: dict[Any, str] = HEADINGS.get(job.kind, {})
    heading = headings.get(job.status if job.is_over else "open", job.get_status_display())
    run_id = job.question.get("run") if job.kind == end_state.KIND else None
    return render(request, "playground/job.html", {"job": job, "heading": heading, "run_id": run_id})


def check_of(job: Job) -> str:
    """Returns the check that a finished job has made.

    Args:
        job: of kind check.
    """
    return str((job.result or {})["check"])


@require_POST
def cancel_job_form(request: HttpRequest, job_id: str) -> HttpResponse:
    """Cancels a job."""
    job = get_object_or_404(Job.objects.of(workspace_of(request.user)), id=job_id)
    if not job.is_over:
        cancel(job)
    return redirect("playground:job", job.id)


@require_safe
def end_state_file(request: HttpRequest, run_id: str, format_: str) -> HttpResponseBase:
    """Answers the end of a run as a file; where computing it takes longer, the page of its job."""
    runs = Run.objects.of(workspace_of(request.user)).select_related("revision")
    run = get_object_or_404(runs.filter(status=RunStatus.FINISHED), id=run_id)
    if format_ not in MEDIA_TYPES:
        raise Http404
    found = file_of(request, run, format_)
    if found is not None:
        return found
    job = job_for(run)
    end = time.monotonic() + FILE_WAIT_SECONDS
    while not is_over(job) and time.monotonic() < end:
        time.sleep(LOOK_SECONDS)
    return file_of(request, run, format_) or redirect("playground:job", job.id)
