"""Which feasible node is best: PreScore, Score, weights, and the choice among the highest.

Source: pkg/scheduler/schedule_one.go, prioritizeNodes and selectHost, v1.34.1
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from scheduler_core.extender.chain import score_rows
from scheduler_core.framework.results import Scores
from scheduler_core.plugins.names import IMAGE_LOCALITY
from scheduler_core.scheduler.find_nodes import SchedulingError
from scheduler_core.snapshot.arrays import where
from scheduler_core.snapshot.node_info import NodeInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.extender.extender import HTTPExtender
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.reuse import Answers
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.scheduler.tie_break import TieBreak
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot

_replace = msgspec.structs.replace


def prioritize_nodes(
    framework: Framework,
    extenders: Sequence[HTTPExtender],
    state: CycleState,
    pod: PodInfo,
    nodes: NodeInfos,
    rows: RowIndex,
    answers: Answers | None = None,
) -> Scores:
    """Scores of the feasible rows, by the plugins and by the extenders; ``answers`` for earlier pods serve.

    Raises:
        SchedulingError: a plugin met an error or gave a score outside 0…100.
    """
    if not framework.score_plugins and not extenders:
        return Scores(rows, {}, {}, {}, {}, np.ones(len(rows), np.int64))
    unsigned = None if answers is None else framework.unsigned
    status = framework.run_pre_score(state, pod, nodes, rows, unsigned and unsigned.pre_scores)
    if status is not None:
        raise SchedulingError(status.message)
    known = None if answers is None else answers.scores(rows)
    try:
        scores = framework.run_scores(state, pod, nodes, rows, unsigned and unsigned.scores, known)
    except ValueError as wrong:
        raise SchedulingError(str(wrong)) from wrong
    for name, added in score_rows(extenders, pod, nodes, rows):
        scores = _replace(scores, weighted={**scores.weighted, name: added}, total=scores.total + added)
    return scores


def prioritize_without_pods(
    framework: Framework,
    extenders: Sequence[HTTPExtender],
    state: CycleState,
    pod: PodInfo,
    snapshot: Snapshot,
    rows: RowIndex,
) -> Scores:
    """Scores of the feasible rows as if nothing ran there and no image were there.

    That is what v1.34.1 sees of nodes that an extender gave back whole: it makes their node infos anew.

    Raises:
        SchedulingError: a plugin met an error or gave a score outside 0…100.

    Source: pkg/scheduler/extender.go, HTTPExtender.Filter, v1.34.1
    """
    nodes = snapshot.node_infos
    with ExitStack() as shown:
        for row in rows.tolist():
            info = nodes.info(row)
            bare = NodeInfo(info.name, info.axis)
            if info.node is not None:
                bare.set_node(info.node)
            shown.enter_context(snapshot.overlay(row, bare))
        scores = prioritize_nodes(framework, extenders, state, pod, nodes, rows)
    return _with_zeros(scores, IMAGE_LOCALITY)


def _with_zeros(scores: Scores, plugin: str) -> Scores:
    if plugin not in scores.raw:
        return scores
    zeros = {plugin: np.zeros(len(scores.rows), np.int64)}
    return _replace(
        scores,
        raw={**scores.raw, **zeros},
        normalized={**scores.normalized, **zeros},
        weighted={**scores.weighted, **zeros},
        total=scores.total - scores.weighted[plugin],
    )


def tied_rows(scores: Scores) -> RowIndex:
    """The rows with the highest total."""
    total = scores.total
    tied: RowIndex = scores.rows.take(where(total == total[total.argmax()]))
    return tied


def select_host(tied: RowIndex, nodes: NodeInfos, tie_break: TieBreak) -> int:
    """The row that wins among those with the highest total."""
    if len(tied) == 1:
        return int(tied[0])
    return int(tied[tie_break.choose(nodes.name_ranks.take(tied))])
