"""The examples as the start page tells them: questions by topic, each a run in one click."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from playground.api.run_start import start_run
from playground.clusters.examples import Example, asked_by, examples, find_example, load_example
from playground.models import workspace_of


def gallery() -> list[dict[str, Any]]:
    """Returns the topics with their examples, in the order in which the examples name them."""
    topics: dict[str, list[dict[str, Any]]] = {}
    for example in examples():
        topics.setdefault(example.topic, []).append(_card(example))
    return [{"title": title, "examples": cards} for title, cards in topics.items()]


def _card(example: Example) -> dict[str, Any]:
    summary = example.summary
    return {
        "slug": example.slug,
        "question": example.question,
        "description": example.description,
        "counts": summary.counts,
        "picture": summary.card["picture"],
        "has_scenario": example.scenario is not None,
        "has_profile": example.profile is not None,
    }


@require_POST
def run_example_form(request: HttpRequest, slug: str) -> HttpResponse:
    """Starts a run of an example and opens it where the answer is; loads its cluster if need be."""
    example = _example(slug)
    cluster = load_example(workspace_of(request.user), example)
    run = start_run(cluster, profile=cluster.profile, **asked_by(example))
    return redirect(f"{reverse('playground:run', args=[run.id])}?{example.look}")


@require_POST
def load_example_form(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows an example's cluster; loads it if need be."""
    return redirect("playground:cluster", load_example(workspace_of(request.user), _example(slug)).id)


def _example(slug: str) -> Example:
    found = find_example(slug)
    if found is None:
        raise Http404
    return found
