"""Checks: the engine's process gives the verdict, which is stored with the question."""

from __future__ import annotations

import json
from typing import Any

from django.db import transaction

from engine.frames import CHECK
from playground.jobs.work import JobFailed, Work
from playground.models import Check, Cluster, ClusterRevision
from playground.runs.job import objects_of

KIND = "check"
INPUT_NAME = "check.json"


def question_of(check_id: str, revision: ClusterRevision, profile_id: str | None) -> dict[str, Any]:
    """Returns what a check's job is asked; the check itself goes with it as a file.

    Args:
        check_id: what the check will be called.
        revision: of the cluster.
        profile_id: whose configuration was copied into the check, if any.
    """
    return {
        "check": check_id,
        "cluster": revision.cluster_id,
        "revision": revision.pk,
        "profile": profile_id,
    }


def run(work: Work) -> None:
    """Has an engine process judge, and stores the verdict; the job's result is `{"check", "outcome"}`.

    Args:
        work: the attempt.
    """
    question = work.job.question
    revision = ClusterRevision.objects.filter(pk=question["revision"]).first()
    if revision is None or not Cluster.objects.filter(id=question["cluster"]).exists():
        raise JobFailed("The cluster was deleted before the check was done.", status=409)
    ((_name, asked),) = work.inputs()
    work.tell("Trying the change")
    objects = ",".join(text for _position, text in objects_of(revision))
    payload = f'{{"input":{asked[:-1].decode()},"cluster":[{objects}]}}}}'.encode()
    verdict = work.drive(CHECK, payload)["verdict"]
    with transaction.atomic():
        check = Check.objects.create(
            id=question["check"],
            workspace_id=work.job.workspace_id,
            cluster_id=question["cluster"],
            revision=revision,
            profile_id=question["profile"],
            name=verdict["name"],
            outcome=verdict["outcome"],
            summary=verdict["summary"],
            counts=verdict["counts"],
            question=asked,
            verdict=json.dumps(verdict).encode(),
            created_at=work.job.created_at,
        )
        work.finish({"check": check.id, "outcome": check.outcome})
