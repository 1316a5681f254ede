"""The pages of checks: what was asked so far, one verdict, and a form to ask."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from django.core.paginator import Paginator
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from rest_framework.exceptions import NotFound

from playground.api.check_runs import run_of_check
from playground.api.checks import REPORTS
from playground.api.errors import ConflictError
from playground.jobs import checks as check_jobs
from playground.models import OPEN, Check, Cluster, CycleSummary, Job, Run, workspace_of
from playground.views.check_shown import (
    Pods,
    Standings,
    address_of,
    command_of,
    headline_of,
    hours,
    is_baseline,
    outcome_of,
    results_of,
)
from playground.views.imported import moment

PAGE = 25
MAX_CLUSTERS = 500
PROOF_WAIT_SECONDS, LOOK_SECONDS = 4.0, 0.05
REPORT_NAMES = {
    "json": "JSON",
    "junit": "JUnit XML",
    "sarif": "SARIF",
    "github": "GitHub annotations",
    "markdown": "Markdown",
    "text": "Text",
}
OUTCOMES = {"pass": "Holds", "fail": "Does not hold", "too-old": "Snapshot too old"}


@require_safe
def checks_page(request: HttpRequest) -> HttpResponse:
    """Lists the checks, newest first, and those under way; of one cluster where the address names it."""
    workspace = workspace_of(request.user)
    wanted = request.GET.get("cluster", "")
    clusters = Cluster.objects.of(workspace).filter(revision__isnull=False).order_by("name")
    rows = Check.objects.of(workspace).select_related("cluster").defer("question")
    if wanted:
        rows = rows.filter(cluster_id=wanted)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "checks": [_row(check) for check in page],
        "under_way": Job.objects.of(workspace).filter(kind=check_jobs.KIND, status__in=OPEN)[:PAGE],
        "clusters": clusters.only("id", "name")[:MAX_CLUSTERS],
        "wanted": wanted,
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "playground/checks.html", context)


def _row(check: Check) -> dict[str, Any]:
    results = msgspec.json.decode(check.verdict, type=Standings).results
    return {
        "check": check,
        "word": OUTCOMES[check.outcome],
        "headline": headline_of(results, check.summary),
        "held": sum(each.status != "fail" for each in results),
        "asked": len(results),
    }


@require_safe
def check_page(request: HttpRequest, check_id: str) -> HttpResponse:
    """Shows a verdict; the page of its job as long as there is none."""
    from scheduler_core.checks import CheckInput, decode_verdict  # loads the simulator: not at start

    rows = Check.objects.of(workspace_of(request.user)).select_related(
        "cluster", "revision", "profile", "run"
    )
    check = get_object_or_404(rows, id=check_id)
    asked = msgspec.json.decode(check.question, type=CheckInput)
    verdict = decode_verdict(check.verdict)
    pods = Pods(check)
    context = {
        "check": check,
        "asked": asked,
        "verdict": verdict,
        "word": OUTCOMES[check.outcome],
        "headline": headline_of(verdict.results, verdict.summary),
        "is_uneasy": check.outcome == "pass" and any(each.is_new for each in verdict.pending),
        "can_run": bool(verdict.results),
        "baseline": is_baseline(asked, verdict),
        "max_age": hours(verdict.snapshot.max_age_seconds),
        "results": results_of(verdict, pods),
        **outcome_of(verdict, pods),
        "is_newest": check.cluster.revision_id == check.revision_id,
        "captured_at": moment(verdict.snapshot.captured_at),
        "reports": [(name, REPORT_NAMES[name]) for name in REPORTS],
        "command": command_of(asked, check, request.build_absolute_uri("/").rstrip("/")),
    }
    return render(request, "playground/check.html", context)


@require_POST
def check_run_form(request: HttpRequest, check_id: str) -> HttpResponse:
    """Starts the run that shows a check, unless it is there, and goes to the cycle that decided about a pod."""
    check = get_object_or_404(Check.objects.of(workspace_of(request.user)), id=check_id)
    without = request.POST.get("without", "").split()
    try:
        run, _is_new = run_of_check(check, without)
    except (ConflictError, NotFound):
        return redirect("playground:check", check.id)
    pod = request.POST.get("pod", "")
    end = time.monotonic() + PROOF_WAIT_SECONDS
    while Run.objects.filter(id=run.id, status__in=OPEN).exists() and time.monotonic() < end:
        time.sleep(LOOK_SECONDS)
    cycles = CycleSummary.objects.filter(run=run)
    if without:
        from scheduler_core.checks.proof import LOST_US  # loads the simulator: not at start

        refused = cycles.filter(t_us__gte=LOST_US).exclude(result="scheduled").order_by("cycle").first()
        return redirect(address_of(run, refused.pod if refused else "", refused.cycle if refused else None))
    return redirect(address_of(run, pod, cycles.filter(pod=pod).aggregate(last=Max("cycle"))["last"]))


@require_POST
def delete_check_form(request: HttpRequest, check_id: str) -> HttpResponse:
    """Deletes a check; the run that showed it stays."""
    get_object_or_404(Check.objects.of(workspace_of(request.user)), id=check_id).delete()
    return redirect("playground:checks")
