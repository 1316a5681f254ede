"""What every request passes before Django's own: foreign origins and NUL bytes end here, static files too."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from playground.origins import is_own_origin
from playground.problems import problem_response

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def is_own_request(request: HttpRequest, host: str) -> bool:
    """Returns whether no browser says that another site's page sent this.

    Args:
        request: of a method that changes something.
        host: the Host header.
    """
    is_foreign = request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    return not is_foreign and is_own_origin(request.headers.get("Origin"), host)


class SameOriginMiddleware:
    """Refuses what another site's page sends, and addresses that no row can have."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        host = request.get_host()
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            return problem_response(HTTPStatus.BAD_REQUEST, "The address holds a NUL byte.")
        if request.method not in SAFE_METHODS and not is_own_request(request, host):
            return problem_response(
                HTTPStatus.FORBIDDEN,
                "This request was sent by a page of another site (Origin and Host differ).",
            )
        return self.get_response(request)


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise, answering with the bytes at once: an ASGI server has no use for a synchronous iterator."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file:
                body = found.file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["content-type"]
        for key, value in found.headers:
            response[key] = value
        return response
