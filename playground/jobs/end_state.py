"""The cluster as a run left it: computed again when somebody asks for it, then kept with the run's outcome."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from engine.frames import END_STATE
from playground.jobs.work import JobFailed, Work
from playground.models import Run, RunOutcome
from playground.runs.detail import tape_of
from playground.runs.job import job_of
from playground.runs.sink import Frame

KIND = "end-state"


def question_of(run: Run) -> dict[str, Any]:
    """Returns what the job is asked.

    Args:
        run: finished.
    """
    return {"run": run.id}


def run(work: Work) -> None:
    """Runs the engine again and stores all objects as they are at the end; the result is `{"run": id}`.

    Args:
        work: the attempt.
    """
    found = Run.objects.filter(id=work.job.question["run"]).first()
    if found is None:
        raise JobFailed("The run was deleted.", status=409)
    lines: list[bytes] = []

    def hear(frame: Frame) -> None:
        lines.append(frame[1])

    def as_progress(plain: dict[str, Any]) -> dict[str, Any]:
        return {
            "text": "Running it again",
            "done": plain["cycles"],
            "total": found.num_cycles,
            "unit": "cycles",
        }

    last = work.drive(END_STATE, job_of(found, "none", tape_of(found)), hear, as_progress)
    if last["digest"] != found.digest:
        raise JobFailed(
            f"Running this again gave another outcome than it had (engine {found.engine_version}, now "
            f"{last['engine_version']}), so its end is not known in full. Start the run anew.",
            status=409,
        )
    with transaction.atomic():
        RunOutcome.objects.filter(run=found).update(end_state=b"\n".join(lines))
        work.finish({"run": found.id})
