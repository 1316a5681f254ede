"""Access tokens: made, listed and revoked by people."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.access import HasScope, IsPerson
from playground.api.fields import KnownFields, NameText
from playground.models import AccessToken, Scope, workspace_of

MAX_DAYS = 3650


class TokenSerializer(serializers.ModelSerializer[AccessToken]):
    """A token, without its text."""

    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))

    class Meta:
        model = AccessToken
        fields = ["id", "name", "prefix", "scopes", "created_at", "expires_at", "last_used_at"]
        read_only_fields = fields


class NewTokenSerializer(KnownFields):
    """What a token is to be."""

    name = NameText(help_text="what it is for")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(Scope.choices), min_length=1, max_length=len(Scope.values)
    )
    expires_in_days = serializers.IntegerField(
        min_value=1, max_value=MAX_DAYS, required=False, allow_null=True, default=90,
        help_text="null for a token that does not end by itself",
    )  # fmt: skip


class IssuedTokenSerializer(TokenSerializer):
    """A token as it is shown once."""

    token = serializers.CharField(help_text="shown now and never again: only its digest is kept")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token"]
        read_only_fields = fields


def issue(user: Any, name: str, scopes: list[str], days: int | None) -> tuple[AccessToken, str]:
    """Makes a token in the workspace of a person.

    Args:
        user: who makes it.
        name: what it is for.
        scopes: of `Scope`.
        days: how long it lives; None for ever.

    Returns:
        The token and its text.
    """
    expires_at = None if days is None else timezone.now() + timedelta(days=days)
    owner = user if getattr(user, "pk", None) is not None else None
    return AccessToken.issue(workspace_of(user), name, scopes, expires_at, owner)


@extend_schema(tags=["tokens"])
@extend_schema_view(
    list=extend_schema(summary="List tokens"),
    destroy=extend_schema(
        summary="Revoke a token", responses={204: OpenApiResponse(description="It opens nothing any more.")}
    ),
)
class TokenViewSet(mixins.ListModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet[AccessToken]):
    """Tokens, newest first."""

    serializer_class = TokenSerializer
    queryset = AccessToken.objects.none()
    permission_classes = [HasScope, IsPerson]
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        return AccessToken.objects.of(workspace_of(self.request.user))

    @extend_schema(summary="Make a token", request=NewTokenSerializer, responses={201: IssuedTokenSerializer})
    def create(self, request: Request) -> Response:
        """Answers the token's text, this once."""
        asked = NewTokenSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        token, text = issue(request.user, wanted["name"], wanted["scopes"], wanted["expires_in_days"])
        shown = {**TokenSerializer(token).data, "token": text}
        return Response(shown, status=201, headers={"Cache-Control": "no-store"})
