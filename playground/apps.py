"""The application's entry in Django's registry."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created


def tune_sqlite(*, connection: Any, **kwargs: object) -> None:
    """Sets what SQLite keeps per connection; the write-ahead log itself is asked for in the settings."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=NORMAL")
            cursor.execute("PRAGMA cache_size=-16000")


class PlaygroundConfig(AppConfig):
    """The application."""

    name = "playground"
    verbose_name = "Scheduler Playground"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        connection_created.connect(tune_sqlite, dispatch_uid="playground-sqlite")
