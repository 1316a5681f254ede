"""The stored configurations: the list, one to edit, a copy, two runs to compare."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from rest_framework.exceptions import ValidationError

from playground.api.errors import ConflictError, error_item
from playground.api.profiles import ProfileSerializer, profile_etag, refuse_where_used
from playground.api.run_start import start_run
from playground.api.runs import owned_runs
from playground.clusters.importing import clean_name
from playground.models import Cluster, Profile, Run, workspace_of
from scheduler_core.errors import ManifestError

MAX_PROFILES = 100
MAX_CLUSTERS = 200
MAX_RUNS = 50
MAX_SENTENCES = 4
CHANGED = "Somebody else has saved this profile since you opened it."
EMPTY = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"


def owned_profiles(user: Any) -> QuerySet[Profile]:
    """Returns the profiles that may be seen, newest first.

    Args:
        user: who asks.
    """
    return Profile.objects.of(workspace_of(user))


@require_safe
def profiles_page(request: HttpRequest) -> HttpResponse:
    """Lists the profiles: what differs from the default, and what uses them."""
    return _list(request)


def _list(request: HttpRequest, status: int = 200, **more: Any) -> HttpResponse:
    latest = Run.objects.filter(profile=OuterRef("pk")).order_by("-created_at", "id")
    rows = owned_profiles(request.user).annotate(
        num_runs=Count("run"), latest_run=Subquery(latest.values("id")[:1])
    )[:MAX_PROFILES]
    users: dict[str, list[Cluster]] = {}
    for cluster in Cluster.objects.filter(profile__in=[row.pk for row in rows]).defer("description"):
        users.setdefault(str(cluster.profile_id), []).append(cluster)
    cards = []
    for row in rows:
        told, error = told_of(row.config)
        cards.append(
            {
                "profile": row,
                "sentences": told[:MAX_SENTENCES],
                "more": max(0, len(told) - MAX_SENTENCES),
                "error": error,
                "clusters": users.get(row.pk, []),
            }
        )
    return render(request, "playground/profiles.html", {"cards": cards, **more}, status=status)


@lru_cache(maxsize=256)
def told_of(config: str) -> tuple[tuple[str, ...], str]:
    """Returns what a configuration changes, a sentence each, and what is wrong with it.

    Args:
        config: its text.
    """
    from scheduler_core.planning import profiles

    try:
        form = profiles.read_form(config)
    except ManifestError as refused:
        return (), refused.errors[0].message.rpartition("creating profile for scheduler name ")[2]
    names = {profile.scheduler_name for profile in form.profiles}
    return tuple(
        f"{found.profile}: {found.text}" if len(names) > 1 and found.profile else found.text
        for found in profiles.differences(form)
    ), ""


@require_http_methods(["GET", "HEAD", "POST"])
def new_profile_page(request: HttpRequest) -> HttpResponse:
    """Shows a profile that is not kept yet: the default, a copy, a run's, or what a file says."""
    if request.method == "POST":
        return _save(request, Profile(workspace_id=workspace_of(request.user)))
    name, config = "", EMPTY
    if "copy" in request.GET:
        original = get_object_or_404(owned_profiles(request.user), id=request.GET["copy"])
        name, config = f"Copy of {original.name}", original.config
    elif "run" in request.GET:
        run = get_object_or_404(owned_runs(request.user).select_related("profile"), id=request.GET["run"])
        if run.profile and run.profile.config == run.config:
            weights = urlencode({"weights": request.GET["weights"]}) if "weights" in request.GET else ""
            return redirect(f"{reverse('playground:profile', args=[run.profile.id])}?{weights}")
        config = run.config or EMPTY
    return _editor(request, None, name, config)


@require_http_methods(["GET", "HEAD", "POST"])
def profile_page(request: HttpRequest, profile_id: str) -> HttpResponse:
    """Shows a profile to edit."""
    profile = get_object_or_404(owned_profiles(request.user), id=profile_id)
    if request.method != "POST":
        return _editor(request, profile, profile.name, profile.config)
    if request.POST.get("etag", profile_etag(profile)) != profile_etag(profile):
        late = [
            {"message": f"{CHANGED} What you see is yours; save it again to put it in the place of theirs."}
        ]
        return _editor(
            request, profile, request.POST.get("name", ""), request.POST.get("config", ""), late, 409
        )
    return _save(request, profile)


@require_POST
def profile_file_form(request: HttpRequest) -> HttpResponse:
    """Keeps a file as a profile; what cannot be kept is opened to be mended."""
    file = request.FILES.get("file")
    if file is None:
        return _list(request, 422, problem="Choose a file with a KubeSchedulerConfiguration.")
    name = clean_name(file.name or "").rsplit("/", 1)[-1]
    return _save(
        request,
        Profile(workspace_id=workspace_of(request.user)),
        name,
        file.read().decode("utf-8", "replace"),
    )


def _save(
    request: HttpRequest, profile: Profile, name: str | None = None, config: str | None = None
) -> HttpResponse:
    given = {
        "name": request.POST.get("name", "") if name is None else name,
        "config": request.POST.get("config", "").replace("\r\n", "\n") if config is None else config,
    }
    asked = ProfileSerializer(profile, data=given)
    try:
        asked.is_valid(raise_exception=True)
    except ManifestError as refused:
        errors = [error_item(error) for error in refused.errors]
    except ValidationError:
        errors = [{"field": field, "message": words[0]} for field, words in asked.errors.items()]
    else:
        return redirect("playground:profile", asked.save().pk)
    kept = profile if not profile._state.adding else None
    return _editor(request, kept, given["name"], given["config"], errors, 422)


def _editor(
    request: HttpRequest,
    profile: Profile | None,
    name: str,
    config: str,
    errors: list[dict[str, Any]] | None = None,
    status: int = 200,
) -> HttpResponse:
    workspace = workspace_of(request.user)
    others = owned_profiles(request.user)
    finished = Run.objects.of(workspace).filter(status="finished", num_cycles__gt=0)
    context = {
        "profile": profile,
        "etag": profile_etag(profile) if profile else "",
        "name": name,
        "config": config,
        "errors": errors or [],
        "others": (others.exclude(pk=profile.pk) if profile else others)[:MAX_PROFILES],
        "clusters": Cluster.objects.of(workspace).filter(revision__isnull=False)[:MAX_CLUSTERS],
        "runs": finished.values("id", "name", "cluster__name", "cluster__question", "created_at")[:MAX_RUNS],
        "num_runs": Run.objects.filter(profile=profile).count() if profile else 0,
    }
    return render(request, "playground/profile.html", context, status=status)


@require_POST
def delete_profile_form(request: HttpRequest, profile_id: str) -> HttpResponse:
    """Deletes a profile, or says which cluster runs with it."""
    with transaction.atomic():
        profile = get_object_or_404(owned_profiles(request.user).select_for_update(), id=profile_id)
        try:
            refuse_where_used(profile)
        except ConflictError as refused:
            return _list(request, 409, problem=str(refused.detail))
        profile.delete()
    return redirect("playground:profiles")


@require_POST
def compare_profiles_form(request: HttpRequest, profile_id: str) -> HttpResponse:
    """Runs a cluster with this profile and with another, and shows both."""
    profiles = owned_profiles(request.user)
    profile = get_object_or_404(profiles, id=profile_id)
    other_id = request.POST.get("other", "")
    other = get_object_or_404(profiles, id=other_id) if other_id else None
    clusters = Cluster.objects.of(workspace_of(request.user)).filter(revision__isnull=False)
    cluster = get_object_or_404(clusters.select_related("revision"), id=request.POST.get("cluster", ""))
    with transaction.atomic():
        first = start_run(cluster, profile=other, name=other.name if other else "Default configuration")
        second = start_run(cluster, profile=profile, name=profile.name)
    return redirect("playground:run-compare", first.id, second.id)
