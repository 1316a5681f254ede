"""Which feasible node is best: PreScore, Score, weights, and the choice among the highest.

Source: pkg/scheduler/schedule_one.go, prioritizeNodes and selectHost, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.framework.results import Scores
from scheduler_core.scheduler.find_nodes import SchedulingError

if TYPE_CHECKING:
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.scheduler.tie_break import TieBreak
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo


def prioritize_nodes(
    framework: Framework, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
) -> Scores:
    """Scores of the feasible rows.

    Raises:
        SchedulingError: a plugin met an error or gave a score outside 0…100.
    """
    if not framework.score_plugins:
        return Scores(rows, {}, {}, {}, {}, np.ones(len(rows), np.int64))
    status = framework.run_pre_score(state, pod, nodes, rows)
    if status is not None:
        raise SchedulingError(status.message)
    try:
        return framework.run_scores(state, pod, nodes, rows)
    except ValueError as wrong:
        raise SchedulingError(str(wrong)) from wrong


def tied_rows(scores: Scores) -> RowIndex:
    """The rows with the highest total."""
    tied: RowIndex = scores.rows[scores.total == scores.total.max()]
    return tied


def select_host(scores: Scores, nodes: NodeInfos, tie_break: TieBreak) -> int:
    """The row that wins."""
    rows = tied_rows(scores)
    if len(rows) == 1:
        return int(rows[0])
    return int(rows[tie_break.choose([nodes.names[row] for row in rows.tolist()])])
