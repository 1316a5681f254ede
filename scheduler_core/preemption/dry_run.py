"""Dry runs of preemption, node after node; many nodes at once where nothing ties one to another.

If no filter of the attempt follows pods across nodes (no PreFilter extension runs), a node's verdict depends
on that node alone. Then the dry runs of many nodes advance in step: each takes off all its potential victims,
all rows are filtered in one go; each puts back its most important one, all rows are filtered; and so on. The
outcome of every node is the one it would have by itself.

Source: pkg/scheduler/framework/preemption/preemption.go, DryRunPreemption, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from scheduler_core.preemption.bench import Bench
from scheduler_core.preemption.importance import sorted_by_importance
from scheduler_core.preemption.victims import (
    NO_VICTIMS,
    potential_victims,
    select_victims_on_node,
    split_by_pdb_violation,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.api.policy import PodDisruptionBudget
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.status import Status
    from scheduler_core.preemption.handle import PreemptionHandle
    from scheduler_core.preemption.victims import Victims
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.pod_info import PodInfo

    Outcome = Victims | Status

_MIN_NODES_AT_ONCE: Final = 32


class Preemptor(NamedTuple):
    """The pod that wants a place, what PreFilter kept for it, and the disruption budgets to mind."""

    pod: PodInfo
    state: CycleState
    pdbs: Sequence[PodDisruptionBudget]


class DryRun:
    """Judges nodes; keeps what it took apart for as long as the nodes stay as they are."""

    __slots__ = ("_handle", "_stripped")

    def __init__(self, handle: PreemptionHandle) -> None:
        self._handle = handle
        self._stripped: dict[str, _Stripped] = {}

    def outcomes(
        self, preemptor: Preemptor, rows: Sequence[int], num_wanted: int
    ) -> Iterator[tuple[str, Outcome]]:
        """Node name and outcome of each row in order, found as they are asked for.

        ``num_wanted`` candidates will do; the caller is expected to stop then.
        """
        names = self._handle.snapshot.node_infos.names
        if self._handle.has_pre_filter_extensions(preemptor.state):
            for row in rows:
                yield names[row], self._one(preemptor, row)
            return
        size = max(num_wanted, _MIN_NODES_AT_ONCE)
        for start in range(0, len(rows), size):
            at_once = rows[start : start + size]
            found = self._many(preemptor, at_once)
            for row in at_once:
                yield names[row], found[row]

    def _one(self, preemptor: Preemptor, row: int) -> Outcome:
        return select_victims_on_node(
            self._handle, preemptor.state.clone(), preemptor.pod, row, preemptor.pdbs
        )

    def _many(self, preemptor: Preemptor, rows: Sequence[int]) -> dict[int, Outcome]:
        """Judges nodes in step: all without their potential victims, then each with one pod more."""
        nodes = self._handle.snapshot.node_infos
        outcomes: dict[int, Outcome] = dict.fromkeys(rows, NO_VICTIMS)
        own = [(row, nodes.info(row)) for row in rows]
        benches = [bench for row, node_info in own if (bench := self._bench(preemptor, row, node_info))]
        state = preemptor.state.clone()
        try:
            statuses = self._filter(state, preemptor.pod, benches)
            outcomes |= {bench.row: status for bench, status in zip(benches, statuses, strict=True) if status}
            left = [bench for bench, status in zip(benches, statuses, strict=True) if status is None]
            while left:
                for bench in left:
                    bench.put_back()
                statuses = self._filter(state, preemptor.pod, left)
                for bench, status in zip(left, statuses, strict=True):
                    bench.settle(stays=status is None)
                    if bench.is_done:
                        outcomes[bench.row] = bench.victims()
                left = [bench for bench in left if not bench.is_done]
        finally:
            for row, node_info in own:
                nodes.infos[row] = node_info
                nodes.write_pods(row, node_info)
        return outcomes

    def _bench(self, preemptor: Preemptor, row: int, node_info: NodeInfo) -> Bench | None:
        """A node's dry run, or None if it has no potential victim."""
        stripped = self._strip(node_info, preemptor.pod.priority)
        if not stripped.victims:
            return None
        nominated = [
            pod_info
            for pod_info in self._handle.nominator.nominated_pods_for_node(node_info.name)
            if pod_info.priority >= preemptor.pod.priority and pod_info.uid != preemptor.pod.uid
        ]
        violating, others = split_by_pdb_violation(stripped.victims, preemptor.pdbs)
        return Bench(row, stripped.node_info, nominated, violating, others)

    def _filter(self, state: CycleState, pod: PodInfo, benches: Sequence[Bench]) -> list[Status | None]:
        """What the filters say of nodes as they stand: with the pods nominated there, then without them."""
        for bench in benches:
            self._show(bench.row, bench.with_nominated or bench.node_info)
        statuses = self._run(state, pod, benches)
        again = [
            position
            for position, bench in enumerate(benches)
            if bench.with_nominated and statuses[position] is None
        ]
        for position in again:
            self._show(benches[position].row, benches[position].node_info)
        found = self._run(state, pod, [benches[position] for position in again])
        for position, status in zip(again, found, strict=True):
            statuses[position] = status
        return statuses

    def _show(self, row: int, node_info: NodeInfo) -> None:
        nodes = self._handle.snapshot.node_infos
        nodes.infos[row] = node_info
        nodes.write_pods(row, node_info)

    def _run(self, state: CycleState, pod: PodInfo, benches: Sequence[Bench]) -> list[Status | None]:
        if not benches:
            return []
        rows = np.fromiter((bench.row for bench in benches), np.intp, len(benches))
        verdicts = self._handle.run_filters(state, pod, rows)
        return [verdicts.statuses[index - 1] if index else None for index in verdicts.index.tolist()]

    def _strip(self, node_info: NodeInfo, priority: int) -> _Stripped:
        """The node without its pods of a lower priority."""
        pods = tuple(node_info.pods.values())
        known = self._stripped.get(node_info.name)
        if known and known.priority == priority and known.node is node_info.node and known.pods == pods:
            return known
        victims = potential_victims(node_info, priority)
        without = node_info.clone()
        for pod_info in victims:
            without.remove_pod(pod_info.uid)
        stripped = _Stripped(pods, node_info.node, priority, without, sorted_by_importance(victims))
        self._stripped[node_info.name] = stripped
        return stripped


class _Stripped(NamedTuple):
    """A node without its potential victims, and of what it was made."""

    pods: tuple[PodInfo, ...]
    node: Node | None
    priority: int
    node_info: NodeInfo
    victims: list[PodInfo]
