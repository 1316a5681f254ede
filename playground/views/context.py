"""What the pages show, as plain dicts."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse

from playground.models import Cluster, Run, workspace_of

MAX_ROWS = 200
MAX_CLUSTERS = 100


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """Returns what every page gets.

    Args:
        request: the request.
    """
    return {
        "local_mode": not settings.DEPLOYED,
        "login_required": settings.LOGIN_REQUIRED,
        "max_upload_mb": settings.MAX_UPLOAD_BYTES >> 20,
    }


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
        .annotate(
            latest_run_id=Subquery(latest.values("id")[:1]),
            latest_run_status=Subquery(latest.values("status")[:1]),
            latest_run_pending=Subquery(latest.values("num_pending")[:1]),
        )
    )
    return rows


def cluster_card(cluster: Any) -> dict[str, Any]:
    """Returns a cluster as small multiples and page heads show it.

    Args:
        cluster: of `clusters_with_latest_run`.
    """
    revision = cluster.revision
    latest = None
    if cluster.latest_run_id:
        latest = {
            "id": cluster.latest_run_id,
            "status": cluster.latest_run_status,
            "num_pending": cluster.latest_run_pending,
            "url": reverse("playground:run", args=[cluster.latest_run_id]),
        }
    return {
        "id": cluster.id,
        "name": cluster.name,
        "question": cluster.question,
        "description": cluster.description,
        "is_example": bool(cluster.example),
        "url": reverse("playground:cluster", args=[cluster.id]),
        "revision": revision.name,
        "created_at": cluster.created_at,
        "counts": revision.counts,
        "tiles": revision.card.get("tiles", []),
        "pending": revision.card.get("pending", []),
        "latest_run": latest,
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
