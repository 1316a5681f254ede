"""The one error shape: problem details (RFC 9457) with the list of located errors."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.http import JsonResponse

PROBLEM_JSON = "application/problem+json"


def problem(status: int, detail: str, errors: Sequence[Any] = ()) -> dict[str, Any]:
    """Returns problem details.

    Args:
        status: the HTTP status.
        detail: a sentence.
        errors: located errors, as dicts.
    """
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": detail,
        "errors": list(errors),
    }


def problem_response(status: int, detail: str, errors: Sequence[Any] = ()) -> JsonResponse:
    """Returns problem details as Django's response.

    Args:
        status: the HTTP status.
        detail: a sentence.
        errors: located errors, as dicts.
    """
    return JsonResponse(problem(status, detail, errors), status=int(status), content_type=PROBLEM_JSON)
