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

from scheduler_core.preemption.bench import Bench, BenchRows, strip
from scheduler_core.preemption.victims import (
    NO_VICTIMS,
    has_potential_victims,
    select_victims_on_node,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.api.policy import PodDisruptionBudget
    from scheduler_core.extender.wire import Victims
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.status import Status
    from scheduler_core.preemption.bench import Stripped
    from scheduler_core.preemption.handle import PreemptionHandle
    from scheduler_core.snapshot.node_infos import RowIndex
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
        self._stripped: dict[str, Stripped] = {}

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
        node_info = self._handle.snapshot.node_infos.info(row)
        if not has_potential_victims(node_info, preemptor.pod.priority):
            return NO_VICTIMS
        return select_victims_on_node(
            self._handle, preemptor.state.clone(), preemptor.pod, row, preemptor.pdbs
        )

    def _many(self, preemptor: Preemptor, rows: Sequence[int]) -> dict[int, Outcome]:
        """Judges nodes in step: all without their potential victims, then each with one pod more."""
        outcomes: dict[int, Outcome] = dict.fromkeys(rows, NO_VICTIMS)
        benches = [bench for row in rows if (bench := self._bench(preemptor, row))]
        if not benches:
            return outcomes
        shown = BenchRows(self._handle.snapshot.node_infos, benches)
        state = preemptor.state.clone()
        try:
            everyone = np.arange(len(benches))
            statuses = self._filter(state, preemptor.pod, shown, everyone)
            for position, status in statuses.items():
                outcomes[benches[position].row] = status
            left = np.array([i for i in range(len(benches)) if i not in statuses], np.intp)
            fitting = left.tolist()
            step = 0
            while len(left):
                shown.put_back(step, left)
                refused = self._filter(state, preemptor.pod, shown, left)
                if refused:
                    shown.take_off(step, np.array(sorted(refused), np.intp))
                step += 1
                left = left[shown.lengths[left] > step]
        finally:
            shown.close()
        for position in fitting:
            outcomes[benches[position].row] = benches[position].victims()
        return outcomes

    def _bench(self, preemptor: Preemptor, row: int) -> Bench | None:
        """A node's dry run, or None if it has no potential victim."""
        node_info = self._handle.snapshot.node_infos.info(row)
        priority, uid = preemptor.pod.priority, preemptor.pod.uid
        stripped = self._stripped.get(node_info.name)
        if stripped is None or not stripped.is_of(node_info, priority):
            stripped = self._stripped[node_info.name] = strip(node_info, priority)
        if not stripped.victims:
            return None
        nominated = [
            pod_info
            for pod_info in self._handle.nominator.nominated_pods_for_node(node_info.name)
            if pod_info.priority >= priority and pod_info.uid != uid
        ]
        return Bench(row, stripped, preemptor.pdbs, nominated)

    def _filter(
        self, state: CycleState, pod: PodInfo, shown: BenchRows, positions: RowIndex
    ) -> dict[int, Status]:
        """Position → refusal; where pods are nominated, the one with them or else the one without."""
        nominated = [position for position in positions.tolist() if shown.benches[position].nominated]
        shown.show_nominated(nominated, shown=True)
        refused = self._run(state, pod, shown, positions)
        shown.show_nominated(nominated, shown=False)
        again = [position for position in nominated if position not in refused]
        if again:
            refused |= self._run(state, pod, shown, np.array(again, np.intp))
        return refused

    def _run(
        self, state: CycleState, pod: PodInfo, shown: BenchRows, positions: RowIndex
    ) -> dict[int, Status]:
        verdicts = self._handle.run_filters(state, pod, shown.rows[positions])
        refused = np.flatnonzero(verdicts.index)
        statuses = [verdicts.statuses[index - 1] for index in verdicts.index[refused].tolist()]
        return dict(zip(positions[refused].tolist(), statuses, strict=True))
