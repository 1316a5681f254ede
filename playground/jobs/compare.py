"""Comparing runs that are too long to compare while a request waits."""

from __future__ import annotations

from typing import Any

from playground.jobs.work import JobFailed, Work
from playground.models import Run
from playground.runs.compare import compared

KIND = "compare"


def question_of(before: Run, after: Run) -> dict[str, Any]:
    """Returns what the job is asked.

    Args:
        before: any run.
        after: any other.
    """
    return {"before": before.id, "after": after.id}


def run(work: Work) -> dict[str, Any]:
    """Compares; the job's result is the comparison.

    Args:
        work: the attempt.
    """
    question = work.job.question
    runs = {run.id: run for run in Run.objects.filter(id__in=question.values())}
    if len(runs) < len(set(question.values())):
        raise JobFailed("One of the runs was deleted.", status=409)
    work.tell("Comparing")
    return compared(runs[question["before"]], runs[question["after"]])
