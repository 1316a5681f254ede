"""The Celery tasks: thin, each names one function of `runs`."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.utils import timezone

from playground.jobs.execute import execute
from playground.jobs.execute import reconcile as reconcile_jobs
from playground.models import Job, Run
from playground.runs.claim import reconcile
from playground.runs.detail import replay
from playground.runs.supervise import supervise

log = structlog.get_logger(__name__)


@shared_task(name="playground.execute_run")
def execute_run(run_id: str) -> None:
    """Computes a run."""
    supervise(run_id)


@shared_task(name="playground.replay_cycles")
def replay_cycles(run_id: str, cycles: list[int]) -> None:
    """Computes the details of cycles again."""
    replay(run_id, cycles)


@shared_task(name="playground.execute_job")
def execute_job(job_id: str) -> None:
    """Does a job."""
    execute(job_id)


@shared_task(name="playground.wake")
def wake() -> None:
    """Does nothing: a worker that waits for messages looks up when one comes."""


def dispatch_run(run_id: str) -> None:
    """Hands a run to a worker; where the broker is down, the reconciler does it later.

    Args:
        run_id: the run.
    """
    try:
        execute_run.delay(run_id)
    except Exception as error:  # kombu, redis and the socket each have their own
        log.error("broker does not answer; the run waits for the reconciler", run=run_id, error=str(error))
        return
    Run.objects.filter(id=run_id).update(dispatched_at=timezone.now())


def dispatch_job(job_id: str) -> None:
    """Hands a job to a worker; where the broker is down, the reconciler does it later.

    Args:
        job_id: the job.
    """
    try:
        execute_job.delay(job_id)
    except Exception as error:
        log.error("broker does not answer; the job waits for the reconciler", job=job_id, error=str(error))
        return
    Job.objects.filter(id=job_id).update(dispatched_at=timezone.now())


def dispatch_replay(run_id: str, cycles: list[int]) -> None:
    """Hands a replay to a worker; where the broker is down, the next request asks again.

    Args:
        run_id: the run.
        cycles: those whose details are wanted; count from 1.
    """
    try:
        replay_cycles.delay(run_id, cycles)
    except Exception as error:
        log.error("broker does not answer; the replay must be asked for again", run=run_id, error=str(error))


def reconcile_and_dispatch(*, at_start: bool = False) -> None:
    """One round of the reconciler.

    Args:
        at_start: the program has just started.
    """
    for run_id in reconcile(at_start=at_start):
        dispatch_run(run_id)
    for job_id in reconcile_jobs(at_start=at_start):
        dispatch_job(job_id)
