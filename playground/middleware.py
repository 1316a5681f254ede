"""What every request passes: foreign origins, NUL bytes, the login, static files; and how the API's answers travel."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.defaults import bad_request
from whitenoise.middleware import WhiteNoiseMiddleware

from playground.origins import is_own_origin
from playground.problems import problem_response
from playground.storage import sentence_of

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
API_ROOT = "/api/"
GZIP_FROM_BYTES = 1 << 10
GZIP_LEVEL = 1
ETAG_DIGITS = 32


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
            return self._unreadable(request)
        if request.method not in SAFE_METHODS and not is_own_request(request, host):
            return problem_response(
                HTTPStatus.FORBIDDEN,
                "This request was sent by a page of another site (Origin and Host differ).",
            )
        return self.get_response(request)

    @staticmethod
    def _unreadable(request: HttpRequest) -> HttpResponse:
        words = "The address holds a NUL byte."
        if request.path.startswith(API_ROOT):
            return problem_response(HTTPStatus.BAD_REQUEST, words)
        return bad_request(request, SuspiciousOperation(words))


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


class StorageMiddleware:
    """Answers a full disk or a damaged database with a sentence."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Returns the answer where the storage is the cause."""
        words = sentence_of(exception, settings.VAR_DIR)
        if words is None:
            return None
        if request.path.startswith(API_ROOT):
            return problem_response(HTTPStatus.INSUFFICIENT_STORAGE, words)
        return HttpResponse(words, status=HTTPStatus.INSUFFICIENT_STORAGE, content_type="text/plain")


class LoginMiddleware(LoginRequiredMiddleware):
    """Django's, where a login is needed at all; the API answers for itself."""

    def process_view(
        self, request: HttpRequest, view_func: Any, view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        if not settings.LOGIN_REQUIRED:
            return None
        return super().process_view(request, view_func, view_args, view_kwargs)


class ApiAnswersMiddleware:
    """Gives the API's answers what all of them have: quota headers, entity tags, 304, gzip where it is worth it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not request.path.startswith(API_ROOT):
            return response
        if isinstance(response, StreamingHttpResponse):
            return compressed_stream(request, response)
        if not isinstance(response, HttpResponse):
            return response
        for name, value in getattr(request, "answer_headers", {}).items():
            response[name] = value
        response.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(response, ("Accept", "Authorization", "Cookie"))
        if request.method in ("GET", "HEAD") and response.status_code == HTTPStatus.OK:
            response.setdefault("ETag", f'"{hashlib.sha256(response.content).hexdigest()[:ETAG_DIGITS]}"')
            conditional = get_conditional_response(request, response["ETag"], None, response)
            response = conditional if isinstance(conditional, HttpResponse) else response
        return compressed(request, response)


def compressed_stream(request: HttpRequest, response: StreamingHttpResponse) -> StreamingHttpResponse:
    """Returns an answer that is sent as it is made, packed where the client takes it.

    Args:
        request: what was asked.
        response: its body is an iterator.
    """
    patch_vary_headers(response, ("Accept", "Accept-Encoding", "Authorization", "Cookie"))
    response.setdefault("Cache-Control", "private, no-cache")
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return response
    body: Any = response.streaming_content
    response.streaming_content = _packed_later(body) if response.is_async else _packed(body)
    response["Content-Encoding"] = "gzip"
    return response


def _packed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields each piece as a gzip member of its own, which readers join."""
    for piece in pieces:
        yield gzip.compress(piece, GZIP_LEVEL, mtime=0)


async def _packed_later(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """As `_packed`, of an asynchronous iterator."""
    async for piece in pieces:
        yield gzip.compress(piece, GZIP_LEVEL, mtime=0)


def compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Returns an answer, packed where that saves much and the client takes it; fast rather than small.

    Args:
        request: what was asked.
        response: complete.
    """
    patch_vary_headers(response, ("Accept-Encoding",))
    accepted = request.headers.get("Accept-Encoding", "")
    is_small = len(response.content) < GZIP_FROM_BYTES
    if is_small or "gzip" not in accepted or response.has_header("Content-Encoding"):
        return response
    response.content = gzip.compress(response.content, GZIP_LEVEL, mtime=0)
    response["Content-Encoding"] = "gzip"
    response["Content-Length"] = str(len(response.content))
    etag = response.get("ETag", "")
    if etag and not etag.startswith("W/"):
        response["ETag"] = f"W/{etag}"
    return response
