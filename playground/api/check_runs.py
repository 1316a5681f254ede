"""The run that shows what a check says: the same cluster, change, configuration and seed, every cycle of it."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from playground.api.errors import ConflictError
from playground.api.run_fields import RunSerializer
from playground.api.run_start import start_proof
from playground.api.runs import run_answer
from playground.api.waiting import PREFER
from playground.models import Check, Outcome, Run, workspace_of

NOTHING_TRIED = "The snapshot was too old, so nothing was tried and there is no run to show."


def run_of_check(check: Check) -> tuple[Run, bool]:
    """Returns the run that shows a check, and whether it was started just now.

    Args:
        check: with question and verdict.

    Raises:
        ConflictError: nothing was tried.
    """
    if check.outcome == Outcome.TOO_OLD:
        raise ConflictError(NOTHING_TRIED)
    with transaction.atomic():
        held = Check.objects.select_for_update(of=("self",)).select_related("run").get(pk=check.pk)
        if held.run is not None:
            return held.run, False
        held.run = _started(check)
        held.save(update_fields=["run"])
    return held.run, True


def _started(check: Check) -> Run:
    from scheduler_core.checks import CheckInput, decode_verdict, proof_of, read_check  # loads the simulator

    asked = msgspec.json.decode(check.question, type=CheckInput)
    proof = proof_of(read_check(asked), decode_verdict(check.verdict))
    options: dict[str, Any] = {"seed": proof.seed, "horizon_us": proof.horizon_us}
    return start_proof(check, asked.config, list(proof.edits), options)


class CheckRun(APIView):
    """A check as a run."""

    @extend_schema(
        tags=["checks"],
        operation_id="check_run",
        summary="Start the run that shows a check",
        parameters=[PREFER],
        request=None,
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
        rows = Check.objects.of(workspace_of(request.user))
        run, is_new = run_of_check(get_object_or_404(rows, id=check_id))
        headers = {"Location": f"/api/v1/runs/{run.id}"}
        made = Response(RunSerializer(run).data, status=201 if is_new else 200, headers=headers)
        return run_answer(request, made)
