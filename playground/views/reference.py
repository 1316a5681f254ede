"""The reference of the API, made from its schema: everything on one page, complete without JavaScript."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.api.describe import reference


@require_safe
def reference_page(request: HttpRequest) -> HttpResponse:
    """Shows every address, what it takes and what it answers."""
    context = {**reference(settings.LOGIN_REQUIRED), "server": request.build_absolute_uri("/").rstrip("/")}
    return render(request, "playground/reference.html", {**context, "rates": settings.RATES})
