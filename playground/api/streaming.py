"""Large answers, sent as they are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from functools import partial

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

PORTION_BYTES = 64 << 10
AT_ONCE_OBJECTS = 2000


def answer_with(
    request: Request | HttpRequest,
    pieces: Iterable[bytes],
    num_objects: int,
    content_type: str,
    headers: Mapping[str, str],
) -> HttpResponseBase:
    """Returns an answer made of pieces: a small one at once, a large one as it is made.

    Args:
        request: the request.
        pieces: of the body.
        num_objects: how many objects there will be in it.
        content_type: of the body.
        headers: others.
    """
    if num_objects <= AT_ONCE_OBJECTS:
        return HttpResponse(b"".join(pieces), content_type=content_type, headers=headers)
    portions = in_portions(pieces)
    is_asynchronous = isinstance(getattr(request, "_request", request), ASGIRequest)
    body = in_the_request_s_thread(portions) if is_asynchronous else portions
    return StreamingHttpResponse(body, content_type=content_type, headers=headers)


def in_portions(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yields small pieces together.

    Args:
        pieces: of any size.
    """
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= PORTION_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)


async def in_the_request_s_thread(portions: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yields what an iterator gives; it runs where the request's database connection is.

    Args:
        portions: an iterator that may wait.
    """
    following = sync_to_async(partial(next, portions, None))
    while (portion := await following()) is not None:
        yield portion
