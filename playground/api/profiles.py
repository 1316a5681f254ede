"""Scheduler configurations kept by name."""

from __future__ import annotations

import json
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.errors import ConflictError
from playground.api.fields import KnownFields, NameText
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.preconditions import IF_MATCH, check_preconditions, etag_of
from playground.models import Cluster, Profile, workspace_of
from scheduler_core.config import load_config

MAX_CONFIG = 256 << 10
MAX_NAMED = 3


class ProfileSerializer(KnownFields, serializers.ModelSerializer[Profile]):
    """A KubeSchedulerConfiguration; checked when it is stored."""

    name = NameText()
    config = serializers.CharField(
        max_length=MAX_CONFIG, allow_blank=True, trim_whitespace=False,
        help_text="YAML or JSON, kept as written; nothing means the defaults",
    )  # fmt: skip

    def validate_config(self, value: str) -> str:
        load_config(value)
        return value

    class Meta:
        model = Profile
        fields = ["id", "name", "config", "created_at"]


@extend_schema(tags=["profiles"])
@extend_schema_view(
    list=extend_schema(summary="List profiles"),
    create=extend_schema(summary="Keep a profile", parameters=[IDEMPOTENCY_KEY]),
    update=extend_schema(summary="Replace a profile", parameters=[IF_MATCH]),
    partial_update=extend_schema(summary="Change a profile's name or configuration", parameters=[IF_MATCH]),
)
class ProfileViewSet(viewsets.ModelViewSet[Profile]):
    """Profiles, newest first. A run takes a copy, so changing one changes no run."""

    serializer_class = ProfileSerializer
    queryset = Profile.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        return Profile.objects.of(workspace_of(self.request.user))

    @extend_schema(summary="Read a profile")
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Answers the text as it was written; its ETag is what `If-Match` takes."""
        return self._answer(self.get_object())

    @idempotent
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Keeps a configuration; what kube-scheduler would not start with is refused with its place."""
        return super().create(request, *args, **kwargs)

    def perform_create(self, serializer: Any) -> None:
        serializer.save(workspace_id=workspace_of(self.request.user))

    def update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """With `If-Match`, refuses (412) where somebody else has changed it meanwhile."""
        with transaction.atomic():
            profile = self._locked(request)
            asked = self.get_serializer(profile, data=request.data, partial=kwargs.get("partial", False))
            asked.is_valid(raise_exception=True)
            asked.save()
        return self._answer(profile)

    @extend_schema(
        summary="Delete a profile",
        parameters=[IF_MATCH],
        responses={
            204: OpenApiResponse(description="Gone; runs have their copy."),
            409: OpenApiResponse(description="A cluster runs with it."),
        },
    )
    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Deletes it, unless it is the configuration that a cluster came with."""
        with transaction.atomic():
            profile = self._locked(request)
            refuse_where_used(profile)
            profile.delete()
        return Response(status=204)

    def _locked(self, request: Request) -> Profile:
        rows = self.get_queryset().select_for_update()
        profile: Profile = get_object_or_404(rows, pk=self.kwargs["pk"])
        check_preconditions(request, f"The profile {profile.name}", _text_of(profile))
        return profile

    def _answer(self, profile: Profile) -> Response:
        return Response(self.get_serializer(profile).data, headers={"ETag": profile_etag(profile)})


def refuse_where_used(profile: Profile) -> None:
    """Holds a deletion against the clusters that run with the profile.

    Args:
        profile: to be deleted.

    Raises:
        ConflictError: with the clusters' names.
    """
    names = list(Cluster.objects.filter(profile=profile).values_list("name", flat=True)[: MAX_NAMED + 1])
    if not names:
        return
    shown = ", ".join(names[:MAX_NAMED]) + (" and more" if len(names) > MAX_NAMED else "")
    one = len(names) == 1
    raise ConflictError(
        f"The cluster{'' if one else 's'} {shown} run{'s' if one else ''} with this configuration. "
        f"Delete {'it' if one else 'them'} first, or change the profile instead."
    )


def profile_etag(profile: Profile) -> str:
    """Returns the entity tag of a profile: a name made from what can be changed.

    Args:
        profile: as it is stored.
    """
    return etag_of(_text_of(profile))


def _text_of(profile: Profile) -> str:
    return json.dumps([profile.name, profile.config])
