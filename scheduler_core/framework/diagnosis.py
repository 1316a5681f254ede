"""Why a pod fits nowhere, and the message that says so.

Source: pkg/scheduler/framework/types.go, Diagnosis, NodeToStatus and FitError, v1.34.1
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from scheduler_core.framework.status import Code, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.snapshot.arrays import Int32Array, RowIndex

NO_NODES_MESSAGE: Final = "no nodes available to schedule pods"
_ABSENT: Final = Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE)


class Refusals(msgspec.Struct, frozen=True):
    """Rows of different nodes that were judged, not yet spelled out; ``numbers`` counts rows by place.

    Shapes: rows intp[n], places int32[n]: 0 for a row that was not refused, or k for ``statuses[k - 1]``
    """

    names: Sequence[str]
    rows: RowIndex
    places: Int32Array
    statuses: Sequence[Status]
    numbers: Sequence[int]


class NodeToStatus:
    """Node → the status it was refused with; ``absent`` stands for the nodes not listed.

    What filters refuse comes as arrays; a name is looked at only when somebody asks for one. Most attempts end
    with a node and nobody asks.
    """

    __slots__ = ("_by_name", "_num_refused", "_refusals", "absent")

    def __init__(self, absent: Status = _ABSENT) -> None:
        self._by_name: dict[str, Status] = {}
        self._refusals: list[Refusals] = []
        self._num_refused = 0
        self.absent = absent

    def __len__(self) -> int:
        return len(self._by_name) + self._num_refused

    def __contains__(self, node_name: str) -> bool:
        return node_name in self._statuses

    def set(self, node_name: str, status: Status) -> None:
        """Records a node's status."""
        self._statuses[node_name] = status

    def add(self, refusals: Refusals) -> None:
        """Records refusals; of the nodes that are listed by name some may be among them."""
        self._refusals.append(refusals)
        self._num_refused += len(refusals.rows) - refusals.numbers[0]
        if self._by_name:
            self.spell_out()

    def spell_out(self) -> None:
        """Lists all refusals by name."""
        for refusals in self._refusals:
            names, statuses = refusals.names, refusals.statuses
            for row, place in zip(refusals.rows.tolist(), refusals.places.tolist(), strict=True):
                if place:
                    self._by_name[names[row]] = statuses[place - 1]
        self._refusals.clear()
        self._num_refused = 0

    def get(self, node_name: str) -> Status:
        """A node's status, or that of the absent ones."""
        return self._statuses.get(node_name, self.absent)

    def items(self) -> Iterator[tuple[str, Status]]:
        """The nodes listed, with their statuses."""
        return iter(self._statuses.items())

    def counts(self) -> Iterator[tuple[Status, int]]:
        """The statuses of the nodes listed, each with the number of nodes; one may come more than once."""
        for status in self._by_name.values():
            yield status, 1
        for refusals in self._refusals:
            for place, number in enumerate(refusals.numbers):
                if place and number:
                    yield refusals.statuses[place - 1], number

    @property
    def _statuses(self) -> dict[str, Status]:
        self.spell_out()
        return self._by_name

    @property
    def absent_is_set(self) -> bool:
        """Whether PreFilter said something of the nodes not listed."""
        return self.absent is not _ABSENT


class Diagnosis:
    """What an attempt learned: statuses by node, plugins that refused, messages."""

    __slots__ = (
        "node_to_status",
        "pending_plugins",
        "post_filter_message",
        "pre_filter_message",
        "unschedulable_plugins",
    )

    def __init__(self) -> None:
        self.node_to_status = NodeToStatus()
        self.unschedulable_plugins: set[str] = set()
        self.pending_plugins: set[str] = set()
        self.pre_filter_message = ""
        self.post_filter_message = ""

    def add_plugin_status(self, status: Status) -> None:
        """Counts the plugin behind a refusal."""
        if not status.plugin:
            return
        if status.code == Code.PENDING:
            self.pending_plugins.add(status.plugin)
        if status.is_rejected:
            self.unschedulable_plugins.add(status.plugin)


class FitError(Exception):
    """No node fits. The only exception of a cycle that is an answer; it never leaves the scheduler."""

    def __init__(self, num_all_nodes: int, diagnosis: Diagnosis) -> None:
        super().__init__(num_all_nodes)
        self.num_all_nodes = num_all_nodes
        self.diagnosis = diagnosis

    def message(self) -> str:
        """The text of the FailedScheduling event, uncut: reasons sorted as strings with their counts."""
        diagnosis = self.diagnosis
        text = f"0/{self.num_all_nodes} nodes are available:"
        if diagnosis.pre_filter_message:
            text += f" {diagnosis.pre_filter_message}."
        else:
            reasons = sorted(f"{count} {reason}" for reason, count in self._reasons().items())
            if reasons:
                text += f" {', '.join(reasons)}."
        if diagnosis.post_filter_message:
            text += f" {diagnosis.post_filter_message}"
        return text

    def _reasons(self) -> Counter[str]:
        reasons: Counter[str] = Counter()
        node_to_status = self.diagnosis.node_to_status
        for status, number in node_to_status.counts():
            for reason in status.reasons:
                reasons[reason] += number
        num_absent = self.num_all_nodes - len(node_to_status)
        if num_absent > 0:
            for reason in node_to_status.absent.reasons:
                reasons[reason] += num_absent
        return reasons
