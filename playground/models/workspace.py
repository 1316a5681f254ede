"""Who owns a row: every other row belongs to a workspace, and every query goes through it."""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import models, transaction

from playground.apps import LOCAL_WORKSPACE_ID
from playground.models.fields import IdField

M = TypeVar("M", bound=models.Model)


class Workspace(models.Model):
    """A set of clusters, profiles, scenarios and runs that the same people may see. Local mode has one."""

    id = IdField()
    name = models.CharField(max_length=200)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="workspaces", blank=True)
    examples_loaded = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class OwnedQuerySet(models.QuerySet[M]):
    """Rows with a workspace column."""

    def of(self, workspace_id: str) -> Any:
        """Returns the rows of a workspace; the first step of each query.

        Args:
            workspace_id: the workspace's identifier.
        """
        return self.filter(workspace_id=workspace_id)


def workspace_of(user: Any = None) -> str:
    """Returns the workspace that a request, a page or a socket works in.

    Args:
        user: who asks: a user, a token, or nobody. On one machine without login all share one workspace.

    Raises:
        PermissionDenied: nobody asks where a login is needed.
    """
    known = getattr(user, "workspace_id", None)
    if known:
        return str(known)
    if not settings.LOGIN_REQUIRED:
        return LOCAL_WORKSPACE_ID
    if user is None or not user.is_authenticated:
        raise PermissionDenied("This needs a login or a token.")
    user.workspace_id = _workspace_of_member(user).id
    return str(user.workspace_id)


def _workspace_of_member(user: Any) -> Workspace:
    """Returns the first workspace a user is in, one of their own where there is none yet."""
    found = Workspace.objects.filter(members=user).order_by("created_at", "id").first()
    if found is None:
        with transaction.atomic():
            found = Workspace.objects.create(name=str(user))
            found.members.add(user)
    return found
