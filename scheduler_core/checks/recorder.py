"""What a check keeps of a run's trace: bindings, refusals, victims, and details where they are wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

if TYPE_CHECKING:
    from scheduler_core.trace import CycleDetail

_TYPE: Final = b'"type":"'


class Bound(NamedTuple):
    """A pod got a node."""

    node: str
    t_us: int
    cycle: int


class Refused(NamedTuple):
    """A pod's last attempt failed."""

    cycle: int
    message: str
    plugins: tuple[str, ...]


class Preempted(NamedTuple):
    """A pod had to go for another."""

    pod: str
    node: str
    preemptor: str


class Denied(NamedTuple):
    """Admission refused an object."""

    object: str
    by: str
    message: str


class Recorder:
    """A sink that keeps what expectations ask for.

    Args:
        wanted: cycles whose detail is kept.
    """

    def __init__(self, wanted: frozenset[int] = frozenset()) -> None:
        self.bound: dict[str, Bound] = {}
        self.refused: dict[str, Refused] = {}
        self.preempted: list[Preempted] = []
        self.denied: list[Denied] = []
        self.num_ties: list[int] = []
        self.details: dict[int, CycleDetail] = {}
        self._wanted = wanted
        self._readers: dict[bytes, Callable[[dict[str, Any]], None]] = {
            b"PodBound": self._pod_bound,
            b"PodUnschedulable": self._pod_unschedulable,
            b"VictimsSelected": self._victims_selected,
            b"AdmissionRefused": self._admission_refused,
            b"NodesScored": self._nodes_scored,
        }

    def write(self, seq: int, data: bytes) -> None:
        """Takes one event."""
        start = data.index(_TYPE) + len(_TYPE)
        reader = self._readers.get(data[start : data.index(b'"', start)])
        if reader is not None:
            reader(msgspec.json.decode(data))

    def wants_detail(self, cycle: int, num_nodes: int) -> bool:
        """Whether this cycle is one of those that are wanted."""
        return cycle in self._wanted

    def write_detail(self, cycle: int, detail: CycleDetail) -> None:
        """Keeps a detail."""
        self.details[cycle] = detail

    def _pod_bound(self, event: dict[str, Any]) -> None:
        self.bound[event["pod"]] = Bound(event["node"], event["t_us"], event["cycle"])

    def _pod_unschedulable(self, event: dict[str, Any]) -> None:
        self.refused[event["pod"]] = Refused(
            event["cycle"], event["message"], tuple(event.get("plugins", ()))
        )

    def _victims_selected(self, event: dict[str, Any]) -> None:
        for victim in event["victims"]:
            self.preempted.append(Preempted(victim, event["node"], event["pod"]))

    def _admission_refused(self, event: dict[str, Any]) -> None:
        self.denied.append(Denied(event["object"], event["by"], event["message"]))

    def _nodes_scored(self, event: dict[str, Any]) -> None:
        if event["num_ties"] > 1:
            self.num_ties.append(event["num_ties"])
