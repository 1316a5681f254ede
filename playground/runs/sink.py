"""Stores what the engine sends: a flush is one transaction, and only then the poke."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec
from django.db import transaction

from engine.frames import DETAIL, EVENTS, PROGRESS, REFUSED, TAPE, unpack_detail, unpack_events
from engine.imports.waiting import reasons_of
from playground.models import CycleDetail, CycleSummary, EventChunk, Run, RunOutcome, RunStatus
from playground.runs.claim import Claim
from playground.runs.notify import notify

SUMMARY_FIELDS = ("t_us", "pod", "attempt", "result", "node", "num_feasible", "num_evaluated")

_GATED = "held back by scheduling gates"
ENDING = (
    "moves", "refused", "refused_edits", "stopped", "question", "num_finished", "num_placed", "evicted", "not_admitted",
    "workloads", "held_up", "headline",
)  # fmt: skip

Frame = tuple[bytes, bytes]


class CycleEvent(msgspec.Struct, gc=False):
    """As much of an event as a cycle's line needs."""

    type: str
    t_us: int = 0
    cycle: int = 0
    pod: str = ""
    attempt: int = 1
    node: str = ""
    num_feasible: int = 0
    num_evaluated: int = 0
    error: bool = False


_decoder = msgspec.json.Decoder(CycleEvent)


class CycleLines:
    """Turns events into a `CycleSummary` per cycle; a later end (a failed binding) replaces an earlier."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._open: dict[int, CycleSummary] = {}

    def read(self, payload: bytes) -> dict[int, CycleSummary]:
        """Returns the lines that these events complete, by cycle.

        Args:
            payload: JSON lines.
        """
        done: dict[int, CycleSummary] = {}
        for event in _decoder.decode_lines(payload):
            if not event.cycle:
                continue
            if event.type == "CycleStarted":
                self._open[event.cycle] = CycleSummary(
                    run_id=self._run_id,
                    cycle=event.cycle,
                    t_us=event.t_us,
                    pod=event.pod,
                    attempt=event.attempt,
                )
            line = self._open.get(event.cycle)
            if line is not None and self._note(line, event):
                done[event.cycle] = line
        return done

    def _note(self, line: CycleSummary, event: CycleEvent) -> bool:
        """Takes up an event of the cycle; returns whether it decides the result."""
        if event.type == "NodesFiltered":
            line.num_feasible, line.num_evaluated = event.num_feasible, event.num_evaluated
        elif event.type == "PodAssumed":
            line.result, line.node = "scheduled", event.node
            return True
        elif event.type == "PodUnschedulable":
            line.result, line.node = "error" if event.error else "unschedulable", ""
            del self._open[event.cycle]
            return True
        elif event.type == "PodBound":
            del self._open[event.cycle]
        return False


class DatabaseSink:
    """The one writer of a run's trace."""

    def __init__(self, claim: Claim[Run], begun: Iterable[bytes] = (), last_seq: int = 0) -> None:
        """Args:
        claim: of the run.
        begun: the events that an earlier attempt stored, for the cycles that are open at their end.
        last_seq: the number of the last of them.
        """
        self._claim = claim
        self._lines = CycleLines(claim.id)
        for line in begun:
            self._lines.read(line)
        self._last_seq = last_seq
        self._progress: dict[str, Any] = {}
        self._tape = b""

    def store(self, frames: list[Frame]) -> None:
        """Stores what came at once in one transaction, then pokes.

        Args:
            frames: E, C, T and P frames in their order; others are left alone.

        Raises:
            ClaimLost: another attempt owns the run; nothing of this was stored.
        """
        chunks: list[EventChunk] = []
        details: list[CycleDetail] = []
        lines: dict[int, CycleSummary] = {}
        for kind, payload in frames:
            if kind == EVENTS:
                first_seq, self._last_seq, events = unpack_events(payload)
                chunks.append(
                    EventChunk(
                        run_id=self._claim.id,
                        first_seq=first_seq,
                        last_seq=self._last_seq,
                        payload=events,
                    )
                )
                lines |= self._lines.read(events)
            elif kind == DETAIL:
                cycle, body = unpack_detail(payload)
                details.append(CycleDetail(run_id=self._claim.id, cycle=cycle, payload=body))
            elif kind == TAPE:
                self._tape = payload
            elif kind == PROGRESS:
                self._progress = json.loads(payload)
        if not (chunks or details or frames[-1][0] == PROGRESS):
            return
        with transaction.atomic():
            self._claim.write(last_seq=self._last_seq, progress=self._progress)
            EventChunk.objects.bulk_create(chunks)
            CycleDetail.objects.bulk_create(details, ignore_conflicts=True)
            if lines:
                CycleSummary.objects.bulk_create(
                    lines.values(),
                    update_conflicts=True,
                    unique_fields=["run", "cycle"],
                    update_fields=SUMMARY_FIELDS,
                )
        notify(self._claim.id)

    def finish(self, kind: bytes, payload: bytes) -> None:
        """Stores the engine's last frame as the run's end.

        Args:
            kind: R for a run that ended by itself or was cancelled, X for one that was refused.
            payload: the frame's JSON.
        """
        last = json.loads(payload)
        with transaction.atomic():
            if kind == REFUSED:
                self._claim.finish(RunStatus.FAILED, errors=last.get("errors", []), message=last["message"])
            else:
                self._finish_good(last)
        notify(self._claim.id)

    def _finish_good(self, last: dict[str, Any]) -> None:
        if last["last_seq"] < self._last_seq:  # cancelled while what is stored was computed again
            self._claim.finish(RunStatus.CANCELLED, message="Cancelled before it went on.")
            return
        numbers = {name: last[name] for name in ("num_cycles", "num_bound", "num_pending")}
        self._claim.finish(
            RunStatus(last["status"]),
            **numbers,
            headline=last["headline"],
            why=reasons_of(
                each["message"] or _GATED * (each["queue"] == "gated") for each in last["pending"]
            ),
            progress={
                **self._progress,
                "cycles": last["num_cycles"],
                "bound": last["num_bound"],
                "pending": last["num_pending"],
            },
            digest=last["digest"],
            engine_version=last["engine_version"],
            notes=last.get("notes", []),
            last_seq=last["last_seq"],
        )
        RunOutcome.objects.create(
            run_id=self._claim.id,
            placements=msgspec.json.encode(last["placements"]),
            pending=msgspec.json.encode(last["pending"]),
            tape=self._tape,
            ending=msgspec.json.encode({name: last[name] for name in ENDING if name in last}),
        )
