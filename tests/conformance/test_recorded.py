"""A sample of the recorded cases; ``make conformance`` runs them all."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.conformance.compare import Difference, compare, read_cases, scheduling_files
from tests.conformance.validation import FILE, compare_validation

PER_KIND = 10


def sample() -> list[Any]:
    """At least ten cases of each kind, from all over its file; all where there are no more."""
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in scheduling_files():
        for case in read_cases(path):
            by_kind[case["kind"]].append(case)
    chosen = []
    for cases in by_kind.values():
        step = max(len(cases) // PER_KIND, 1)
        chosen.extend(pytest.param(case, id=case["name"]) for case in cases[::step])
    return chosen


def validation_cases() -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in read_cases(FILE)]


def resources_case() -> dict[str, Any]:
    case: dict[str, Any] = read_cases(next(path for path in scheduling_files() if "resources" in path.name))[
        0
    ]
    return case


@pytest.mark.parametrize("case", sample())
def test_every_recorded_field_of_every_cycle_agrees(case: dict[str, Any]) -> None:
    assert compare(case) == []


@pytest.mark.parametrize("case", validation_cases())
def test_every_recorded_refusal_agrees(case: dict[str, Any]) -> None:
    assert compare_validation(case) == []


def test_a_difference_is_found_where_there_is_one() -> None:
    case = resources_case()
    cycle = case["expected"]["cycles"][1]
    cycle["totalScores"][cycle["node"]] += 1
    (difference,) = compare(case)
    assert isinstance(difference, Difference)
    assert (difference.cycle, difference.pod, difference.field) == (2, cycle["pod"], "totalScores")
    assert compare(case, frozenset({"totalScores"})) == []


def test_a_difference_is_found_in_every_field_of_a_cycle_and_at_the_end() -> None:
    case = resources_case()
    cycle = case["expected"]["cycles"][1]
    fields = [field for field in cycle if field != "pod"]
    for field in fields:
        cycle[field] = {"changed": 1}
    case["expected"]["placements"]["default/other"] = "n"
    case["expected"]["pending"] = ["default/other"]
    assert [difference.field for difference in compare(case)] == [*sorted(fields), "placements", "pending"]


def test_a_plugin_whose_scores_are_all_0_is_not_the_same_as_one_that_gave_none() -> None:
    case = resources_case()
    cycle = case["expected"]["cycles"][1]
    cycle["rawScores"]["Other"] = dict.fromkeys(cycle["rawScores"]["NodeResourcesFit"], 0)
    assert [difference.field for difference in compare(case)] == ["rawScores"]


def test_a_missing_and_a_further_cycle_are_differences() -> None:
    case = resources_case()
    case["expected"]["cycles"].append(case["expected"]["cycles"][0])
    number = len(case["expected"]["cycles"])
    assert compare(case) == [Difference(0, "", "cycles", number - 1, number)]
    del case["expected"]["cycles"][-2:]
    assert compare(case) == [Difference(0, "", "cycles", number - 1, number - 2)]
