"""What a job's handler is given: the question, the files, a way to say how far it is, an engine process."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any

from django.db import transaction

from engine.frames import PROGRESS, REFUSED, RESULT
from playground.claims import Claim
from playground.models import Job, JobInput, WorkStatus
from playground.runs.drive import Ending, ask, drive
from playground.runs.kept import keeper
from playground.runs.sink import Frame
from playground.runs.spawner import spawner
from playground.runs.supervise import Control, stopping

TELL_SECONDS = 0.2


class Cancelled(Exception):
    """The job is to stop because somebody asked for it."""


class Stopped(Exception):
    """The job is to stop because this worker goes down."""


class JobFailed(Exception):
    """The job cannot be done.

    Args:
        message: why, as a sentence.
        errors: what is wrong with the input, located, as dicts.
        status: the HTTP status for who waits for it.
    """

    def __init__(self, message: str, errors: list[Any] | None = None, status: int = 422) -> None:
        super().__init__(message)
        self.errors = errors or []
        self.status = status


class Work:
    """One attempt at a job."""

    def __init__(self, claim: Claim[Job], job: Job) -> None:
        self._claim = claim
        self._control = Control(claim)
        self._told_at = 0.0
        self.job = job
        self.left_behind: dict[str, Any] = {}
        self.is_finished = False

    def inputs(self) -> Iterator[tuple[str, bytes]]:
        """Yields names and contents of the files that came with the job."""
        yield from self.job.inputs.values_list("name", "data").iterator(chunk_size=1)

    def tell(
        self, text: str, *, done: int = 0, total: int | None = None, unit: str = "", so_far: Any = None
    ) -> None:
        """Says how far it is; often asked, seldom written. Prolongs the lease.

        Args:
            text: what is being done, as "Storing".
            done: how much is done.
            total: of how much, where that is known.
            unit: of what, as "objects".
            so_far: what is known of the result by now.

        Raises:
            Cancelled: the job is to stop.
            Stopped: the worker is to stop.
            ClaimLost: somebody else does it, or it was deleted.
        """
        now = time.monotonic()
        if now - self._told_at < TELL_SECONDS:
            return
        self._told_at = now
        self._stop_for(self._control(0.0))
        known = {} if so_far is None else {"so_far": so_far}
        self._claim.write(progress={"done": done, "total": total, "unit": unit, "text": text, **known})

    def leave(self, scratch: dict[str, Any]) -> None:
        """Notes what must be undone if this attempt does not end well, before there is anything to undo.

        Args:
            scratch: what the handler's `clean` understands.
        """
        self._claim.write(scratch=scratch)
        self.left_behind = scratch

    def drive(
        self,
        kind: bytes,
        payload: bytes,
        handle: Callable[[Frame], None] | None = None,
        as_progress: Callable[[dict[str, Any]], dict[str, Any]] = dict,
    ) -> dict[str, Any]:
        """Has an engine process do something; its memory is limited and it ends with the job.

        Args:
            kind: the first frame's kind.
            payload: the first frame.
            handle: takes the frames that are neither progress nor the end.
            as_progress: makes what `tell` takes of what the process says of its progress.

        Returns:
            What the process said at its end.

        Raises:
            Cancelled, Stopped, ClaimLost: as `tell`.
            JobFailed: the process refused the input, or died.
        """
        hear = partial(self._hear, handle=handle, as_progress=as_progress)
        return self._outcome(drive(spawner.take(), payload, hear, self._control, kind=kind))

    def ask(
        self, key: Hashable, kind: bytes, first: Callable[[], bytes], again: Callable[[], bytes]
    ) -> dict[str, Any]:
        """Asks a process that stays for further questions of the kind.

        Args:
            key: what the process knows: one with the same key is asked again.
            kind: the frame's kind.
            first: makes the payload for a fresh process.
            again: makes the payload for one that was asked before.

        Returns:
            What the process said.

        Raises:
            Cancelled, Stopped, ClaimLost, JobFailed: as `drive`.
        """
        kept = keeper.take(key)
        child, payload = (spawner.take(), first()) if kept is None else (kept, again())
        ending, is_there = ask(
            child, payload, partial(self._hear, handle=None, as_progress=dict), self._control, kind=kind
        )
        if is_there:
            keeper.keep(key, child)
        return self._outcome(ending)

    def _hear(
        self,
        frames: list[Frame],
        *,
        handle: Callable[[Frame], None] | None,
        as_progress: Callable[[dict[str, Any]], dict[str, Any]],
    ) -> None:
        for frame in frames:
            if frame[0] == PROGRESS:
                self.tell(**as_progress(json.loads(frame[1])))
            elif frame[0] not in (RESULT, REFUSED) and handle is not None:
                handle(frame)

    def _outcome(self, ending: Ending) -> dict[str, Any]:
        self._stop_for(ending.reason, ending)
        if ending.last is None:
            raise JobFailed(ending.cause_of("job"), status=500)
        last: dict[str, Any] = json.loads(ending.last[1])
        if ending.last[0] == REFUSED:
            raise JobFailed(last["message"], last.get("errors"), last.get("code", 422))
        return last

    def finish(self, result: dict[str, Any] | None) -> None:
        """Writes the end; inside of a transaction, together with what the job has made.

        Args:
            result: for whoever asked.

        Raises:
            ClaimLost: the job is no longer ours: what was made must not stay.
        """
        end(self._claim, WorkStatus.FINISHED, result=result)
        self.is_finished = True

    def _stop_for(self, reason: str | None, ending: Ending | None = None) -> None:
        if reason == "cancel":
            raise Cancelled
        if reason == "stopping" or stopping.is_set():
            raise Stopped
        if reason is not None:
            raise JobFailed(
                {
                    "time": "The job took too long and was stopped.",
                    "silent": "The engine's process said nothing for too long and was ended.",
                }[reason],
                status=500,
            )


def end(claim: Claim[Job], status: WorkStatus, **values: Any) -> None:
    """Writes a job's end and deletes its input files, both or neither: nobody sees an ended job that has files.

    Args:
        claim: the attempt.
        status: how the job ended.
        values: other columns.

    Raises:
        ClaimLost: the job is no longer ours.
    """
    with transaction.atomic():
        claim.finish(status, scratch={}, **values)
        JobInput.objects.filter(job_id=claim.id).delete()


@dataclasses.dataclass(frozen=True)
class Handler:
    """How jobs of one kind are done.

    Args:
        run: does it; what it returns is the job's result. `Work.finish` may be called in it, to have the end and
            what was made in one transaction.
        clean: undoes what `Work.leave` noted; may be called twice.
    """

    run: Callable[[Work], dict[str, Any] | None]
    clean: Callable[[dict[str, Any]], None] = lambda scratch: None
