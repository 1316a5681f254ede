"""Filters on a node with the pods nominated to it counted as if they were there.

Source: pkg/scheduler/framework/runtime/framework.go, RunFilterPluginsWithNominatedPods, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.runtime import Framework
    from scheduler_core.framework.status import Status
    from scheduler_core.queue.nominator import Nominator
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.snapshot import Snapshot


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
    added = [
        nominated
        for nominated in nominator.nominated_pods_for_node(info.name)
        if nominated.priority >= pod.priority and nominated.uid != pod.uid
    ]
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
