"""The run that shows what a check says: the same cluster, change, configuration and seed, every cycle of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.errors import ConflictError
from playground.api.fields import KnownFields
from playground.api.run_fields import RunSerializer
from playground.api.run_start import name_of_proof, start_proof
from playground.api.runs import run_answer
from playground.api.waiting import PREFER
from playground.models import Check, Outcome, Run, workspace_of

if TYPE_CHECKING:
    from scheduler_core.checks import Proof

NOTHING_TRIED = "The snapshot was too old, so nothing was tried and there is no run to show."


def run_of_check(check: Check, without: Sequence[str] = ()) -> tuple[Run, bool]:
    """Returns the run that shows a check, and whether it was started just now.

    Args:
        check: with question and verdict.
        without: nodes that go afterwards, as a finding names them.

    Raises:
        ConflictError: nothing was tried.
        NotFound: no finding is about the loss of these nodes.
    """
    if check.outcome == Outcome.TOO_OLD:
        raise ConflictError(NOTHING_TRIED)
    if without:
        return _run_without(check, without)
    with transaction.atomic():
        held = Check.objects.select_for_update(of=("self",)).select_related("run").get(pk=check.pk)
        if held.run is not None:
            return held.run, False
        held.run = _started(check, *_proof(check, ()))
        held.save(update_fields=["run"])
    return held.run, True


def _run_without(check: Check, without: Sequence[str]) -> tuple[Run, bool]:
    """Returns the run that shows what a loss does; one that was started earlier serves again."""
    from scheduler_core.checks import decode_verdict  # loads the simulator: not at start

    results = decode_verdict(check.verdict).results
    if not any(set(each.without) == set(without) for result in results for each in result.findings):
        raise NotFound("No finding of this check is about the loss of these nodes.")
    config, proof = _proof(check, without)
    same = Run.objects.filter(
        workspace_id=check.workspace_id, revision_id=check.revision_id, parent=None, name=name_of_proof(check)
    )
    found = next((run for run in same if run.edits == list(proof.edits)), None)
    return (found, False) if found else (_started(check, config, proof), True)


def _proof(check: Check, without: Sequence[str]) -> tuple[str, Proof]:
    from scheduler_core.checks import CheckInput, decode_verdict, proof_of, read_check

    asked = msgspec.json.decode(check.question, type=CheckInput)
    return asked.config, proof_of(read_check(asked), decode_verdict(check.verdict), without)


def _started(check: Check, config: str, proof: Proof) -> Run:
    options: dict[str, Any] = {"seed": proof.seed, "horizon_us": proof.horizon_us}
    return start_proof(check, config, list(proof.edits), options)


class NothingSerializer(KnownFields):
    """The body of a request that is told by its address alone."""


class CheckRun(APIView):
    """A check as a run."""

    @extend_schema(
        tags=["checks"],
        operation_id="check_run",
        summary="Start the run that shows a check",
        parameters=[
            PREFER,
            OpenApiParameter(
                "without", str, many=True, description="nodes that go after 120 s, as a finding's `without`"
            ),
        ],
        request=NothingSerializer,
        responses={
            200: RunSerializer,
            201: RunSerializer,
            409: OpenApiResponse(description="Nothing was tried: the snapshot was too old."),
        },
    )
    def post(self, request: Request, check_id: str) -> Response:
        """Answers the run of the check's change, in the order of its files or of the counterexample: 201 the first
        time, 200 where it is there already. The change is made after 60 s of virtual time.
        """
        body: Any = request.data
        NothingSerializer(data={} if body is None else body).is_valid(raise_exception=True)
        rows = Check.objects.of(workspace_of(request.user))
        check = get_object_or_404(rows, id=check_id)
        run, is_new = run_of_check(check, request.query_params.getlist("without"))
        headers = {"Location": f"/api/v1/runs/{run.id}"}
        made = Response(RunSerializer(run).data, status=201 if is_new else 200, headers=headers)
        return run_answer(request, made)
