"""A KubeSchedulerConfiguration as a form, and a form as its text; and what a form can choose from."""

from __future__ import annotations

from typing import Any

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.errors import UnprocessableError
from playground.api.fields import KnownFields, PlainObject
from playground.api.profiles import MAX_CONFIG


class ConfigText(KnownFields):
    """A configuration's text; nothing means the defaults."""

    config = serializers.CharField(max_length=MAX_CONFIG, allow_blank=True, trim_whitespace=False)


class FormAndText(KnownFields):
    """A form, and the text that it changes."""

    form = PlainObject(max_bytes=MAX_CONFIG, help_text="as `POST /profiles/form` answers it")
    config = serializers.CharField(
        max_length=MAX_CONFIG, allow_blank=True, trim_whitespace=False, default="",
        help_text="the text so far: what the form does not show is taken over",
    )  # fmt: skip


FORM_ANSWER = inline_serializer(
    "ProfileForm",
    {
        "form": serializers.DictField(help_text="profiles with `points`, `args`, and the settings of all"),
        "differences": serializers.ListField(
            child=serializers.DictField(), help_text="what is not as by default, each with a sentence `text`"
        ),
    },
)


class ProfileCatalogue(APIView):
    """What a profile can be made of."""

    @extend_schema(
        tags=["profiles"],
        operation_id="profiles_catalogue",
        summary="List the plugins",
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request) -> Response:
        """Answers every in-tree plugin with its points, default weight and arguments, and the default order."""
        from scheduler_core.planning import profiles  # the whole engine: only who opens the form waits for it

        found = {"plugins": profiles.catalogue(), "points": profiles.default_points()}
        return Response(msgspec.to_builtins(found))


class ProfileFormRead(APIView):
    """From text to form."""

    write_scope = "read"

    @extend_schema(
        tags=["profiles"],
        operation_id="profiles_form",
        summary="Read a configuration as a form",
        request=ConfigText,
        responses={200: FORM_ANSWER},
    )
    def post(self, request: Request) -> Response:
        """Answers the form of a text; what kube-scheduler would not start with is refused with its place (422)."""
        from scheduler_core.planning import profiles

        asked = ConfigText(data=request.data)
        asked.is_valid(raise_exception=True)
        return Response(_told(profiles.read_form(asked.validated_data["config"])))


class ProfileFormWrite(APIView):
    """From form to text."""

    write_scope = "read"

    @extend_schema(
        tags=["profiles"],
        operation_id="profiles_text",
        summary="Write a form as a configuration",
        request=FormAndText,
        responses={200: ConfigText},
    )
    def post(self, request: Request) -> Response:
        """Answers the shortest YAML that says what the form says."""
        from scheduler_core.planning import profiles

        asked = FormAndText(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            form = msgspec.convert(asked.validated_data["form"], profiles.ConfigForm)
        except msgspec.ValidationError as wrong:
            raise UnprocessableError.of("form", str(wrong)) from wrong
        return Response({"config": profiles.write_form(form, asked.validated_data["config"])})


def _told(form: Any) -> dict[str, Any]:
    from scheduler_core.planning import profiles

    found: dict[str, Any] = msgspec.to_builtins({"form": form, "differences": profiles.differences(form)})
    return found
