"""Does a job and writes its end, whatever happens; in a thread of a Celery worker."""

from __future__ import annotations

from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from playground import claims
from playground.claims import Claim, ClaimLost
from playground.jobs.handlers import HANDLERS
from playground.jobs.work import Cancelled, Handler, JobFailed, Stopped, Work, end
from playground.models import Job, JobInput, WorkStatus
from playground.runs.supervise import stopping
from playground.storage import sentence_of
from scheduler_core.errors import ManifestError

log = structlog.get_logger(__name__)

CANCELLED = "Cancelled; nothing was kept of it."
GAVE_UP = "The worker that did this is gone, and so were those that tried again. Start it anew."
REFUSED = "The input was refused; nothing was stored."


def execute(job_id: str) -> None:
    """Does a job if nobody else does.

    Args:
        job_id: the job.
    """
    if stopping.is_set():
        Job.objects.filter(id=job_id, status=WorkStatus.PENDING).update(dispatched_at=None)
        return
    claim = claims.take(Job, job_id, result=None)
    if claim is None:
        log.info("job not taken: it is over or another worker has it", job=job_id)
        return
    try:
        _attempt(claim)
    except ClaimLost:
        log.warning("job lost to another attempt, or deleted", job=job_id)
    except DatabaseError as error:  # the lease ends, and the job is taken up again
        log.error("a job's end could not be stored", job=job_id, cause=str(error))


def _attempt(claim: Claim[Job]) -> None:
    job = Job.objects.filter(id=claim.id).first()
    handler = HANDLERS.get(job.kind) if job else None
    if job is None or handler is None:
        end(claim, WorkStatus.FAILED, message="This server does not know jobs of this kind.")
        return
    handler.clean(job.scratch)
    work = Work(claim, job)
    try:
        result = handler.run(work)
        if not work.is_finished:
            work.finish(result)
    except Exception as error:
        handler.clean(work.left_behind)
        _end_badly(claim, error)


def _end_badly(claim: Claim[Job], error: Exception) -> None:
    """Writes how an attempt went wrong.

    Raises:
        ClaimLost: the job is no longer ours, or was deleted.
    """
    ended: dict[str, Any] = {"status": WorkStatus.FAILED}
    if isinstance(error, ClaimLost):
        raise error
    if isinstance(error, Stopped):
        claim.write(
            status=WorkStatus.PENDING, dispatched_at=None, attempts=F("attempts") - 1, scratch={}, progress={}
        )
        return
    if isinstance(error, Cancelled):
        ended = {"status": WorkStatus.CANCELLED, "message": CANCELLED}
    elif isinstance(error, ManifestError):
        ended |= {"message": REFUSED, "errors": errors_of(error), "result": {"status": 422}}
    elif isinstance(error, JobFailed):
        ended |= {"message": str(error), "errors": error.errors, "result": {"status": error.status}}
    elif not claim.row().exists():
        raise ClaimLost(claim.id) from error
    else:
        words = sentence_of(error, settings.VAR_DIR)
        log.error("job failed", job=claim.id, cause=words, exc_info=None if words else error)
        cause = words or f"The server could not complete this: {type(error).__name__}: {error}"
        ended |= {"message": cause, "result": {"status": 500}}
    end(claim, **ended)


def errors_of(error: ManifestError) -> list[dict[str, Any]]:
    """Returns located errors as they are stored, each with its sentence.

    Args:
        error: the refusal.
    """
    return [{**msgspec.to_builtins(each), "sentence": each.sentence()} for each in error.errors]


def cancel(job: Job) -> None:
    """Asks a job to stop; one that waits for a worker ends here.

    Args:
        job: the job; refreshed.
    """
    with transaction.atomic():
        claims.request_cancel(job)
        if job.is_over:
            JobInput.objects.filter(job=job).delete()


def delete(job: Job) -> None:
    """Deletes a job; whoever does it just now stops, and nothing half done stays.

    Args:
        job: the job.
    """
    handler = HANDLERS.get(job.kind, Handler(lambda work: None))
    scratch = job.scratch
    job.delete()
    handler.clean(scratch)


def reconcile(*, at_start: bool = False) -> list[str]:
    """Undoes what dead workers left and finds the jobs to dispatch again.

    Args:
        at_start: also what was dispatched a moment ago (the in-memory broker forgets with its process).

    Returns:
        The jobs to dispatch.
    """
    dead = claims.abandoned(Job)
    for job in list(dead):
        mine = dead.filter(id=job.id, attempt_token=job.attempt_token)
        ended: dict[str, Any] = {"attempt_token": "", "scratch": {}, "progress": {}}
        if job.cancel_requested:
            ended |= {"status": WorkStatus.CANCELLED, "finished_at": timezone.now(), "message": CANCELLED}
        elif job.attempts < settings.RUN_MAX_ATTEMPTS:
            ended |= {"status": WorkStatus.PENDING, "dispatched_at": None}
        else:
            ended |= {"status": WorkStatus.INTERRUPTED, "finished_at": timezone.now(), "message": GAVE_UP}
        with transaction.atomic():
            if mine.update(**ended):
                HANDLERS.get(job.kind, Handler(lambda work: None)).clean(job.scratch)
                if ended["status"] != WorkStatus.PENDING:
                    JobInput.objects.filter(job=job).delete()
    return claims.lost(Job, at_start=at_start)
