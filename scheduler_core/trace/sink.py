"""Where events go, and the tracer through which the scheduler sends them.

A trace that nobody reads costs nothing: callers ask ``tracer.on`` before they build an event.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, Protocol

from scheduler_core.trace.codec import encode

if TYPE_CHECKING:
    from scheduler_core.clock import VirtualClock
    from scheduler_core.trace.detail import CycleDetail
    from scheduler_core.trace.events import Event

_LINES_A_HASH: Final = 256
"""A call for many lines costs hardly more than one for one."""


class ReplayError(Exception):
    """The run at hand is not the recorded one."""


class Sink(Protocol):
    """Takes encoded events in order, and the details of cycles that it wants."""

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""
        ...

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Whether the detail of this cycle is to be collected."""
        ...

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        """Takes a cycle's detail."""
        ...


class SilentSink:
    """Takes events for their number and their digest alone."""

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Never: nobody reads them."""
        return False

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        """Not asked for."""


class MemorySink:
    """Keeps everything; for tests and small runs."""

    def __init__(self, *, details: bool = False) -> None:
        self.lines: list[bytes] = []
        self.details: dict[int, CycleDetail] = {}
        self._details_wanted = details

    def write(self, seq: int, data: bytes) -> None:
        self.lines.append(data)

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        return self._details_wanted

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        self.details[cycle] = detail


class Tracer:
    """Numbers, encodes and digests events. Without a sink it is off."""

    __slots__ = ("_clock", "_expected", "_hash", "_sink", "_unhashed", "on", "seq")

    def __init__(self, clock: VirtualClock, sink: Sink | None) -> None:
        self._clock = clock
        self._sink = sink
        self._hash = hashlib.sha256()
        self._unhashed: list[bytes] = []
        self._expected: list[tuple[int, str]] = []
        self.on = sink is not None
        self.seq = 0

    def emit(self, event: Event) -> None:
        """Sends one event."""
        if self._expected:
            self._compare()
        assert self._sink is not None
        self.seq = seq = self.seq + 1
        data = encode(event, seq, self._clock.now_us)
        self._sink.write(seq, data)
        self._unhashed.append(data)
        if len(self._unhashed) >= _LINES_A_HASH:
            self._hash_lines()

    def repeat(self, line: bytes) -> None:
        """Sends an event of an earlier run again.

        Raises:
            ReplayError: it does not follow on what was sent.
        """
        if not line.startswith(b'{"seq":%d,"t_us":%d,' % (self.seq + 1, self._clock.now_us)):
            raise ReplayError(f"event {self.seq + 1} at {self._clock.now_us} µs is not the recorded one")
        if self._expected:
            self._compare()
        assert self._sink is not None
        self.seq += 1
        self._unhashed.append(line)
        self._sink.write(self.seq, line)

    def expect(self, seq: int, digest: str) -> None:
        """Has the digest compared once ``seq`` events are sent; the next one raises ReplayError if it differs."""
        self._expected.append((seq, digest))

    def check_expected(self) -> None:
        """Compares what is expected at the end of a run.

        Raises:
            ReplayError: fewer events were sent than are recorded, or others.
        """
        if self._expected:
            self._compare()
        if self._expected:
            raise ReplayError(f"the run ended after {self.seq} events; more are recorded")

    def _compare(self) -> None:
        for seq, digest in [expected for expected in self._expected if expected[0] <= self.seq]:
            if seq != self.seq or self.digest() != digest:
                raise ReplayError(f"the first {seq} events are not the recorded ones")
            self._expected.remove((seq, digest))

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Whether somebody wants the detail of this cycle."""
        return self._sink is not None and self._sink.wants_detail(cycle, num_nodes)

    def emit_detail(self, cycle: int, detail: CycleDetail) -> None:
        """Sends a cycle's detail."""
        assert self._sink is not None
        self._sink.write_detail(cycle, detail)

    def digest(self) -> str:
        """SHA-256 over all event lines so far, hexadecimal."""
        self._hash_lines()
        return self._hash.hexdigest()

    def _hash_lines(self) -> None:
        self._unhashed.append(b"")
        self._hash.update(b"\n".join(self._unhashed))
        self._unhashed.clear()
