"""What the pages show, as plain dicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse

from playground.models import Cluster, Run, RunStatus, workspace_of

MAX_ROWS = 200
LATEST = ("id", "status", "revision_id", "num_pending", "num_bound", "why", "created_at")


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """Returns what every page gets.

    Args:
        request: the request.
    """
    return {
        "local_mode": not settings.DEPLOYED,
        "section": section_of(request),
        "url_name": getattr(request.resolver_match, "url_name", ""),
        "login_required": settings.LOGIN_REQUIRED,
        "max_upload_mb": settings.MAX_UPLOAD_BYTES >> 20,
    }


def section_of(request: HttpRequest) -> str:
    """Returns which part of the main navigation a page belongs to, nothing where it is none's.

    Args:
        request: the request.
    """
    match = request.resolver_match
    if match is None or "playground" not in match.namespaces:
        return ""
    name = str(match.url_name)
    for section in ("checks", "profiles"):
        if name.startswith(section[:-1]):
            return section
    return "" if name.startswith(("log", "token", "job")) else "clusters"


def clusters_with_latest_run(user: Any) -> QuerySet[Cluster]:
    """Returns the clusters with their revision and latest run, in one query.

    Args:
        user: who asks.
    """
    latest = Run.objects.filter(cluster=OuterRef("pk")).order_by("-created_at", "id")
    rows: QuerySet[Cluster] = (
        Cluster.objects.of(workspace_of(user))
        .filter(revision__isnull=False)
        .select_related("revision")
        .defer("revision__warnings", "revision__errors")
        .annotate(**{f"latest_run_{name}": Subquery(latest.values(name)[:1]) for name in LATEST})
    )
    return rows


def cluster_card(cluster: Any) -> dict[str, Any]:
    """Returns a cluster as small multiples and page heads show it.

    Args:
        cluster: of `clusters_with_latest_run`.
    """
    revision = cluster.revision
    latest = latest_of(vars(cluster))
    return {
        "id": cluster.id,
        "name": cluster.name,
        "question": cluster.question,
        "description": cluster.description,
        "url": reverse("playground:cluster", args=[cluster.id]),
        "revision": revision.name,
        "created_at": cluster.created_at,
        "counts": revision.counts,
        "picture": revision.card.get("picture", {}),
        "num_odd": sum(each["count"] for each in revision.report.get("suspicious", [])),
        "is_redacted": revision.is_redacted,
        "latest_run": latest if latest["id"] else None,
        "pods": _pods(revision, latest),
    }


def latest_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the latest run of a row of `clusters_with_latest_run`, all None where there is none.

    Args:
        row: its columns.
    """
    return {name: row[f"latest_run_{name}"] for name in LATEST}


def pods_of(revision_id: int, counts: dict[str, int], latest: dict[str, Any]) -> tuple[int, int]:
    """Returns how many pods wait and how many have a node: as the latest run left them, else as they came.

    Args:
        revision_id: the newest revision's; a run of another says nothing of it.
        counts: the revision's.
        latest: as `latest_of` gives it.
    """
    if latest["status"] == RunStatus.FINISHED and latest["revision_id"] == revision_id:
        return latest["num_pending"], latest["num_bound"]
    return counts["pending"], counts["bound"]


def _pods(revision: Any, latest: dict[str, Any]) -> dict[str, Any]:
    """Returns how many pods wait of how many, and why."""
    pending, bound = pods_of(revision.id, revision.counts, latest)
    is_run = latest["status"] == RunStatus.FINISHED and latest["revision_id"] == revision.id
    why = latest["why"] if is_run else revision.card.get("why", [])
    return {
        "pending": pending,
        "all": pending + bound,
        "reason": why[0][0] if pending and why else "",
        "others": max(0, len(why) - 1),
        "wanted": revision.card.get("wanted", 0),
    }


def items_of(rows: Any) -> list[dict[str, Any]]:
    """Returns the first rows of nodes or pods as the API's items.

    Args:
        rows: a query set of rows with `item`.
    """
    return list(rows.values_list("item", flat=True)[:MAX_ROWS])


def api_urls(cluster_id: str, revision: str) -> dict[str, str]:
    """Returns the API's addresses for a revision.

    Args:
        cluster_id: the cluster.
        revision: its short name.
    """
    root = f"/api/v1/clusters/{cluster_id}"
    return {
        "cluster_url": root,
        **{f"{noun}_url": f"{root}/{noun}?revision={revision}" for noun in ("nodes", "pods", "resources")},
    }
