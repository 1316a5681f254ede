"""How a run stands and how it ended."""

from __future__ import annotations

from typing import Final

import msgspec

from scheduler_core.simulator.loading import Refused
from scheduler_core.simulator.scenario.running import RefusedEdit

ENGINE_VERSION: Final = "2"
"""Changes whenever the same input may give other bytes."""


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


class Move(msgspec.Struct, frozen=True):
    """A pod that was asked about: the node it had, and the one it has now, or none."""

    pod: str
    before: str
    after: str


class RunResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended.

    ``num_bound`` pods take room on a node, ``num_finished`` have run to their end; ``placements`` names the nodes of
    both. ``notes``: what the configuration sets without effect, and what was left out of it; ``refused``: objects of
    the cluster that admission did not take; ``refused_edits``: edits that changed nothing, drains that did not end;
    ``stopped``: why the run was ended before it was quiet, or an empty text; ``question``: what was asked, as a
    sentence; ``moves``: what became of the pods that were placed anew for it.
    """

    num_cycles: int
    num_bound: int
    num_pending: int
    placements: dict[str, str]
    pending: tuple[PendingPod, ...]
    digest: str
    last_seq: int
    num_finished: int = 0
    notes: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    refused_edits: tuple[RefusedEdit, ...] = ()
    stopped: str = ""
    question: str = ""
    moves: tuple[Move, ...] = ()
    engine_version: str = ENGINE_VERSION
