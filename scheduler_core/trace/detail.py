"""A cycle's detail: every node's verdicts and scores, as arrays over the snapshot's nodes.

``nodes`` gives the rows; arrays of verdicts hold FEASIBLE, NOT_LOOKED_AT or an index into ``statuses``. The queues are
not in it: the events before it say who waits where.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

FEASIBLE: Final = -1
NOT_LOOKED_AT: Final = -2

Record = dict[str, Any]
"""The numbers behind one refusal; which ones, each plugin's ``refusal_numbers`` says."""


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


Did = Literal["ran", "skipped", "refused", "waits", "error", "later"]


class CallDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a plugin did at an extension point; ``text`` says more of it where there is more."""

    plugin: str
    did: Did = "ran"
    text: str = ""


class PointDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """An extension point, in the order of the cycle: how it ended ("" where the cycle did not get there)."""

    name: str
    did: Did | Literal[""] = ""
    text: str = ""
    calls: tuple[CallDetail, ...] = ()


class SampleDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which nodes were looked at: ``num_candidates`` from ``start_index`` on, until ``num_to_find`` fit."""

    text: str
    start_index: int = 0
    num_candidates: int = 0
    num_to_find: int = 0
    percentage: int = 0


class CandidateDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """A node where preemption would help, and what the five criteria see of it.

    ``start_us``: when the first of its most important victims started, µs since 1970; None where it has not.
    """

    node: str
    victims: tuple[str, ...]
    num_pdb_violations: int = 0
    highest_priority: int = 0
    sum_of_priorities: int = 0
    start_us: int | None = None
    budgets: tuple[str, ...] = ()


class RefusedHelp(msgspec.Struct, frozen=True):
    """Nodes where deleting pods would not help, by what was said of them."""

    text: str
    num_nodes: int
    nodes: tuple[str, ...]


class PreemptionDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What PostFilter looked at: candidates (the cheapest first), what decided, and where it cannot help."""

    text: str
    criterion: str = ""
    candidates: tuple[CandidateDetail, ...] = ()
    num_candidates: int = 0
    not_helpful: tuple[RefusedHelp, ...] = ()


class MessagePart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of the event's message; with ``cause`` it is a reason that ``num_nodes`` nodes gave."""

    text: str
    cause: Literal["", "filter", "preemption"] = ""
    reason: str = ""
    num_nodes: int = 0


class Explanation(msgspec.Struct, frozen=True):
    """A sentence about a group of nodes with the same refusal."""

    text: str
    plugin: str
    code: str
    reasons: tuple[str, ...]
    nodes: tuple[str, ...]
    num_nodes: int


class Remedy(msgspec.Struct, frozen=True):
    """A change with which the pod would fit ``nodes`` (the first of ``num_nodes``), as a sentence."""

    kind: str
    text: str
    plugin: str
    nodes: tuple[str, ...]
    num_nodes: int


class CycleDetail(msgspec.Struct, kw_only=True):
    """Everything one scheduling attempt looked at.

    ``numbers``: plugin → row (as text) → index into ``records`` and ``texts``, the same in words; nodes often refuse
    for the same numbers.
    ``pod_numbers``: plugin → what it counted for the whole cluster (skew tables, matching terms).
    ``score_numbers``: plugin → what it counted to score (domains and their pods).

    Shapes:
        outcome, filters[plugin]: one number a node, in the order of ``nodes``; filters[plugin] is empty where the
            plugin lets every node pass
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
    message_parts: tuple[MessagePart, ...] = ()
    nominated_node: str | None = None
    victims: tuple[str, ...] = ()
    unschedulable_plugins: tuple[str, ...] = ()
    pending_plugins: tuple[str, ...] = ()
    decision: str = ""
    points: tuple[PointDetail, ...] = ()
    sample: SampleDetail | None = None
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
    tie_break: str = ""
    numbers: dict[str, dict[str, int]] = {}
    records: list[list[Record]] = []
    texts: list[str] = []
    pod_numbers: dict[str, list[Record]] = {}
    score_numbers: dict[str, list[Record]] = {}
    preemption: PreemptionDetail | None = None
    explanation: list[Explanation] = []
    remedies: list[Remedy] = []

    def records_of(self, plugin: str, row: int) -> list[Record]:
        """The numbers behind a plugin's refusal of a row; empty where it gave none."""
        index = self.numbers.get(plugin, {}).get(str(row))
        return [] if index is None else self.records[index]

    def refusals_of(self, row: int) -> list[StatusDetail]:
        """What every plugin that refuses a row says: the first refusal first, then in the plugins' order."""
        found = [self.outcome[row]] if self.outcome[row] >= 0 else []
        for verdicts in self.filters.values():
            if verdicts and verdicts[row] >= 0 and verdicts[row] not in found:
                found.append(verdicts[row])
        statuses = [self.statuses[index] for index in found]
        first = statuses[0].plugin if statuses else ""
        return [status for at, status in enumerate(statuses) if at == 0 or status.plugin != first]
