"""The page of a job, for an import without JavaScript: how far it is, and a way to stop it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from playground.jobs.execute import cancel
from playground.models import Job, WorkStatus, workspace_of


@require_safe
def job_page(request: HttpRequest, job_id: str) -> HttpResponse:
    """Shows how far an import is; leads to the cluster once it is there."""
    job = get_object_or_404(Job.objects.of(workspace_of(request.user)), id=job_id)
    if job.status == WorkStatus.FINISHED and job.result and job.result.get("cluster"):
        return redirect("playground:cluster", job.result["cluster"])
    return render(request, "playground/job.html", {"job": job})


@require_POST
def cancel_job_form(request: HttpRequest, job_id: str) -> HttpResponse:
    """Cancels a job."""
    job = get_object_or_404(Job.objects.of(workspace_of(request.user)), id=job_id)
    if not job.is_over:
        cancel(job)
    return redirect("playground:job", job.id)
