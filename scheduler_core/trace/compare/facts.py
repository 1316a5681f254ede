"""What a comparison reads of a trace: the life of each pod, and how each cycle went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Line(msgspec.Struct):
    """What is read of an event."""

    type: str
    seq: int = 0
    t_us: int = 0
    cycle: int = 0
    pod: str = ""
    node: str = ""
    attempt: int = 0
    num_feasible: int = 0
    rejected: dict[str, int] = {}
    scores: tuple[tuple[str, int], ...] = ()
    num_ties: int = 0
    message: str = ""
    victims: tuple[str, ...] = ()
    reason: str = ""
    text: str = ""
    object: str = ""
    by: str = ""
    owner: str = ""


class PodStart(msgspec.Struct, frozen=True):
    """A pod that a run begins with: its node, or "", and its owner, such as ``ReplicaSet/web-5d``."""

    node: str
    owner: str = ""


class PodFacts(msgspec.Struct):
    """A pod: when it first waited, when it was bound, and where it is now ("" while it waits, None once gone)."""

    enqueued_us: int | None = None
    bound_us: int | None = None
    node: str | None = ""
    was_preempted: bool = False
    message: str = ""
    owner: str = ""

    @property
    def wait_us(self) -> int | None:
        """How long it waited for its first node; None where it came with one or has none yet."""
        if self.enqueued_us is None or self.bound_us is None:
            return None
        return self.bound_us - self.enqueued_us


class CycleFacts(msgspec.Struct):
    """One attempt: what filters left, what the best scored, and how it ended."""

    cycle: int
    pod: str
    t_us: int
    attempt: int
    filtered: Line | None = None
    scored: Line | None = None
    node: str = ""
    message: str = ""
    victims: tuple[str, ...] = ()

    @property
    def outcome(self) -> tuple[str, str, tuple[str, ...]]:
        """What counts when two attempts are compared."""
        return self.pod, self.node, self.victims


class Facts:
    """All that is read of a trace."""

    def __init__(self, lines: Iterable[bytes], pods: Mapping[str, PodStart] | None = None) -> None:
        self.pods: dict[str, PodFacts] = {
            key: PodFacts(node=pod.node, owner=pod.owner) for key, pod in (pods or {}).items()
        }
        self.knows_all = pods is not None
        self.cycles: list[CycleFacts] = []
        self.end_us = 0
        for line in lines:
            if any(mark in line for mark in _MARKS):
                self._add(_READER.decode(line))

    def _add(self, event: Line) -> None:
        self.end_us = event.t_us
        kind = event.type
        if kind == "CycleStarted":
            self.cycles.append(CycleFacts(event.cycle, event.pod, event.t_us, event.attempt))
        elif kind == "PodEnqueued":
            pod = self._pod(event.pod)
            pod.node = ""  # what came with a node is placed anew
            if pod.enqueued_us is None:
                pod.enqueued_us = event.t_us
        elif kind == "PodCreated":
            self._pod(event.pod).owner = event.owner
        elif kind == "PodBound":
            pod = self._pod(event.pod)
            pod.node = event.node
            if pod.bound_us is None:
                pod.bound_us = event.t_us
        elif kind in ("PodDeleted", "PodTerminating"):
            self._go(event)
        elif self.cycles and self.cycles[-1].cycle == event.cycle:
            self._add_to_cycle(self.cycles[-1], event)

    def _go(self, event: Line) -> None:
        pod = self._pod(event.pod)
        pod.was_preempted = pod.was_preempted or event.reason == "preempted"
        if event.type == "PodDeleted":
            pod.node = None

    def _add_to_cycle(self, cycle: CycleFacts, event: Line) -> None:
        if event.type == "NodesFiltered":
            cycle.filtered = event
        elif event.type == "NodesScored":
            cycle.scored = event
        elif event.type == "PodAssumed":
            cycle.node = event.node
        elif event.type == "VictimsSelected":
            cycle.victims = event.victims
        elif event.type == "PodUnschedulable":
            cycle.message = event.message
            self._pod(cycle.pod).message = event.message

    def _pod(self, key: str) -> PodFacts:
        """The pod of a name; one that comes back under its name is another one."""
        pod = self.pods.get(key)
        if pod is None:
            pod = self.pods[key] = PodFacts()
        elif pod.node is None:
            pod.node = ""
        return pod


_READ: Final = (
    "CycleStarted", "NodesFiltered", "NodesScored", "PodAssumed", "PodBound", "PodCreated", "PodDeleted",
    "PodEnqueued", "PodTerminating", "PodUnschedulable", "VictimsSelected",
)  # fmt: skip
_MARKS: Final = tuple(f'"type":"{kind}"'.encode() for kind in _READ)
_READER: Final = msgspec.json.Decoder(Line)


def read_line(line: bytes) -> Line:
    """Returns what is read of any event."""
    return _READER.decode(line)
