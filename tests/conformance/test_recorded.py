"""A sample of the recorded cases; ``make conformance`` runs them all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.compare import Difference, compare, read_cases, scheduling_files

PER_KIND = 10


def sample() -> list[Any]:
    """Every sixth case of a file, at least ten of each."""
    chosen = []
    for path in scheduling_files():
        cases = read_cases(path)
        step = max(len(cases) // PER_KIND, 1)
        chosen.extend(pytest.param(case, id=case["name"]) for case in cases[::step])
    return chosen


@pytest.mark.parametrize("case", sample())
def test_every_recorded_field_of_every_cycle_agrees(case: dict[str, Any]) -> None:
    assert compare(case) == []


def test_a_difference_is_found_where_there_is_one() -> None:
    case = read_cases(next(path for path in scheduling_files() if "resources" in path.name))[0]
    cycle = case["expected"]["cycles"][1]
    cycle["totalScores"][cycle["node"]] += 1
    (difference,) = compare(case)
    assert isinstance(difference, Difference)
    assert (difference.cycle, difference.pod, difference.field) == (2, cycle["pod"], "totalScores")
    assert compare(case, frozenset({"totalScores"})) == []
