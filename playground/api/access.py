"""Who asks, and what they may: a token, a login, or whoever sits at this machine."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from playground.models import AccessToken, Scope, allows

REALM = 'Bearer realm="Scheduler Playground"'
MAX_TOKEN = 200


class LocalPerson:
    """Whoever sits at this machine; there is one workspace and all of it is theirs."""

    is_authenticated = True
    pk = None


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer spp_…`."""

    def authenticate(self, request: Request) -> tuple[AccessToken, AccessToken] | None:
        header = request.headers.get("Authorization", "")
        kind, _, text = header.strip().partition(" ")
        if not header or (kind.lower() != "bearer" and not settings.LOGIN_REQUIRED):
            return None
        if kind.lower() != "bearer" or not text.strip():
            raise AuthenticationFailed("Authorization must be `Bearer` and a token.")
        token = AccessToken.find(text.strip()[:MAX_TOKEN])
        if token is None:
            raise AuthenticationFailed("This token is not known: it was revoked, or mistyped.")
        if token.is_expired:
            raise AuthenticationFailed(f"This token has expired at {token.expires_at:%Y-%m-%dT%H:%M:%SZ}.")
        token.note_use()
        return token, token

    def authenticate_header(self, request: Request) -> str:
        return REALM


class LoginAuthentication(BaseAuthentication):
    """The session of a page. Only a browser has one, and a browser says where a change comes from."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        user: Any = getattr(request._request, "user", None)
        if not settings.LOGIN_REQUIRED or user is None or not user.is_authenticated:
            return None
        says_where = "Origin" in request.headers or "Sec-Fetch-Site" in request.headers
        if request.method not in SAFE_METHODS and not says_where:
            raise PermissionDenied("A change made with a login must come from a page (no Origin was sent).")
        return user, None


class LocalAuthentication(BaseAuthentication):
    """Nobody needs to log in on one machine."""

    def authenticate(self, request: Request) -> tuple[LocalPerson, None] | None:
        return None if settings.LOGIN_REQUIRED else (LocalPerson(), None)


def scope_of(request: Request, view: Any) -> str:
    """Returns the scope that a request needs.

    Args:
        request: the request.
        view: it may name a `write_scope` for what changes something.
    """
    if request.method in SAFE_METHODS:
        return Scope.READ
    return str(getattr(view, "write_scope", Scope.WRITE))


class HasScope(BasePermission):
    """Lets tokens do what their scopes say, and people who are logged in everything in their workspace."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not getattr(request.user, "is_authenticated", False):
            return False
        token = request.auth
        if not isinstance(token, AccessToken):
            return True
        wanted = scope_of(request, view)
        if not allows(token.scopes, wanted):
            raise PermissionDenied(
                f"This needs a token with scope `{wanted}`; this one has {', '.join(token.scopes) or 'none'}."
            )
        return True


class IsPerson(BasePermission):
    """Lets people in, not tokens: a token cannot make itself another that outlives it."""

    message = "Tokens are made and revoked by people who are logged in, or by `manage.py token`."

    def has_permission(self, request: Request, view: Any) -> bool:
        return not isinstance(request.auth, AccessToken)


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema tells of tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token: `Authorization: Bearer spp_…`, made on the page Tokens or by "
            "`manage.py token create`. Its scope is `read`, `check` or `write`, each with those before it.",
        }
