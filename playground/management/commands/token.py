"""`manage.py token`: makes, lists and revokes access tokens where there is no browser."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from playground.apps import LOCAL_WORKSPACE_ID
from playground.models import AccessToken, Scope, workspace_of


class Command(BaseCommand):
    """Access tokens."""

    help = "Makes, lists and revokes access tokens."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        create = actions.add_parser("create", help="make a token and print it, this once")
        create.add_argument("name", help="what it is for")
        create.add_argument("--scope", choices=Scope.values, default=Scope.CHECK.value)
        create.add_argument("--days", type=int, default=90, help="0 for a token that does not end by itself")
        create.add_argument("--user", default="", help="in whose workspace; this machine's by default")
        actions.add_parser("list", help="list the tokens")
        revoke = actions.add_parser("revoke", help="revoke a token")
        revoke.add_argument("prefix", help="the letters between the two underscores")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        getattr(self, f"_{action}")(options)

    def _create(self, options: dict[str, Any]) -> None:
        user = None
        if options["user"]:
            user = get_user_model().objects.filter(username=options["user"]).first()
            if user is None:
                raise CommandError(
                    f"There is no user {options['user']!r}; `manage.py createsuperuser` makes one."
                )
        expires_at = timezone.now() + timedelta(days=options["days"]) if options["days"] > 0 else None
        workspace_id = workspace_of(user) if user else LOCAL_WORKSPACE_ID
        _token, text = AccessToken.issue(workspace_id, options["name"], [options["scope"]], expires_at, user)
        self.stdout.write(text)

    def _list(self, options: dict[str, Any]) -> None:
        for token in AccessToken.objects.select_related("workspace"):
            until = f"until {token.expires_at:%Y-%m-%d}" if token.expires_at else "for ever"
            state = "expired" if token.is_expired else until
            self.stdout.write(
                f"{token.prefix}  {','.join(token.scopes)}  {state}  {token.workspace.name}  {token.name}"
            )

    def _revoke(self, options: dict[str, Any]) -> None:
        removed, _ = AccessToken.objects.filter(prefix=options["prefix"]).delete()
        if not removed:
            raise CommandError(f"There is no token {options['prefix']!r}; `manage.py token list` lists them.")
