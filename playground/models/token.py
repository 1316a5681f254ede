"""Access tokens: what a program shows instead of a login. Only a digest is kept; the text is shown once."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from playground.models.fields import ALPHABET, IdField, JSONTextField
from playground.models.workspace import OwnedQuerySet, Workspace

TAG = "spp"
PREFIX_LETTERS, SECRET_LETTERS = 8, 40
NOTE_USE_EVERY = timedelta(minutes=1)


class Scope(models.TextChoices):
    """What a token may do; each may do what those before it may."""

    READ = "read", "read everything in the workspace"
    CHECK = "check", "read, and start checks"
    WRITE = "write", "read, check, create, change and delete"


def allows(held: Sequence[str], wanted: str) -> bool:
    """Returns whether somebody who holds some scopes may do what needs another.

    Args:
        held: scopes.
        wanted: a scope.
    """
    order = Scope.values
    return any(order.index(scope) >= order.index(wanted) for scope in held)


def digest_of(text: str) -> str:
    """Returns the digest under which a token is kept: a plain hash is enough for 200 random bits."""
    return hashlib.sha256(text.encode()).hexdigest()


class AccessToken(models.Model):
    """A token. To the API it stands where a user would: it is authenticated and has a workspace."""

    id = IdField()
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="tokens")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True)
    name = models.CharField(max_length=200)
    prefix = models.CharField(
        max_length=PREFIX_LETTERS, unique=True, help_text="to look it up and to name it"
    )
    digest = models.CharField(max_length=64)
    scopes = JSONTextField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = OwnedQuerySet["AccessToken"].as_manager()

    is_authenticated = True

    class Meta:
        ordering = ["-created_at", "id"]

    def __str__(self) -> str:
        return f"{TAG}_{self.prefix}_… ({self.name})"

    @classmethod
    def issue(
        cls,
        workspace_id: str,
        name: str,
        scopes: Sequence[str],
        expires_at: datetime | None,
        user: Any = None,
    ) -> tuple[AccessToken, str]:
        """Makes a token.

        Args:
            workspace_id: what it opens.
            name: what it is for.
            scopes: of `Scope`.
            expires_at: when it ends; None for never.
            user: who made it; it goes when they go.

        Returns:
            The row and the text, which is nowhere else.
        """
        prefix, secret = (
            "".join(secrets.choice(ALPHABET) for _ in range(length))
            for length in (PREFIX_LETTERS, SECRET_LETTERS)
        )
        text = f"{TAG}_{prefix}_{secret}"
        token = cls.objects.create(
            workspace_id=workspace_id,
            user=user,
            name=name,
            prefix=prefix,
            digest=digest_of(text),
            scopes=[scope for scope in Scope.values if scope in scopes],
            expires_at=expires_at,
        )
        return token, text

    @classmethod
    def find(cls, text: str) -> AccessToken | None:
        """Returns the token with this text, whether it has expired or not; None where there is none.

        Args:
            text: as sent.
        """
        tag, _, rest = text.partition("_")
        prefix = rest.partition("_")[0]
        if tag != TAG or not (prefix.isascii() and prefix.isalnum()):
            return None
        found = cls.objects.filter(prefix=prefix).select_related("user").first()
        if found is None or not hmac.compare_digest(found.digest, digest_of(text)):
            return None
        return found if found.user is None or found.user.is_active else None

    @property
    def is_expired(self) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= timezone.now()

    def note_use(self) -> None:
        """Remembers that it was used, at most once a minute."""
        now = timezone.now()
        if self.last_used_at is None or now - self.last_used_at > NOTE_USE_EVERY:
            type(self).objects.filter(pk=self.pk).update(last_used_at=now)
