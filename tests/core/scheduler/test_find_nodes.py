from __future__ import annotations

import pytest

from scheduler_core.scheduler.find_nodes import num_feasible_nodes_to_find


@pytest.mark.parametrize(
    ("percentage", "num_nodes", "wanted"),
    [
        (None, 99, 99),
        (0, 100, 100),
        (None, 1000, 420),
        (None, 5000, 500),
        (None, 6250, 312),
        (None, 100_000, 5000),
        (100, 5000, 5000),
        (10, 1000, 100),
        (1, 5000, 100),
        (40, 1000, 400),
    ],
)
def test_the_search_stops_after_a_share_of_the_nodes_but_never_below_a_hundred(
    percentage: int | None, num_nodes: int, wanted: int
) -> None:
    assert num_feasible_nodes_to_find(percentage, num_nodes) == wanted
