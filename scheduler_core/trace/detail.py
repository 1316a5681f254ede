"""A cycle's detail: every node's verdicts and scores, as arrays over the snapshot's nodes.

``nodes`` gives the rows; arrays of verdicts hold FEASIBLE, NOT_LOOKED_AT or an index into ``statuses``.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

FEASIBLE: Final = -1
NOT_LOOKED_AT: Final = -2


class StatusDetail(msgspec.Struct, frozen=True):
    """A refusal: its code, the plugin behind it ("" for an extender or PreFilter's node set), its reasons."""

    code: str
    plugin: str
    reasons: tuple[str, ...]


class PreFilterDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a PreFilter plugin did: skipped, refused the pod, or left ``nodes`` nodes."""

    plugin: str
    skipped: bool = False
    status: int | None = None
    nodes: int | None = None


class Explanation(msgspec.Struct, frozen=True):
    """A sentence about a group of nodes with the same refusal."""

    text: str
    plugin: str
    code: str
    reasons: tuple[str, ...]
    nodes: tuple[str, ...]
    num_nodes: int


class QueuesDetail(msgspec.Struct, frozen=True):
    """Pods in each queue after the attempt, each list in the queue's order."""

    active: tuple[str, ...]
    backoff: tuple[str, ...]
    unschedulable: tuple[str, ...]
    gated: tuple[str, ...]


class CycleDetail(msgspec.Struct, kw_only=True):
    """Everything one scheduling attempt looked at.

    Shapes:
        outcome, filters[plugin]: one number a node, in the order of ``nodes``
        raw, normalized, weighted [plugin], total: one number a row in ``scored``
        ties: rows
    """

    cycle: int
    t_us: int
    pod: str
    attempt: int
    step: int = 0
    result: str = ""
    node: str | None = None
    num_nodes: int = 0
    num_evaluated: int = 0
    num_feasible: int = 0
    next_start_node_index: int = 0
    message: str = ""
    nominated_node: str | None = None
    victims: tuple[str, ...] = ()
    unschedulable_plugins: tuple[str, ...] = ()
    pending_plugins: tuple[str, ...] = ()
    nodes: list[str] = []
    statuses: list[StatusDetail] = []
    outcome: list[int] = []
    absent: int | None = None
    filters: dict[str, list[int]] = {}
    prefilter: list[PreFilterDetail] = []
    scored: list[int] = []
    weights: dict[str, int] = {}
    raw: dict[str, list[int]] = {}
    normalized: dict[str, list[int]] = {}
    weighted: dict[str, list[int]] = {}
    total: list[int] = []
    ties: list[int] = []
    numbers: dict[str, dict[str, list[dict[str, Any]]]] = {}
    explanation: list[Explanation] = []
    queues: QueuesDetail | None = None
