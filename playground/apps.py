"""The application's entry in Django's registry."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

LOCAL_WORKSPACE_ID = "local"


def tune_sqlite(*, connection: Any, **kwargs: object) -> None:
    """Sets what SQLite keeps per connection; the write-ahead log itself is asked for in the settings."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=NORMAL")
            cursor.execute("PRAGMA cache_size=-16000")


def make_local_workspace(*, sender: AppConfig, using: str, **kwargs: object) -> None:
    """Makes the workspace that everything belongs to while there is no login, as soon as there are tables."""
    workspaces: Any = sender.get_model("Workspace")
    workspaces.objects.using(using).get_or_create(id=LOCAL_WORKSPACE_ID, defaults={"name": "This machine"})


class PlaygroundConfig(AppConfig):
    """The application."""

    name = "playground"
    verbose_name = "Scheduler Playground"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        connection_created.connect(tune_sqlite, dispatch_uid="playground-sqlite")
        post_migrate.connect(make_local_workspace, sender=self, dispatch_uid="playground-workspace")
