"""The clusters on the start page: a page of them, in an order, with a word in their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest

from playground.models import Cluster
from playground.views.context import LATEST, cluster_card, clusters_with_latest_run, latest_of, pods_of

PAGE: Final = 48
FEW: Final = 6
"""With more clusters there is something to find and to order."""

ORDERS: Final = {
    "": "newest first",
    "name": "by name",
    "pending": "most pending first",
    "nodes": "largest first",
}
MAX_FIND: Final = 100


def shelf(request: HttpRequest) -> dict[str, Any]:
    """Returns the clusters that are no examples, as the address asks for them.

    Args:
        request: with `find`, `order` and `page`, or none of them.
    """
    asked = request.GET
    find = asked.get("find", "").strip()[:MAX_FIND]
    order = asked.get("order", "")
    page = int(asked.get("page", "")) if asked.get("page", "").isdecimal() else 1
    page = max(1, min(page, 10_000))
    rows = clusters_with_latest_run(request.user).filter(example="")
    if find:
        rows = rows.filter(name__icontains=find)
    found = _some(rows, order, (page - 1) * PAGE)
    return {
        "clusters": [cluster_card(cluster) for cluster in found[:PAGE]],
        "find": find,
        "order": order if order in ORDERS else "",
        "orders": ORDERS.items(),
        "is_many": len(found) > FEW or page > 1 or bool(find),
        "before": page - 1 if page > 1 else None,
        "after": page + 1 if len(found) > PAGE else None,
    }


def _some(rows: QuerySet[Cluster], order: str, first: int) -> list[Cluster]:
    """Returns a page of clusters and one more, if there is one."""
    end = first + PAGE + 1
    if order not in BY_NUMBER:
        return list((rows.order_by("name", "id") if order == "name" else rows)[first:end])
    names = ("id", "revision_id", "revision__counts", *(f"latest_run_{name}" for name in LATEST))
    ordered = sorted(rows.values(*names), key=BY_NUMBER[order])
    keys = [row["id"] for row in ordered[first:end]]
    known = {row.id: row for row in rows.filter(id__in=keys)}
    return [known[key] for key in keys if key in known]


BY_NUMBER: Final[dict[str, Callable[[dict[str, Any]], int]]] = {
    "pending": lambda row: -pods_of(row["revision_id"], row["revision__counts"], latest_of(row))[0],
    "nodes": lambda row: -row["revision__counts"]["nodes"],
}
