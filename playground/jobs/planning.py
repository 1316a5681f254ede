"""Questions of planning: how much more fits, what is missing, what could go, what would make a pod fit."""

from __future__ import annotations

import json
from typing import Any

from engine.frames import PLAN
from playground.jobs.work import JobFailed, Work
from playground.models import Cluster, ClusterRevision
from playground.runs.job import objects_of

KIND = "plan"


def question_of(revision: ClusterRevision, config: str | None, asked: dict[str, Any]) -> dict[str, Any]:
    """Returns what a planning job is asked.

    Args:
        revision: of the cluster.
        config: a KubeSchedulerConfiguration, or None for the default.
        asked: what else the engine's PlanningJob takes: question, templates, model, pod, limit, options.
    """
    return {"cluster": revision.cluster_id, "revision": revision.pk, "job": {"config": config, **asked}}


def run(work: Work) -> dict[str, Any]:
    """Has an engine process answer; the result is `{"question", "answer"}`, and the cluster and revision asked about.

    Args:
        work: the attempt.
    """
    question = work.job.question
    revision = ClusterRevision.objects.filter(pk=question["revision"]).first()
    if revision is None or not Cluster.objects.filter(id=question["cluster"]).exists():
        raise JobFailed("The cluster was deleted before the question was answered.", status=409)
    work.tell("Waiting for an engine")
    objects = ",".join(text for _position, text in objects_of(revision))
    payload = f'{json.dumps(question["job"])[:-1]},"objects":[{objects}]}}'.encode()
    last = work.drive(PLAN, payload)
    return {
        "cluster": question["cluster"],
        "revision": revision.name,
        "question": last["question"],
        "answer": last["answer"],
    }
