"""A run as trace event JSON, which Perfetto and chrome://tracing open: cycles, every pod's way, queue depths.

Virtual microseconds are the format's own unit. Written a piece at a time: a run may have millions of events.

Source: "Trace Event Format" (the Chromium project): phases X, b, e, C, i, M.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

Event = dict[str, Any]

_SCHEDULER, _PODS = 1, 2
_CYCLES = 1
_DEPTHS = ("active", "backoff", "unschedulable", "gated")
_BEING_BOUND = "being bound"
_RUNNING = "bound"
_MARKS = ("VictimsSelected", "NodeAdded", "NodeDeleted", "NodeUpdated", "EditApplied", "EditRefused")
_NAMES: tuple[Event, ...] = (
    {"ph": "M", "pid": _SCHEDULER, "name": "process_name", "args": {"name": "scheduler"}},
    {
        "ph": "M",
        "pid": _SCHEDULER,
        "tid": _CYCLES,
        "name": "thread_name",
        "args": {"name": "scheduling cycles"},
    },
    {"ph": "M", "pid": _PODS, "name": "process_name", "args": {"name": "pods"}},
)


class _Writer:
    """Follows the events and says what the trace has of each."""

    def __init__(self) -> None:
        self._cycle: Event | None = None
        self._where: dict[str, str] = {}
        self._depths = dict.fromkeys(_DEPTHS, 0)
        self._end_us = 0

    def take(self, event: Event) -> Iterator[Event]:
        """Yields what an event adds."""
        self._end_us = event["t_us"]
        kind = event["type"]
        if kind == "CycleStarted":
            yield from self._begin_cycle(event)
        elif self._cycle is not None and event.get("cycle") == self._cycle["args"]["cycle"]:
            self._note(event)
        where = _place_after(event)
        if where is not None:
            yield from self._move(event["pod"], where, event)
        if kind in _MARKS:
            yield _mark(event)

    def finish(self) -> Iterator[Event]:
        """Yields what is still open."""
        if self._cycle is not None:
            yield self._ended_cycle(self._end_us)
        for pod, where in self._where.items():
            yield _span("e", pod, where, self._end_us)

    def _begin_cycle(self, event: Event) -> Iterator[Event]:
        if self._cycle is not None:
            yield self._ended_cycle(event["t_us"])
        names = ("cycle", "pod", "attempt")
        self._cycle = {
            "ph": "X",
            "pid": _SCHEDULER,
            "tid": _CYCLES,
            "cat": "cycle",
            "name": event["pod"],
            "ts": event["t_us"],
            "args": {name: event[name] for name in names},
        }
        yield {
            "ph": "C",
            "pid": _SCHEDULER,
            "name": "queue depth",
            "ts": event["t_us"],
            "args": dict(self._depths),
        }

    def _ended_cycle(self, t_us: int) -> Event:
        assert self._cycle is not None
        ended = {**self._cycle, "dur": max(0, t_us - self._cycle["ts"])}
        self._cycle = None
        return ended

    def _note(self, event: Event) -> None:
        assert self._cycle is not None
        for name in ("node", "message", "num_feasible", "num_evaluated", "rejected", "victims", "num_ties"):
            if name in event:
                self._cycle["args"][name] = event[name]

    def _move(self, pod: str, where: str, event: Event) -> Iterator[Event]:
        before = self._where.pop(pod, "")
        if before in self._depths:
            self._depths[before] -= 1
        if before:
            yield _span("e", pod, before, event["t_us"])
        if where in self._depths:
            self._depths[where] += 1
        if where:
            self._where[pod] = where
            told = {name: event[name] for name in ("event", "plugins", "hints", "node") if event.get(name)}
            yield {**_span("b", pod, where, event["t_us"]), "args": told}


def _place_after(event: Event) -> str | None:
    """Where a pod is after an event: "" is nowhere, None is where it was."""
    match event["type"]:
        case "PodEnqueued":
            return str(event["queue"])
        case "CycleStarted":
            return "in a cycle"
        case "PodAssumed" | "PodWaiting" | "PodPermitted":
            return _BEING_BOUND
        case "PodBound":
            return _RUNNING
        case "PodDeleted" | "PodFinished":
            return ""
        case "PodDequeued":
            return None if event["reason"] == "bound" else ""
    return None


def _span(phase: str, pod: str, where: str, t_us: int) -> Event:
    return {"ph": phase, "pid": _PODS, "cat": "pod", "id": pod, "name": where, "ts": t_us, "tid": 1}


def _mark(event: Event) -> Event:
    args = {name: value for name, value in event.items() if name not in ("seq", "t_us", "type")}
    return {
        "ph": "i",
        "pid": _SCHEDULER,
        "tid": _CYCLES,
        "s": "p",
        "name": event["type"],
        "ts": event["t_us"],
        "args": args,
    }


def chrome_trace(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the trace as pieces of one JSON document.

    Args:
        lines: the run's events as they are stored, one JSON object each.
    """
    writer = _Writer()
    yield b'{"displayTimeUnit":"ms","traceEvents":[\n'
    yield b",\n".join(_encode(name) for name in _NAMES)
    for line in lines:
        for made in writer.take(json.loads(line)):
            yield b",\n" + _encode(made)
    for made in writer.finish():
        yield b",\n" + _encode(made)
    yield b"\n]}\n"


def _encode(event: Event) -> bytes:
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
