"""Django's admin: to look, not to edit; content is immutable."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from playground.models import AccessToken, Check, Cluster, Profile, Run, Scenario, Workspace


class ReadOnly(admin.ModelAdmin):
    """Shows rows and lets one delete them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Run)
class RunAdmin(ReadOnly):
    """Runs."""

    list_display = ("id", "cluster", "status", "num_cycles", "created_at", "finished_at")
    list_filter = ("status",)


@admin.register(Cluster)
class ClusterAdmin(ReadOnly):
    """Clusters."""

    list_display = ("id", "name", "example", "created_at")


@admin.register(Workspace)
class WorkspaceAdmin(ReadOnly):
    """Workspaces; who is a member is decided here."""

    list_display = ("id", "name", "created_at")
    fields = ("name", "members")
    filter_horizontal = ("members",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnly):
    """Tokens: to see and to revoke."""

    list_display = ("prefix", "name", "workspace", "user", "expires_at", "last_used_at")
    exclude = ("digest",)


admin.site.register([Profile, Scenario, Check], ReadOnly)
