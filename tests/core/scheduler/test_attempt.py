from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.framework.results import Scores
from scheduler_core.scheduler.attempt import NUM_BEST_NODES, best_nodes
from scheduler_core.scheduler.prioritize import tied_rows
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.node_info import NodeInfo
from scheduler_core.snapshot.node_infos import NodeInfos
from tests.make import make_node


@given(
    st.lists(
        st.tuples(st.integers(0, 99), st.integers(0, 3)), min_size=1, max_size=40, unique_by=lambda n: n[0]
    )
)
def test_the_best_nodes_are_those_with_the_highest_totals_and_then_the_lowest_names(
    found: list[tuple[int, int]],
) -> None:
    nodes = NodeInfos(ResourceAxis())
    for number, _ in found:
        info = NodeInfo(f"n{number:02d}", nodes.axis)
        info.set_node(make_node(info.name))
        nodes.write(info)
    nodes.set_order([f"n{number:02d}" for number, _ in found])
    total = np.array([score for _, score in found], np.int64)
    scores = Scores(nodes.order, {}, {}, {}, {}, total)
    expected = sorted(((f"n{number:02d}", score) for number, score in found), key=lambda n: (-n[1], n[0]))
    assert list(best_nodes(scores, tied_rows(scores), nodes, NUM_BEST_NODES)) == expected[:NUM_BEST_NODES]
