"""What a worker does besides tasks: a check of its pool, a spare engine, the reconciler, a clean end.

Connected to Celery's signals for `celery worker`; the embedded worker calls the same functions.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import structlog
from celery import signals
from django.db import connections

from playground.celery import app
from playground.runs.kept import keeper
from playground.runs.playhead import playheads
from playground.runs.spawner import spawner
from playground.runs.supervise import stopping
from playground.tasks import reconcile_and_dispatch, wake

log = structlog.get_logger(__name__)

RECONCILE_SECONDS = 5.0


def begin(*, reconciles: bool = True) -> None:
    """Starts the spare engine and the reconciler.

    Args:
        reconciles: looks after dead and lost runs every few seconds.
    """
    stopping.clear()
    spawner.keep_spare()
    if reconciles:
        threading.Thread(target=_reconcile_for_ever, name="reconciler", daemon=True).start()


def end() -> None:
    """Interrupts the runs of this worker and ends its spare engine."""
    stopping.set()
    spawner.stop()
    keeper.end_all()
    playheads.end_all()


def _reconcile_for_ever() -> None:
    is_first = True
    while not stopping.is_set():
        try:
            reconcile_and_dispatch(at_start=is_first)
            is_first = False
        except Exception as error:
            log.warning("reconciler failed; it goes on", error=str(error))
        finally:
            connections.close_all()
        stopping.wait(RECONCILE_SECONDS)


class EmbeddedWorker:
    """A Celery worker in a daemon thread of this process, for the in-memory broker."""

    def __init__(self) -> None:
        self._worker = app.WorkController(pool_cls="threads", loglevel="WARNING")
        self._thread = threading.Thread(target=self._worker.start, name="celery", daemon=True)

    def start(self, *, reconciles: bool = True) -> None:
        """Starts to take tasks.

        Args:
            reconciles: as in `begin`.
        """
        begin(reconciles=reconciles)
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Interrupts what runs and waits until the worker has ended.

        Args:
            timeout: seconds to wait at most; the thread is a daemon.
        """
        from celery.worker import state

        end()
        state.should_stop = True
        wake.delay()
        self._thread.join(timeout)
        state.should_stop = None


@signals.celeryd_init.connect
def _refuse_prefork(conf: Any, options: dict[str, Any], **kwargs: object) -> None:
    pool = options.get("pool") or conf.worker_pool
    if "thread" not in (pool if isinstance(pool, str) else pool.__module__):
        sys.exit(
            "playground's worker needs the threads pool (each run has a process of its own): "
            "start it with `celery -A playground worker -P threads`."
        )


@signals.worker_ready.connect
def _begin(**kwargs: object) -> None:
    begin()


@signals.worker_shutting_down.connect
def _end(**kwargs: object) -> None:
    end()
