"""Jobs: what outlasts a request. Follow one, wait for it, cancel it, delete it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from playground.api.errors import FieldErrorSerializer
from playground.api.pagination import choice_parameter
from playground.api.waiting import PREFER, note_waited, wait_until
from playground.jobs.execute import cancel, delete
from playground.models import Job, JobInput, WorkStatus, workspace_of
from playground.models.fields import storable
from playground.problems import PROBLEM_JSON, problem
from playground.tasks import dispatch_job

RETRY_SECONDS = "1"
MAX_NAME = 300


class JobProgressSerializer(serializers.Serializer[Any]):
    """How far a job is."""

    text = serializers.CharField(required=False, help_text="what is being done")
    done = serializers.IntegerField(required=False)
    total = serializers.IntegerField(required=False, allow_null=True, help_text="null: not known")
    unit = serializers.CharField(required=False, help_text="of what, as `objects`")
    so_far = serializers.DictField(required=False, help_text="what is known of the result by now")


class JobSerializer(serializers.ModelSerializer[Job]):
    """A job and how far it is."""

    progress = JobProgressSerializer()
    result = serializers.DictField(
        allow_null=True, help_text="what came out, by kind; of an import `cluster`"
    )
    errors = FieldErrorSerializer(many=True)  # type: ignore[assignment]

    class Meta:
        model = Job
        fields = [
            *("id", "kind", "status", "progress", "cancel_requested", "result", "errors", "message"),
            *("created_at", "started_at", "finished_at"),
        ]


def start_job(
    workspace_id: str, kind: str, question: dict[str, Any], inputs: Sequence[tuple[str, bytes]] = ()
) -> Job:
    """Makes a job and hands it to a worker.

    Args:
        workspace_id: whose it is.
        kind: what is to be done: a name of `playground.jobs.handlers.HANDLERS`.
        question: what the handler needs to know; small.
        inputs: files that go with it; deleted when it is over.
    """
    with transaction.atomic():
        job = Job.objects.create(workspace_id=workspace_id, kind=kind, question=question)
        for position, (name, data) in enumerate(inputs):
            JobInput.objects.create(job=job, position=position, name=storable(name)[:MAX_NAME], data=data)
        transaction.on_commit(partial(dispatch_job, job.id))
    return job


def answer_of(request: Request, job: Job, finished: Callable[[Job], Response]) -> Response:
    """Returns what to say of a job that was just asked for: its outcome if it comes while the request waits.

    Args:
        request: with `Prefer: wait=…`, if it wants to wait.
        job: the job.
        finished: makes the answer of a job that has finished.
    """
    seconds = wait_until(request, lambda: is_over(job))
    job.refresh_from_db()
    if job.status == WorkStatus.FINISHED:
        return note_waited(finished(job), seconds)
    if job.is_over:
        return note_waited(failure_of(job), seconds)
    return note_waited(accepted(job), seconds)


def follow(request: Request, made: Response, finished: Callable[[Job], Any]) -> Any:
    """Returns what to say of a job that was asked for just now, or earlier with the same Idempotency-Key.

    Args:
        request: with `Prefer: wait=…`, if it wants to wait.
        made: the answer as the job began; another than 202 is the outcome itself.
        finished: makes the answer of a job that has finished.
    """
    job = Job.objects.filter(id=made.data["id"]).first() if made.status_code == 202 else None
    if job is None:
        return made
    answer = answer_of(request, job, finished)
    if made.has_header("Idempotency-Replayed"):
        answer["Idempotency-Replayed"] = "true"
    return answer


def is_over(job: Job) -> bool:
    """Asks the database whether a job has ended.

    Args:
        job: only its identifier is looked at.
    """
    return not Job.objects.filter(id=job.id, status__in=(WorkStatus.PENDING, WorkStatus.RUNNING)).exists()


def accepted(job: Job) -> Response:
    """Returns the answer for a job that is not over: come again.

    Args:
        job: as it stands.
    """
    headers = {"Location": f"/api/v1/jobs/{job.id}", "Retry-After": RETRY_SECONDS}
    return Response(JobSerializer(job).data, status=202, headers=headers)


def failure_of(job: Job) -> Response:
    """Returns problem details for a job that did not finish.

    Args:
        job: failed, cancelled or interrupted.
    """
    status = (job.result or {}).get("status", 422) if job.status == WorkStatus.FAILED else 409
    return Response(problem(status, job.message, job.errors), status=status, content_type=PROBLEM_JSON)


@extend_schema(tags=["jobs"])
@extend_schema_view(
    destroy=extend_schema(
        summary="Delete a job", responses={204: OpenApiResponse(description="Gone; what it has made stays.")}
    )
)
class JobViewSet(
    mixins.ListModelMixin, mixins.RetrieveModelMixin, mixins.DestroyModelMixin, viewsets.GenericViewSet[Job]
):
    """Jobs, newest first."""

    serializer_class = JobSerializer
    queryset = Job.objects.none()
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> Any:
        rows = Job.objects.of(workspace_of(self.request.user)).defer("question", "scratch")
        if kind := self.request.query_params.get("kind"):
            rows = rows.filter(kind=storable(kind))
        if status := choice_parameter(self.request, "status", WorkStatus.values):
            rows = rows.filter(status=status)
        return rows

    @extend_schema(
        summary="List jobs",
        parameters=[
            OpenApiParameter("kind", str),
            OpenApiParameter("status", str, enum=WorkStatus.values),
        ],
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Lists the jobs."""
        return super().list(request, *args, **kwargs)

    @extend_schema(
        summary="Follow a job", parameters=[PREFER], responses={200: JobSerializer, 202: JobSerializer}
    )
    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Answers how far a job is: 200 when it is over, 202 as long as it is not."""
        job = self.get_object()
        seconds = 0
        if not job.is_over:
            seconds = wait_until(request, lambda: is_over(job))
            job = self.get_object()
        answer = Response(JobSerializer(job).data) if job.is_over else accepted(job)
        return note_waited(answer, seconds)

    @extend_schema(summary="Cancel a job", request=None, responses={200: JobSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Asks the job to stop; nothing half done is kept. A job that is over stays as it is."""
        job = self.get_object()
        if not job.is_over:
            cancel(job)
        return Response(JobSerializer(job).data)

    def perform_destroy(self, instance: Job) -> None:
        """Deletes the job; one that is being done stops. What it has made stays."""
        delete(instance)
