"""Questions about a cluster: capacity, growth, removals, repairs, what-ifs, pods, changes. Each is a job."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.asked import options_complaint
from playground.api.check_input import AT_MOST, DeletionsField, NamedTextSerializer
from playground.api.clusters import owned_clusters
from playground.api.errors import UnprocessableError
from playground.api.fields import KnownFields, PlainObject
from playground.api.idempotency import IDEMPOTENCY_KEY, idempotent
from playground.api.jobs import JobSerializer, follow, start_job
from playground.api.profiles import MAX_CONFIG
from playground.api.runs import owned
from playground.api.waiting import PREFER
from playground.jobs.execute import cancel
from playground.jobs.planning import KIND, question_of
from playground.models import Job, Profile, WorkStatus, workspace_of
from scheduler_core.config import load_config

MAX_TEMPLATES = 20
MAX_COUNT = 100_000
MAX_EDITS = 1000
MAX_EDIT_BYTES = 512 << 10
QUESTIONS = ("capacity", "growth", "removals", "repairs", "what-if", "explain", "diff")
NEEDS = {"capacity": "templates", "growth": "model", "repairs": "pod", "explain": "pod"}


class TemplateSerializer(KnownFields):
    """A pod to place again and again: one that is written out, or one of the cluster."""

    pod = PlainObject(required=False, help_text="a Pod, or a workload that makes some, as in a manifest")
    like = serializers.CharField(max_length=400, required=False, help_text="a pod's namespace/name")
    count = serializers.IntegerField(
        min_value=1, max_value=MAX_COUNT, default=1, help_text="how often it comes in every round"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("pod" in attrs) == ("like" in attrs):
            raise UnprocessableError.of("templates", "Give `pod` or `like`, one of them.")
        return attrs


class NewPlanSerializer(KnownFields):
    """What is asked of a cluster."""

    cluster = serializers.CharField(max_length=64)
    question = serializers.ChoiceField(
        QUESTIONS,
        help_text="`capacity`: how many more of `templates` fit. `growth`: how many nodes like `model` are needed "
        "for what is pending. `removals`: which nodes could go. `repairs`: what would make `pod` fit. `what-if`: what "
        "`edits`, `ask` and the other configuration change. `explain`: why `pod` is where it is, or has no node. "
        "`diff`: what `manifests` and `deletions` move",
    )
    profile = serializers.CharField(max_length=64, required=False, allow_null=True, default=None)
    edits = serializers.ListField(
        child=PlainObject(max_bytes=MAX_EDIT_BYTES), max_length=MAX_EDITS, required=False,
        help_text="of a scenario: each with a `kind`, and a time `at` or a `cycle`; what else is asked is asked of the "
        "cluster as they leave it",
    )  # fmt: skip
    ask = PlainObject(
        required=False, help_text='the question of the run with the edits, as `{"ask": "replan"}`'
    )
    other_profile = serializers.CharField(
        max_length=64, required=False, allow_null=True, default=None, help_text="of the run with the edits"
    )
    other_config = serializers.CharField(
        max_length=MAX_CONFIG, required=False, trim_whitespace=False,
        help_text="of the run with the edits: a KubeSchedulerConfiguration that is not kept",
    )  # fmt: skip
    templates = TemplateSerializer(many=True, required=False, max_length=MAX_TEMPLATES)  # type: ignore[call-arg]
    model = serializers.CharField(max_length=253, required=False, help_text="a node's name")
    pod = serializers.CharField(
        max_length=400, required=False,
        help_text="a pod's namespace/name; of `explain` also a name that only one has, or Deployment/shop/web",
    )  # fmt: skip
    node = serializers.CharField(max_length=253, required=False, help_text="of `explain`: why not there?")
    manifests = NamedTextSerializer(many=True, required=False, **AT_MOST)
    deletions = DeletionsField(required=False)
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_COUNT, required=False, help_text="how many pods or nodes are tried at most"
    )
    options = PlainObject(required=False, default=dict, help_text="overrides of SimulatorOptions")
    series = serializers.CharField(
        max_length=64, required=False,
        help_text="a name of your own: a question takes the place of the one of its series that is not answered yet",
    )  # fmt: skip

    def validate_options(self, value: dict[str, Any]) -> dict[str, Any]:
        if value and (complaint := options_complaint(value)):
            raise UnprocessableError.of("options", complaint)
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = NEEDS.get(attrs["question"])
        if needed and not attrs.get(needed):
            raise UnprocessableError.of(needed, f"is needed for the question {attrs['question']!r}.")
        if attrs["question"] == "diff" and not (attrs.get("manifests") or attrs.get("deletions")):
            raise UnprocessableError.of("manifests", "or `deletions` are needed for the question 'diff'.")
        return attrs


class PlanAnswerSerializer(serializers.Serializer[Any]):
    """What came out."""

    cluster = serializers.CharField()
    revision = serializers.CharField(help_text="that was asked about")
    question = serializers.ChoiceField(QUESTIONS)
    answer = serializers.DictField(help_text="by question; `text` says it as a sentence")


def unanswered(workspace_id: str, series: str) -> list[Job]:
    """Returns the questions of a series that nobody needs any more once the next one is asked.

    Args:
        workspace_id: whose they are.
        series: as whoever asks calls it.
    """
    begun = (WorkStatus.PENDING, WorkStatus.RUNNING)
    jobs = Job.objects.of(workspace_id).filter(kind=KIND, status__in=begun)
    return [job for job in jobs if job.question.get("series") == series]


class PlanCreate(APIView):
    """Asks what would fit, is missing, could go or would help."""

    write_scope = "check"

    @extend_schema(
        tags=["plans"],
        operation_id="plans_create",
        summary="Ask about a cluster's capacity",
        parameters=[PREFER, IDEMPOTENCY_KEY],
        request=NewPlanSerializer,
        responses={
            200: PlanAnswerSerializer,
            202: JobSerializer,
            404: OpenApiResponse(description="There is no such cluster or profile."),
        },
    )
    def post(self, request: Request) -> Response:
        """Answers by as many runs as it takes, as a job; with `Prefer: wait=30` here, if it is over by then."""
        return follow(request, self.make(request), lambda job: Response(job.result))

    @idempotent
    def make(self, request: Request) -> Response:
        """Makes the job."""
        asked = NewPlanSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = dict(asked.validated_data)
        workspace = workspace_of(request.user)
        cluster = owned(owned_clusters(request.user), "cluster", wanted.pop("cluster"))
        profile = owned(Profile.objects.of(workspace), "profile", wanted.pop("profile"))
        config = profile.config if profile else None
        other = owned(Profile.objects.of(workspace), "profile", wanted.pop("other_profile"))
        other_config = wanted.pop("other_config", other.config if other else None)
        if other_config is not None:
            load_config(other_config)
            wanted["otherConfig"] = other_config
        series = wanted.pop("series", "")
        for older in unanswered(workspace, series) if series else ():
            cancel(older)
        asked_now = question_of(cluster.revision, config, wanted) | {"series": series}
        job = start_job(workspace, KIND, asked_now)
        return Response(JobSerializer(job).data, status=202)
