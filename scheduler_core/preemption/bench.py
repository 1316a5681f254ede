"""The dry runs of many nodes, as rows of the columns: who waits to be put back, and what that adds to a row.

Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler_core.extender.wire import Victims
from scheduler_core.preemption.importance import sorted_by_importance
from scheduler_core.preemption.victims import potential_victims, split_by_pdb_violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.api.policy import PodDisruptionBudget
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import HostPort, PodInfo

_NUM_NON_ZERO = 2


class Stripped(NamedTuple):
    """A node without its potential victims, and of what it was made.

    Shapes:
        amounts: int64[len(victims), len(axis) + 2], what each adds to its row: requests, then cpu and memory
            with the scoring defaults
    """

    pods: tuple[PodInfo, ...]
    node: Node | None
    priority: int
    node_info: NodeInfo
    victims: list[PodInfo]
    amounts: Int64Array
    ports: frozenset[HostPort]

    def is_of(self, node_info: NodeInfo, priority: int) -> bool:
        """Whether stripping the node as it is now comes to the same."""
        return (
            self.priority == priority
            and self.node is node_info.node
            and self.pods == tuple(node_info.pods.values())
            and self.ports == node_info.ports  # they may differ for the same pods: see remove_pod
            and self.amounts.shape[1] == len(node_info.axis) + _NUM_NON_ZERO
        )


def strip(node_info: NodeInfo, priority: int) -> Stripped:
    """Takes the pods with a lower priority off a copy of the node; the most important one comes first."""
    found = potential_victims(node_info, priority)
    without = node_info.clone()
    for pod_info in found:
        without.remove_pod(pod_info.uid)
    victims = sorted_by_importance(found)
    pods = tuple(node_info.pods.values())
    amounts = _amounts(victims, len(node_info.axis))
    return Stripped(pods, node_info.node, priority, without, victims, amounts, node_info.ports)


class Bench:
    """One node: its potential victims in the order in which they are put back, and those who have to go."""

    __slots__ = ("amounts", "gone", "has_ports", "infos", "nominated", "num_violating", "row", "waiting")

    def __init__(
        self,
        row: int,
        stripped: Stripped,
        pdbs: Sequence[PodDisruptionBudget],
        nominated: Sequence[PodInfo],
    ) -> None:
        """``nominated`` pods are those that the preemptor may not count out."""
        self.row = row
        self.waiting = stripped.victims
        self.amounts = stripped.amounts
        self.num_violating = 0
        if pdbs:
            violating, others = split_by_pdb_violation(stripped.victims, pdbs)
            if violating:
                self.waiting = [*violating, *others]
                self.amounts = _amounts(self.waiting, len(stripped.node_info.axis))
                self.num_violating = len(violating)
        self.nominated = nominated
        self.infos = [stripped.node_info.clone()]
        if nominated:
            self.infos.append(stripped.node_info.clone())
            for pod_info in nominated:
                self.infos[1].add_pod(pod_info)
        self.has_ports = any(pod_info.host_ports for pod_info in (*self.waiting, *nominated))
        self.gone: list[int] = []

    def put_back(self, step: int) -> None:
        """Puts a pod back on the node."""
        for node_info in self.infos:
            node_info.add_pod(self.waiting[step])

    def take_off(self, step: int) -> None:
        """Takes a pod off again that cannot stay."""
        for node_info in self.infos:
            node_info.remove_pod(self.waiting[step].uid)
        self.gone.append(step)

    def victims(self) -> Victims:
        """Those who could not stay."""
        pods = [self.waiting[index] for index in self.gone]
        if not self.num_violating:
            return Victims(tuple(pods), 0)
        num_pdb_violations = sum(index < self.num_violating for index in self.gone)
        if self.num_violating < len(self.waiting):
            pods = sorted_by_importance(pods)
        return Victims(tuple(pods), num_pdb_violations)


class BenchRows:
    """Shows benches in their rows: at first without any of those who wait. ``close`` shows the nodes again.

    Positions are indices into ``benches``.
    """

    __slots__ = ("_amounts", "_nodes", "_nominated", "_own", "_saved", "benches", "lengths", "rows")

    def __init__(self, nodes: NodeInfos, benches: Sequence[Bench]) -> None:
        width = len(nodes.axis)
        self._nodes = nodes
        self.benches = benches
        self.rows: RowIndex = np.fromiter((bench.row for bench in benches), np.intp, len(benches))
        self.lengths = np.fromiter((len(bench.waiting) for bench in benches), np.intp, len(benches))
        self._amounts = np.zeros((len(benches), self.lengths.max(), width + _NUM_NON_ZERO), np.int64)
        self._nominated = np.zeros((len(benches), width + _NUM_NON_ZERO), np.int64)
        for position, bench in enumerate(benches):
            self._amounts[position, : len(bench.waiting)] = bench.amounts
            if bench.nominated:
                self._nominated[position] = _amounts(bench.nominated, width).sum(axis=0)
        self._own = [nodes.infos[bench.row] for bench in benches]
        rows = self.rows
        self._saved = (
            nodes.requested[rows],
            nodes.non_zero_requested[rows],
            nodes.num_pods[rows],
            nodes.ports_id[rows],
        )
        self._add(np.arange(len(benches)), -self._amounts.sum(axis=1), -self.lengths)
        self._show(range(len(benches)), 0)

    def close(self) -> None:
        """Shows the rows' own nodes."""
        nodes, rows = self._nodes, self.rows
        for row, node_info in zip(rows.tolist(), self._own, strict=True):
            nodes.infos[row] = node_info
        requested, non_zero_requested, num_pods, ports_id = self._saved
        nodes.requested[rows] = requested
        nodes.non_zero_requested[rows] = non_zero_requested
        nodes.num_pods[rows] = num_pods
        nodes.ports_id[rows] = ports_id

    def put_back(self, step: int, positions: RowIndex) -> None:
        """Puts back the pod that is next."""
        for position in positions.tolist():
            self.benches[position].put_back(step)
        self._add(positions, self._amounts[positions, step], 1)
        self._write_ports(positions.tolist(), 0)

    def take_off(self, step: int, positions: RowIndex) -> None:
        """Takes off the pods that were put back and cannot stay."""
        for position in positions.tolist():
            self.benches[position].take_off(step)
        self._add(positions, -self._amounts[positions, step], -1)
        self._write_ports(positions.tolist(), 0)

    def show_nominated(self, positions: Sequence[int], *, shown: bool) -> None:
        """Counts the pods nominated to nodes, or no longer."""
        if not positions:
            return
        at = np.array(positions, np.intp)
        numbers = np.array([len(self.benches[position].nominated) for position in positions], np.int64)
        sign = 1 if shown else -1
        self._add(at, sign * self._nominated[at], sign * numbers)
        self._show(positions, int(shown))

    def _add(self, positions: RowIndex, amounts: Int64Array, pods: Int64Array | int) -> None:
        nodes, rows = self._nodes, self.rows[positions]
        nodes.requested[rows, : amounts.shape[1] - _NUM_NON_ZERO] += amounts[:, :-_NUM_NON_ZERO]
        nodes.non_zero_requested[rows] += amounts[:, -_NUM_NON_ZERO:]
        nodes.num_pods[rows] += pods

    def _show(self, positions: Iterable[int], which: int) -> None:
        infos, benches = self._nodes.infos, self.benches
        for position in positions:
            bench = benches[position]
            infos[bench.row] = bench.infos[which]
        self._write_ports(positions, which)

    def _write_ports(self, positions: Iterable[int], which: int) -> None:
        nodes = self._nodes
        for position in positions:
            bench = self.benches[position]
            if bench.has_ports:
                nodes.ports_id[bench.row] = nodes.port_sets.id(bench.infos[which].used_ports())


def _amounts(pods: Sequence[PodInfo], width: int) -> Int64Array:
    amounts = np.zeros((len(pods), width + _NUM_NON_ZERO), np.int64)
    for index, pod_info in enumerate(pods):
        for column, amount in pod_info.requests:
            amounts[index, column] = amount
        amounts[index, width] = pod_info.non_zero_cpu
        amounts[index, width + 1] = pod_info.non_zero_memory
    return amounts
