"""Checkpoints: what it takes to come back to a cycle of a run without searching for nodes again.

A checkpoint is what was decided up to there, read off the trace. Restored on the same objects, configuration, options
and steps it brings a simulator to just before the cycle, in a fraction of the run's time; the digest of the events up
to there proves that it is the same run.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.scheduler.decision import Decision

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from scheduler_core.simulator.simulator import Simulator

_SEARCH_EVENTS: Final = frozenset({"NodesFiltered", "NodesScored"})
_KINDS: Final = ("CycleStarted", "NodesFiltered", "NodesScored", "PodAssumed")
_MARKS: Final = tuple(f'"type":"{kind}"'.encode() for kind in _KINDS)


class _Line(msgspec.Struct):
    """What is read of an event."""

    type: str
    cycle: int = 0
    pod: str = ""
    node: str = ""
    num_evaluated: int = 0
    num_ties: int = 0


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The way to a cycle: decisions by cycle, how many events lie before it, and their digest."""

    cycle: int
    num_events: int
    digest: str
    decisions: dict[int, Decision]

    def without(self, cycles: Collection[int]) -> Checkpoint:
        """The same way, on which these cycles are decided again."""
        kept = {cycle: decision for cycle, decision in self.decisions.items() if cycle not in cycles}
        return msgspec.structs.replace(self, decisions=kept)

    def encode(self) -> bytes:
        """The checkpoint as it is stored."""
        return _ENCODER.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Checkpoint:
        """A stored checkpoint."""
        return _DECODER.decode(data)


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Checkpoint)
_READER: Final = msgspec.json.Decoder(_Line)


def checkpoint_before(cycle: int, lines: Iterable[bytes]) -> Checkpoint:
    """The checkpoint just before a cycle, from the lines of a trace up to there or further.

    Args:
        cycle: from 1; one after the last gives the end of what is there
        lines: events as written, from the first on
    """
    decisions: dict[int, Decision] = {}
    digest = hashlib.sha256()
    num_events = 0
    search: list[bytes] = []
    facts = _Line("")
    for line in lines:
        if any(mark in line for mark in _MARKS):
            event = _READER.decode(line)
            if event.type == "CycleStarted":
                if event.cycle >= cycle:
                    break
                search, facts = [], _Line("")
            elif event.type in _SEARCH_EVENTS:
                search.append(line)
                facts.num_evaluated = event.num_evaluated or facts.num_evaluated
                facts.num_ties = event.num_ties
            elif event.type == "PodAssumed":
                decisions[event.cycle] = Decision(
                    event.pod, event.node, facts.num_evaluated, facts.num_ties, tuple(search)
                )
        digest.update(line)
        digest.update(b"\n")
        num_events += 1
    return Checkpoint(cycle=cycle, num_events=num_events, digest=digest.hexdigest(), decisions=decisions)


def restore(simulator: Simulator, checkpoint: Checkpoint) -> None:
    """Has a simulator, loaded as the recorded one was, take over the decisions up to the checkpoint.

    The run that follows raises ReplayError if its events up to there are not the recorded ones.
    """
    simulator.scheduler.recorded = checkpoint.decisions
    simulator.tracer.expect(checkpoint.num_events, checkpoint.digest)
