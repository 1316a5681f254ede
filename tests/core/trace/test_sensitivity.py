"""Who wins at which weight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.trace.detail import CycleDetail
from scheduler_core.trace.sensitivity import MAX_WEIGHT, Win, sensitivity


def cycle(*nodes: tuple[str, int, int], weight: int = 1) -> CycleDetail:
    """A cycle of nodes with (name, score of Fit, score of everything else)."""
    return CycleDetail(
        cycle=1,
        t_us=0,
        pod="default/a",
        attempt=1,
        nodes=[name for name, _, _ in nodes],
        scored=list(range(len(nodes))),
        weights={"Fit": weight, "Rest": 1},
        normalized={"Fit": [fit for _, fit, _ in nodes], "Rest": [rest for _, _, rest in nodes]},
        total=[weight * fit + rest for _, fit, rest in nodes],
    )


def test_a_flip_lies_where_two_totals_are_equal() -> None:
    found = sensitivity(cycle(("node-1", 10, 90), ("node-3", 60, 70)), "Fit")
    assert found.wins == (Win(0, 0.4, ("node-1",), 1), Win(0.4, 100, ("node-3",), 1))
    assert found.text == "Fit has weight 1: node-1 wins below, node-3 wins from weight 0.4."


def test_a_flip_moves_with_the_weights_of_the_others() -> None:
    found = sensitivity(
        cycle(("node-1", 10, 90), ("node-3", 60, 70)), "Fit", {"Rest": 2, "Fit": 3, "Gone": 5}
    )
    assert found.weight == 3
    assert found.wins == (Win(0, 0.8, ("node-1",), 1), Win(0.8, 100, ("node-3",), 1))


def test_a_node_that_leads_nowhere_is_left_out() -> None:
    found = sensitivity(cycle(("a", 0, 100), ("b", 50, 40), ("c", 100, 20)), "Fit")
    assert [win.nodes for win in found.wins] == [("a",), ("c",)]
    assert found.wins[1].from_weight == 0.8


def test_nodes_with_the_same_scores_win_together() -> None:
    found = sensitivity(cycle(("a", 30, 5), ("b", 30, 5), ("c", 20, 5)), "Fit")
    assert found.wins == (Win(0, 100, ("a", "b"), 2),)
    assert found.text == "a and b tie at any weight of Fit."


def test_a_plugin_that_did_not_score_is_refused() -> None:
    with pytest.raises(KeyError):
        sensitivity(cycle(("a", 1, 1)), "Ports")


_SCORES = st.integers(0, 100)


@given(
    st.lists(st.tuples(_SCORES, st.integers(0, 600)), min_size=1, max_size=12),
    st.integers(1, 9),
    st.integers(1, MAX_WEIGHT - 1),
)
def test_every_weight_has_the_winner_that_adding_up_gives(
    scores: list[tuple[int, int]], weight: int, other: int
) -> None:
    detail = cycle(*((f"n{index}", fit, rest) for index, (fit, rest) in enumerate(scores)), weight=weight)
    totals = {f"n{index}": other * fit + rest for index, (fit, rest) in enumerate(scores)}
    best = max(totals.values())
    leading = {name for name, total in totals.items() if total == best}
    found = sensitivity(detail, "Fit")
    around = [win for win in found.wins if win.from_weight <= other <= win.to_weight]
    assert {name for win in around for name in win.nodes} <= leading
    if len(around) == 1:
        assert set(around[0].nodes) == leading
    assert found.wins[0].from_weight == 0
    assert found.wins[-1].to_weight == MAX_WEIGHT
