"""Checks: asked, listed, read, and told in the forms that CI servers and code hosts read."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.parsers import MultiPartParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.check_input import FORM, NewCheckSerializer, body_of_check, question_bytes
from playground.api.clusters import owned_clusters
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.jobs import JobSerializer, accepted, follow, start_job
from playground.api.objects import named_revision
from playground.api.pagination import choice_parameter
from playground.api.parsers import StrictJSONParser
from playground.api.runs import owned
from playground.api.waiting import PREFER
from playground.jobs.checks import INPUT_NAME, KIND, question_of
from playground.models import Check, Job, Outcome, Profile, Scope, workspace_of
from playground.models.fields import new_id
from scheduler_core.checks.reports import MEDIA_TYPES, render

OUTCOME_HEADER = "Playground-Outcome"
REPORTS = {name: media.partition(";")[0] for name, media in MEDIA_TYPES.items()}
FORMAT = OpenApiParameter(
    "format", str, enum=list(REPORTS), description="of the report; else what Accept says, else JSON"
)


def report_bodies(status: int) -> dict[Any, Any]:
    """Returns how the schema tells of a report.

    Args:
        status: of the answer.
    """
    json_like = OpenApiTypes.OBJECT
    return {
        (status, media): json_like if media.endswith("json") else OpenApiTypes.STR
        for media in REPORTS.values()
    }


class CheckSerializer(serializers.ModelSerializer[Check]):
    """A check without its verdict."""

    cluster = serializers.CharField(source="cluster_id")
    revision = serializers.CharField(source="revision.name")
    profile = serializers.CharField(source="profile_id", allow_null=True)
    outcome = serializers.ChoiceField(Outcome.choices)
    counts = serializers.DictField(child=serializers.IntegerField())
    run = serializers.CharField(
        source="run_id", allow_null=True, help_text="the run that shows it, once it was started"
    )

    class Meta:
        model = Check
        fields = [
            *("id", "cluster", "revision", "profile", "name", "outcome", "summary", "counts"),
            *("run", "created_at", "finished_at"),
        ]


class CheckReadSerializer(CheckSerializer):
    """A check with its question and its verdict."""

    question = serializers.DictField(help_text="what was asked, as the command line takes it")
    verdict = serializers.DictField(help_text="docs/reference/verdict.schema.json describes it")

    class Meta(CheckSerializer.Meta):
        fields = [*CheckSerializer.Meta.fields, "question", "verdict"]


def _renderer(name: str, media: str) -> type[JSONRenderer]:
    return type(f"{name.title()}Renderer", (JSONRenderer,), {"media_type": media, "format": name})


REPORT_RENDERERS = [
    JSONRenderer,
    *(_renderer(name, media) for name, media in REPORTS.items() if name != "json"),
]


@extend_schema(tags=["checks"])
@extend_schema_view(
    destroy=extend_schema(summary="Delete a check", responses={204: OpenApiResponse(description="Gone.")})
)
class CheckViewSet(
    mixins.ListModelMixin, mixins.RetrieveModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet[Check]
):
    """Checks, newest first."""

    serializer_class = CheckSerializer
    queryset = Check.objects.none()
    lookup_value_regex = "[^/]+"
    parser_classes = [StrictJSONParser, MultiPartParser]

    @property
    def write_scope(self) -> str:
        return Scope.CHECK if self.action == "create" else Scope.WRITE

    def get_renderers(self) -> list[Any]:
        has_report = self.action in ("create", "report")
        classes: Any = REPORT_RENDERERS if has_report else self.renderer_classes
        return [each() for each in classes]

    def get_queryset(self) -> Any:
        rows = Check.objects.of(workspace_of(self.request.user)).select_related("revision")
        if cluster := self.request.query_params.get("cluster"):
            rows = rows.filter(cluster_id=cluster)
        if outcome := choice_parameter(self.request, "outcome", Outcome.values):
            rows = rows.filter(outcome=outcome)
        return rows.defer("question", "verdict") if self.action == "list" else rows

    @extend_schema(
        summary="List checks",
        parameters=[
            OpenApiParameter("cluster", str),
            OpenApiParameter("outcome", str, enum=Outcome.values),
        ],
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Lists the checks that have a verdict; those under way are jobs of kind `check`."""
        return super().list(request, *args, **kwargs)

    @extend_schema(summary="Read a check", responses={200: CheckReadSerializer})
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Answers question and verdict."""
        check = self.get_object()
        return Response(
            {
                **CheckSerializer(check).data,
                "question": msgspec.json.decode(check.question),
                "verdict": msgspec.json.decode(check.verdict),
            }
        )

    @extend_schema(
        summary="Read a check's report",
        parameters=[FORMAT],
        responses=report_bodies(200),
        operation_id="check_report",
    )
    @action(detail=True, methods=["get"])
    def report(self, request: Request, pk: str) -> HttpResponse:
        """Answers the verdict as JSON, JUnit XML, SARIF, GitHub annotations, Markdown or text."""
        wanted = choice_parameter(request, "format", list(REPORTS)) or request.accepted_renderer.format
        return report_of(self.get_object(), wanted)

    @extend_schema(
        summary="Start a check",
        parameters=[PREFER, IDEMPOTENCY_KEY, FORMAT],
        request={
            "application/json": NewCheckSerializer,
            "multipart/form-data": FORM,
        },
        responses={
            **report_bodies(201),
            (202, "application/json"): JobSerializer,
            404: OpenApiResponse(description="There is no such cluster, revision or profile."),
            409: OpenApiResponse(description="It was cancelled, or its cluster deleted, meanwhile."),
        },
    )
    def create(self, request: Request) -> Any:
        """Answers 202 with a job, or with `Prefer: wait=60` the verdict as the report that was asked for."""
        wanted = choice_parameter(request, "format", list(REPORTS)) or request.accepted_renderer.format

        def finished(done: Job) -> Any:
            check = self.get_queryset().filter(id=(done.result or {})["check"]).first()
            if check is None:
                raise NotFound("The check was done, and deleted meanwhile.")
            answer = report_of(check, wanted, status=201)
            answer["Location"] = f"/api/v1/checks/{check.id}"
            return answer

        return follow(request, self._start(request), finished)

    @idempotent
    def _start(self, request: Request) -> Response:
        asked = NewCheckSerializer(data=body_of_check(request))
        asked.is_valid(raise_exception=True)
        return accepted(start_check(request.user, asked.validated_data))


def start_check(user: Any, wanted: dict[str, Any]) -> Job:
    """Has a check made by a worker.

    Args:
        user: who asks.
        wanted: as `NewCheckSerializer` has validated it.

    Raises:
        ManifestError: with all that is wrong in its texts.
        NotFound: there is no such cluster, revision or profile.
    """
    cluster = owned(owned_clusters(user), "cluster", wanted["cluster"])
    workspace_id = workspace_of(user)
    profile = owned(Profile.objects.of(workspace_id), "profile", wanted["profile"])
    revision = named_revision(cluster, wanted.get("revision", ""))
    asked_bytes = question_bytes(wanted, revision, profile)
    question = question_of(new_id(), revision, profile.id if profile else None)
    return start_job(workspace_id, KIND, question, [(INPUT_NAME, asked_bytes)])


def report_of(check: Check, format_: str, status: int = 200) -> HttpResponse:
    """Returns a verdict as a report.

    Args:
        check: with its verdict.
        format_: one of `REPORTS`.
        status: of the answer.
    """
    from scheduler_core.checks import decode_verdict

    text = render(decode_verdict(check.verdict), format_)
    headers = {OUTCOME_HEADER: check.outcome}
    return HttpResponse(text, content_type=MEDIA_TYPES[format_], status=status, headers=headers)
