"""The page of two runs side by side."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from playground.api.run_compare import MAX_EVENTS_HERE
from playground.api.runs import owned_runs
from playground.models import Run
from playground.runs.compare import compared
from playground.views.context import MAX_ROWS
from playground.views.family import outcome_of, title_of

WAIT_CLASSES = ("not at all", "≤ 10 ms", "≤ 100 ms", "≤ 1 s", "≤ 10 s", "≤ 1 min", "≤ 10 min", "longer")


@require_safe
def compare_page(request: HttpRequest, run_id: str, other_id: str) -> HttpResponse:
    """Shows what is different in the other run; of long runs only when it is asked for, or by the elements."""
    rows = owned_runs(request.user).select_related("revision", "cluster")
    before, after = (get_object_or_404(rows, id=each) for each in (run_id, other_id))
    is_short = before.last_seq + after.last_seq <= MAX_EVENTS_HERE
    comparison = compared(before, after) if is_short or "now" in request.GET else None
    cards = _card(before), _card(after)
    context: dict[str, Any] = {
        "before": cards[0],
        "after": cards[1],
        "sides": list(zip(("Before", "After"), cards, strict=True)),
        "comparison": comparison,
        "more_placements": max(0, comparison["num_placements"] - MAX_ROWS) if comparison else 0,
        "waits": _waits(comparison) if comparison else [],
        "max_rows": f":{MAX_ROWS}",
    }
    return render(request, "playground/compare.html", context)


@require_safe
def compare_form(request: HttpRequest) -> HttpResponse:
    """Goes to the comparison of the two runs that a form names."""
    runs = [request.GET.get(name, "") for name in ("before", "after")]
    known = owned_runs(request.user).filter(id__in=runs).values_list("id", flat=True)
    if set(runs) - set(known):
        raise Http404
    return redirect("playground:run-compare", *runs)


def _card(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "title": title_of(run),
        "outcome": outcome_of(run),
        "status": run.status,
        "cluster": run.cluster,
        "revision": run.revision.name,
        "forked_at": (run.fork or {}).get("num_cycles", 0) + 1 if run.fork else None,
    }


def _waits(comparison: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns how many pods waited how long in each run."""
    classes = zip(
        WAIT_CLASSES, *(comparison[f"waits_{run}"]["classes"] for run in ("before", "after")), strict=True
    )
    return [{"words": words, "before": before, "after": after} for words, before, after in classes]
