"""Filters on a node with the pods nominated to it counted as if they were there.

Source: pkg/scheduler/framework/runtime/framework.go, RunFilterPluginsWithNominatedPods, v1.34.1
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.results import Verdicts
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.status import Status
    from scheduler_core.queue.nominator import Nominator
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot


def count_nominated_pods(
    framework: Framework,
    snapshot: Snapshot,
    nominator: Nominator,
    state: CycleState,
    pod: PodInfo,
    verdicts: Verdicts,
) -> None:
    """Adds the pass with the nominated pods to ``verdicts``, which are those of the pass without them.

    Where no filter follows pods across nodes, the rows do not depend on each other and are judged in one go.
    """
    nodes = snapshot.node_infos
    position_of = {row: position for position, row in enumerate(verdicts.rows.tolist())}
    rows = [row for name in nominator.nodes() if (row := nodes.row_of.get(name, -1)) in position_of]
    if framework.has_pre_filter_extensions(state):
        for row in rows:
            status = filter_row_with_nominated_pods(framework, snapshot, nominator, state, pod, row)
            verdicts.set_status(position_of[row], status)
        return
    with ExitStack() as shown:
        judged = []
        for row in rows:
            info = nodes.info(row)
            if added := _added(nominator, pod, info.name):
                with_pods = info.clone()
                for nominated in added:
                    with_pods.add_pod(nominated)
                shown.enter_context(snapshot.overlay(row, with_pods))
                judged.append(row)
        if not judged:
            return
        found = framework.run_filters(state, pod, nodes, np.array(judged, np.intp))
    for position in np.flatnonzero(found.index).tolist():
        verdicts.set_status(position_of[judged[position]], found.status_at(position))


def _added(nominator: Nominator, pod: PodInfo, node_name: str) -> list[PodInfo]:
    return [
        nominated
        for nominated in nominator.nominated_pods_for_node(node_name)
        if nominated.priority >= pod.priority and nominated.uid != pod.uid
    ]


def filter_row_with_nominated_pods(
    framework: Framework,
    snapshot: Snapshot,
    nominator: Nominator,
    state: CycleState,
    pod: PodInfo,
    row: int,
) -> Status | None:
    """Both passes: with the nominated pods of at least equal priority, then without them.

    A pod may rely on neither their presence (affinity) nor their absence (resources). The second pass is run only
    if pods were added and the first one passed.

    Returns: the refusal, or None if the node fits
    """
    rows = np.array([row], np.intp)
    nodes = snapshot.node_infos
    info = nodes.info(row)
    added = _added(nominator, pod, info.name)
    if added:
        with_pods = info.clone()
        with_state = state.clone()
        for nominated in added:
            with_pods.add_pod(nominated)
            status = framework.run_pre_filter_add_pod(with_state, pod, nominated, with_pods)
            if status is not None:
                return status
        with snapshot.overlay(row, with_pods):
            status = framework.run_filters(with_state, pod, nodes, rows).status_at(0)
        if status is not None:
            return status
    return framework.run_filters(state, pod, nodes, rows).status_at(0)
