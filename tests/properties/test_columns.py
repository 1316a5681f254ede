"""Every plugin says of many nodes at once what it says of each by itself, in whatever order they stand."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.decode import decode_object
from scheduler_core.config import load_config
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.types import PASSES
from scheduler_core.simulator import CONFORMANCE, Simulator
from scheduler_core.snapshot.pod_info import PodInfo
from tests.properties import clusters

if TYPE_CHECKING:
    from scheduler_core.framework.status import Status
    from tests.conformance.compare import Case


def loaded(case: Case) -> Simulator:
    simulator = Simulator(load_config(""), CONFORMANCE)
    simulator.load([decode_object(raw) for raw in case["objects"]])
    simulator.scheduler.cache.update_snapshot(simulator.scheduler.snapshot)
    return simulator


@settings(max_examples=20)
@given(clusters.cases(), st.integers(0, 2**32))
def test_all_rows_at_once_one_by_one_and_in_any_order_are_judged_alike(case: Case, seed: int) -> None:
    simulator = loaded(case)
    (framework,) = simulator.scheduler.frameworks.values()
    nodes = simulator.scheduler.snapshot.node_infos
    rows = nodes.order
    mixed = rows[Random(seed).sample(range(len(rows)), len(rows))]
    for pod in simulator.store.list("Pod"):
        if pod.spec.node_name:
            continue
        info, state = PodInfo(pod, nodes.axis), CycleState()
        if framework.run_pre_filter(state, info, nodes).status is not None:
            continue
        for plugin in framework.filter_plugins:
            if plugin.name in state.skip_filter_plugins:
                continue

            def judged(some: np.ndarray, plugin=plugin, state=state, info=info) -> dict[int, Status | None]:
                result = plugin.filter(state, info, nodes, some)
                if result is None:
                    return dict.fromkeys(some.tolist())
                return {
                    row: None if k == PASSES else result.statuses[k - 1]
                    for row, k in zip(some.tolist(), result.index.tolist(), strict=True)
                }

            alone = {row: judged(np.array([row], np.intp))[row] for row in rows.tolist()}
            assert judged(rows) == judged(mixed) == alone, plugin.name
        assert framework.run_pre_score(state, info, nodes, rows) is None
        for scorer in framework.score_plugins:
            if scorer.name in state.skip_score_plugins:
                continue
            whole = scorer.score(state, info, nodes, rows).tolist()
            alone_scores = [
                int(scorer.score(state, info, nodes, np.array([row], np.intp))[0]) for row in rows.tolist()
            ]
            assert whole == alone_scores, scorer.name
