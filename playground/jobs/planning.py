"""Questions of planning: how much more fits, what is missing, what could go, what would make a pod fit."""

from __future__ import annotations

import json
from typing import Any

from engine.frames import PLAN, WHAT_IF
from engine.session import CAN_FORK
from playground.jobs.work import JobFailed, Work
from playground.models import Cluster, ClusterRevision
from playground.runs.job import objects_of

KIND = "plan"
ASKED = ("edits", "ask", "otherConfig")
"""What is another in every what-if of a cluster."""


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
    work.tell("Reading the cluster")
    if question["job"]["question"] == "what-if" and CAN_FORK:
        last = _what_if(work, question["job"], revision)
    else:
        last = work.drive(PLAN, _with_objects(question["job"], revision))
    return {
        "cluster": question["cluster"],
        "revision": revision.name,
        "question": last["question"],
        "answer": last["answer"],
    }


def _what_if(work: Work, job: dict[str, Any], revision: ClusterRevision) -> dict[str, Any]:
    """Asks the process that has this cluster loaded, if there is one: what-ifs come one after the other."""
    about = {name: value for name, value in job.items() if name not in ASKED}
    return work.ask(
        (revision.cluster_id, revision.digest, json.dumps(about, sort_keys=True)),
        WHAT_IF,
        first=lambda: _with_objects(job, revision),
        again=lambda: json.dumps({name: job[name] for name in ASKED if name in job}).encode(),
    )


def _with_objects(job: dict[str, Any], revision: ClusterRevision) -> bytes:
    objects = ",".join(text for _position, text in objects_of(revision))
    return f'{json.dumps(job)[:-1]},"objects":[{objects}]}}'.encode()
