"""How many requests each may make, counted in the database so that n servers count together.

The answer says what is left, in the words of draft-ietf-httpapi-ratelimit-headers.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from playground.api.access import scope_of
from playground.models import AccessToken, Quota


class Standing(NamedTuple):
    """Where somebody stands in the window."""

    name: str
    limit: int
    window: int
    used: int
    reset: int

    @property
    def is_over(self) -> bool:
        """Whether this request is one too many."""
        return self.used > self.limit

    def headers(self) -> dict[str, str]:
        """Returns the headers of an answer."""
        left = max(0, self.limit - self.used)
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.limit};w={self.window}',
            "RateLimit": f'"{self.name}";r={left};t={self.reset}',
        }


def now() -> int:
    """Returns the time in seconds since 1970."""
    return int(time.time())


def count(who: str, name: str) -> Standing | None:
    """Counts a request.

    Args:
        who: the party that is counted.
        name: of the rate: a scope, or "login".

    Returns:
        Where they stand; None where there is no such rate.
    """
    rate = settings.RATES.get(name)
    if rate is None:
        return None
    limit, window = rate
    seconds = now()
    begin = seconds - seconds % window
    return Standing(name, limit, window, Quota.count(f"{name}:{who}", begin), begin + window - seconds)


def party_of(request: Request) -> str:
    """Returns whom a request counts for: its token, its user, else the address it came from."""
    user: Any = request.user
    if isinstance(user, AccessToken):
        return f"token:{user.pk}"
    if getattr(user, "pk", None) is not None:
        return f"user:{user.pk}"
    return f"address:{request.META.get('REMOTE_ADDR', '')}"


class QuotaThrottle(BaseThrottle):
    """Asks the database; DRF's own counts in a cache and loses count when requests race."""

    standing: Standing | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        self.standing = count(party_of(request), scope_of(request, view)) if settings.RATES else None
        if self.standing is None:
            return True
        request._request.answer_headers = self.standing.headers()  # type: ignore[attr-defined]
        return not self.standing.is_over

    def wait(self) -> float | None:
        return None if self.standing is None else float(self.standing.reset)
