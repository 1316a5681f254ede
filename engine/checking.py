"""Runs checks: all cores for many orders, progress, cancel. The same for the command line and the child process."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from engine import frames
from engine.telling import Telling
from scheduler_core.api import DEFAULT_LIMITS
from scheduler_core.checks import (
    Check,
    CheckInput,
    Held,
    Order,
    encode_verdict,
    held_in,
    read_check,
    run,
    stoppable,
)

if TYPE_CHECKING:
    from engine.check_workers import Workers
    from scheduler_core.api import Limits, LoadedObject
    from scheduler_core.checks import Verdict

WORTH_A_PROCESS_SECONDS: Final = 4.0
"""Of processor time: less work than this is done before another process has read the check and helped."""


class CheckProgress(msgspec.Struct, frozen=True):
    """How far a check is."""

    done: int
    total: int
    text: str


class CheckJob(msgspec.Struct, frozen=True, kw_only=True):
    """What the child is to do: a whole check, or with ``orders`` only these, for another process's check.

    Args:
        input: the check.
        workers: how many processes may work on it; None: one a core.
        orders: arrivals, seed and ties of each.
    """

    input: CheckInput
    workers: int | None = None
    orders: tuple[Order, ...] | None = None


def run_check(
    asked: CheckInput,
    *,
    cluster: Sequence[LoadedObject] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Callable[[CheckProgress], None] = lambda progress: None,
    is_cancelled: Callable[[], bool] = lambda: False,
    workers: int | None = None,
) -> Verdict:
    """Runs a check.

    Args:
        asked: the check.
        cluster: the cluster as read, instead of its plain objects.
        limits: of the manifests.
        progress: is told how far it is.
        is_cancelled: asked while it runs.
        workers: how many processes may work on it; None: one a core.

    Raises:
        ManifestError: with all that is wrong with the input; nothing was tried then.
    """
    typed = [item.object for item in cluster] if cluster is not None else None
    check = stoppable(read_check(asked, cluster=typed, limits=limits), is_cancelled)
    plain = [item.canonical for item in cluster] if cluster is not None else None
    processes = workers if workers is not None else _num_cores()
    spread = _Spread(check, asked, plain, processes)
    try:
        return run(
            check, spread.try_all, lambda done, total, text: progress(CheckProgress(done, total, text))
        )
    finally:
        spread.end()


def _num_cores() -> int:
    """Returns how many cores this process may use; where that cannot be asked, how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Spread:
    """Tries orders here, and in other processes when they are many."""

    def __init__(
        self, check: Check, asked: CheckInput, plain: Sequence[bytes] | None, processes: int
    ) -> None:
        self._check = check
        self._asked = asked
        self._plain = plain
        self._processes = processes
        self._began = time.process_time()
        self._workers: Workers | None = None

    def try_all(self, orders: Sequence[Order]) -> Iterable[Held]:
        """Yields what of each order is kept, in their order."""
        each = time.process_time() - self._began  # the order of the files was tried since
        helpers = min(self._processes, len(orders)) - 1
        if helpers < 1 or each * len(orders) < WORTH_A_PROCESS_SECONDS:
            for order in orders:
                yield held_in(self._check, order)
            return
        from engine.check_workers import WAIT_SECONDS, Workers  # most checks need none

        found: dict[int, Held] = {}
        self._workers = Workers(self._payload, list(enumerate(orders)), helpers)
        at = 0
        idle = False
        while at < len(orders):
            self._check.setup.stop_if_cancelled()
            found.update(self._workers.results(WAIT_SECONDS if idle else 0.0))
            while at in found:
                yield found.pop(at)
                at += 1
            mine = self._workers.take()
            idle = mine is None
            if mine is not None:
                found[mine[0]] = held_in(self._check, mine[1])

    def end(self) -> None:
        """Ends the other processes."""
        if self._workers is not None:
            self._workers.end()

    def _payload(self, orders: Sequence[Order]) -> bytes:
        """Returns the job of another process."""
        given = msgspec.to_builtins(self._asked)
        if self._plain is not None:
            given["cluster"] = [msgspec.Raw(each) for each in self._plain]
        return msgspec.json.encode({"input": given, "workers": 1, "orders": orders})


def run_check_job(payload: bytes, stdout: frames.Writable, is_cancelled: Callable[[], bool]) -> int:
    """Does a child's job and writes its frames.

    Raises:
        ManifestError: with all that is wrong with the input.
        msgspec.DecodeError: the job cannot be read.
    """
    job = msgspec.json.decode(payload, type=CheckJob)
    if job.orders is not None:
        return _try_orders(job, stdout, is_cancelled)
    telling = Telling(stdout, is_cancelled)
    verdict = run_check(
        job.input, progress=telling.tell, is_cancelled=telling.is_cancelled, workers=job.workers
    )
    status = b"cancelled" if verdict.outcome == "cancelled" else b"finished"
    answer = b'{"status":"%b","verdict":%b}' % (status, encode_verdict(verdict))
    frames.write_frame(stdout, frames.RESULT, answer)
    return 0


def _try_orders(job: CheckJob, stdout: frames.Writable, is_cancelled: Callable[[], bool]) -> int:
    """Tries some orders; each is told when it is done."""
    check = stoppable(read_check(job.input), is_cancelled)
    for order in job.orders or ():
        frames.write_frame(stdout, frames.PROGRESS, msgspec.json.encode(held_in(check, order)))
    frames.write_frame(stdout, frames.RESULT, b'{"status":"finished"}')
    return 0
