"""Who owns a row: every other row belongs to a workspace, and every query goes through it."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db import models

from playground.apps import LOCAL_WORKSPACE_ID
from playground.models.fields import IdField

M = TypeVar("M", bound=models.Model)


class Workspace(models.Model):
    """A set of clusters, profiles, scenarios and runs that the same people may see. Local mode has one."""

    id = IdField()
    name = models.CharField(max_length=200)
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


def workspace_of(user: object = None) -> str:
    """Returns the workspace that a request, a page or a socket works in.

    Args:
        user: who asks. Local mode has no users, and one workspace for whoever sits at this machine.
    """
    return LOCAL_WORKSPACE_ID
