"""The form that makes a check: a cluster, manifests, what is expected."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import NotFound

from playground.api.check_input import NewCheckSerializer
from playground.api.checks import start_check
from playground.api.errors import error_item
from playground.api.jobs import is_over
from playground.clusters.importing import clean_name
from playground.models import Check, Cluster, Profile, WorkStatus, workspace_of
from playground.views.job import check_of
from scheduler_core.errors import REQUIRED, FieldError, ManifestError

MAX_CHOICES = 500
WAIT_SECONDS, LOOK_SECONDS = 3.0, 0.05
PASTED, EXPECTATIONS = "manifests.yaml", "expectations.yaml"
CAME_WITH = "came-with"
USUAL = """\
apiVersion: playground/v1
kind: Expectations
spec:
  # orders: 20            # try other orders of arrival, too
  # maxSnapshotAge: 24h   # refuse a cluster that is older
  expectations:
    - allScheduled: {}
    # - noneNewlyPending: {}
    # - noPreemption: {}
    # - maxSkew: {topologyKey: topology.kubernetes.io/zone, maxSkew: 1}
    # - survivesLoss: {}
    # - rollingUpdate: {}
"""


@require_http_methods(["GET", "HEAD", "POST"])
def new_check_page(request: HttpRequest) -> HttpResponse:
    """Shows the form, filled in from an earlier check where the address names one, and takes it."""
    if request.method == "POST":
        return _take(request)
    form = {"cluster": request.GET.get("cluster", ""), "profile": CAME_WITH, "expectations": USUAL}
    if earlier := request.GET.get("like"):
        form |= _like(get_object_or_404(Check.objects.of(workspace_of(request.user)), id=earlier))
    return _page(request, form)


def _page(request: HttpRequest, form: dict[str, Any], status: int = 200, **more: Any) -> HttpResponse:
    workspace = workspace_of(request.user)
    clusters = Cluster.objects.of(workspace).filter(revision__isnull=False).select_related("revision")
    asked = form["cluster"]
    choices = list(clusters.order_by("name")[:MAX_CHOICES])
    if asked and all(each.id != asked for each in choices):
        choices += clusters.filter(id=asked)
    context = {
        "form": form,
        "clusters": choices,
        "no_such_cluster": asked and all(each.id != asked for each in choices),
        "profiles": Profile.objects.of(workspace).order_by("name")[:MAX_CHOICES],
        "came_with": CAME_WITH,
        **more,
    }
    return render(request, "playground/check_new.html", context, status=status)


def _like(check: Check) -> dict[str, Any]:
    """Returns the form that made a check, as far as a form can say it."""
    from scheduler_core.checks import CheckInput

    asked = msgspec.json.decode(check.question, type=CheckInput)
    return {
        "cluster": check.cluster_id,
        "profile": check.profile_id or "",
        "name": asked.name,
        "manifests": "\n---\n".join(each.text.strip("\n") for each in asked.manifests),
        "deletions": "\n".join(asked.deletions),
        "expectations": "\n---\n".join(each.text.strip("\n") for each in asked.expectations) or USUAL,
    }


def _take(request: HttpRequest) -> HttpResponse:
    names = ("cluster", "profile", "name", "manifests", "deletions", "expectations")
    form = {name: request.POST.get(name, "") for name in names}
    cluster = Cluster.objects.of(workspace_of(request.user)).filter(id=form["cluster"]).first()
    if cluster is None:
        error = FieldError(field="cluster", type=REQUIRED, message="choose the cluster to check against")
        return _page(request, form, 422, errors=[error_item(error)])
    asked = NewCheckSerializer(data=_body(request, form, cluster))
    if not asked.is_valid():
        words = [
            {"field": field, "message": str(each)} for field, told in asked.errors.items() for each in told
        ]
        return _page(request, form, 422, errors=words)
    try:
        job = start_check(request.user, asked.validated_data)
    except NotFound as gone:
        return _page(request, form, 422, errors=[{"message": str(gone.detail)}])
    except ManifestError as refused:
        return _page(request, form, 422, errors=[error_item(each) for each in refused.errors])
    end = time.monotonic() + WAIT_SECONDS
    while not is_over(job) and time.monotonic() < end:
        time.sleep(LOOK_SECONDS)
    job.refresh_from_db()
    if job.status == WorkStatus.FINISHED:
        return redirect("playground:check", check_of(job))
    return redirect("playground:job", job.id)


def _body(request: HttpRequest, form: dict[str, str], cluster: Cluster) -> dict[str, Any]:
    """Returns the form as the API takes a check."""
    files = [
        {"name": clean_name(file.name or "") or PASTED, "text": file.read().decode("utf-8", "replace")}
        for file in request.FILES.getlist("file")
        if file
    ]
    if form["manifests"].strip():
        files.append({"name": PASTED, "text": form["manifests"]})
    expected = form["expectations"]
    profile = cluster.profile_id if form["profile"] == CAME_WITH else form["profile"]
    return {
        "cluster": cluster.id,
        "profile": profile or None,
        "name": form["name"].strip(),
        "manifests": files,
        "deletions": form["deletions"].split(),
        "expectations": [{"name": EXPECTATIONS, "text": expected}] if expected.strip() else [],
    }
