"""`Prefer: wait=n`: the answer comes when the work is done, or after n seconds as it then stands."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

FIRST_LOOK_SECONDS, LAST_LOOK_SECONDS = 0.01, 0.25
PREFER = OpenApiParameter(
    "Prefer",
    {"type": "string", "examples": ["wait=30"]},
    OpenApiParameter.HEADER,
    description="`wait=30`: answer when the work is over, at the latest after so many seconds (60 at most). "
    "`Preference-Applied` says what was granted.",
)

AnyResponse = TypeVar("AnyResponse", bound=HttpResponse)

_waiting = threading.BoundedSemaphore(settings.MAX_WAITING)


def seconds_to_wait(request: Request) -> int:
    """Returns how long a request is ready to wait; 0 where it does not say, for a preference may be ignored.

    Args:
        request: the request.
    """
    found = re.search(
        r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,6})\"?\s*(?:$|[,;])", request.headers.get("Prefer", "")
    )
    return min(int(found[1]), settings.MAX_WAIT_SECONDS) if found else 0


def wait_until(request: Request, is_over: Callable[[], bool]) -> int:
    """Waits as long as a request prefers. Each takes a thread, so no more than some wait at a time.

    Args:
        request: the request.
        is_over: asks the database; called outside of any transaction.

    Returns:
        The seconds that were granted, 0 where none were.
    """
    seconds = seconds_to_wait(request)
    if not seconds or connection.in_atomic_block or not _waiting.acquire(blocking=False):
        return 0
    try:
        pause, end = FIRST_LOOK_SECONDS, time.monotonic() + seconds
        while not is_over() and (left := end - time.monotonic()) > 0:
            time.sleep(min(pause, left))
            pause = min(pause * 1.25, LAST_LOOK_SECONDS)
    finally:
        _waiting.release()
    return seconds


def note_waited(response: AnyResponse, seconds: int) -> AnyResponse:
    """Says in an answer that its request was waited for.

    Args:
        response: the answer.
        seconds: as `wait_until` gave it.
    """
    if seconds:
        response["Preference-Applied"] = f"wait={seconds}"
    return response
