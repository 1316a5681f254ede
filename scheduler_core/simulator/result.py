"""How a run stands and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec

from scheduler_core.simulator.account import Evicted, NotAdmitted
from scheduler_core.simulator.availability import Workload
from scheduler_core.simulator.held_up import HeldUp
from scheduler_core.simulator.loading import Refused
from scheduler_core.simulator.scenario.running import RefusedEdit

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod

ENGINE_VERSION: Final = "3"
"""Changes whenever the same input may give other bytes."""


_WAITS: Final = {
    "active": "is ready for an attempt",
    "backoff": "waits out its backoff",
    "unschedulable": "waits for a change in the cluster that may help",
    "gated": "is held by a plugin before it enters the queue",
}


class Progress(msgspec.Struct, frozen=True):
    """How far a run is."""

    cycles: int
    bound: int
    pending: int
    t_us: int


class PendingPod(msgspec.Struct, frozen=True):
    """A pod that has no node at the end: what its last attempt said and where it waits."""

    pod: str
    message: str
    queue: str
    plugins: tuple[str, ...]
    waits: str = ""
    """What it waits for, as a sentence's end: "is held by the scheduling gate example.com/quota"."""
    is_deleting: bool = False


def what_it_waits_for(pod: Pod, queue: str) -> str:
    """Returns why a pod without a node is where it is, beside what its last attempt said.

    Args:
        pod: pending.
        queue: its queue's name, or an empty text where no queue has it.
    """
    if pod.metadata.deletion_timestamp is not None:
        return "is being deleted: the scheduler leaves it alone"
    gates = [gate.name for gate in pod.spec.scheduling_gates]
    if gates:
        return f"is held by the scheduling gate{'s' * (len(gates) > 1)} {', '.join(gates)}"
    if not queue:
        return f"is not tried: no profile has its schedulerName, {pod.spec.scheduler_name}"
    return _WAITS.get(queue, "")


class Move(msgspec.Struct, frozen=True):
    """A pod that was asked about: the node it had, and the one it has now, or none."""

    pod: str
    before: str
    after: str


Tone = Literal["good", "warning", "bad", "plain"]


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One sentence without a full stop; ``pods`` are the first of those it is about, as namespace/name.

    ``event`` is the type of event in the log that tells more.
    """

    text: str
    tone: Tone = "plain"
    pods: tuple[str, ...] = ()
    event: str = ""


class RunResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended.

    ``num_bound`` pods take room on a node, ``num_finished`` have run to their end; ``placements`` names the nodes of
    both. ``num_placed`` pods were bound by the run and are still there. ``headline`` says in sentences what all of it
    comes to. ``evicted``, ``not_admitted``, ``workloads``, ``held_up``: who had to go, what could not be created, who
    lost pods to the edits, which controllers wait for a pod. ``notes``: what the configuration sets without effect, and
    what was left out of it; ``refused``: objects of the cluster that admission did not take; ``refused_edits``: edits
    that changed nothing, drains that did not end; ``stopped``: why the run was ended before it was quiet, or an empty
    text; ``question``: what was asked, as a sentence; ``moves``: what became of the pods that were placed anew for it.
    """

    num_cycles: int
    num_bound: int
    num_pending: int
    placements: dict[str, str]
    pending: tuple[PendingPod, ...]
    digest: str
    last_seq: int
    num_finished: int = 0
    num_placed: int = 0
    evicted: tuple[Evicted, ...] = ()
    not_admitted: tuple[NotAdmitted, ...] = ()
    workloads: tuple[Workload, ...] = ()
    held_up: tuple[HeldUp, ...] = ()
    headline: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    refused_edits: tuple[RefusedEdit, ...] = ()
    stopped: str = ""
    question: str = ""
    moves: tuple[Move, ...] = ()
    engine_version: str = ENGINE_VERSION
