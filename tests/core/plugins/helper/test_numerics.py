from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.plugins.helper.normalize_score import default_normalize_score
from scheduler_core.plugins.helper.numerics import rounded, truncated_division, truncated_quotient
from scheduler_core.plugins.helper.shape_score import FunctionShapePoint, broken_linear

NUMBERS = st.integers(-(2**40), 2**40)


@given(st.lists(st.tuples(NUMBERS, NUMBERS.filter(bool)), min_size=1))
def test_integer_division_truncates_toward_zero(pairs: list[tuple[int, int]]) -> None:
    exact = [math.trunc(Fraction(dividend, divisor)) for dividend, divisor in pairs]
    dividends, divisors = np.array(pairs, np.int64).T
    assert truncated_quotient(dividends, divisors).tolist() == exact
    assert [truncated_division(dividend, divisor) for dividend, divisor in pairs] == exact


@pytest.mark.parametrize(
    ("value", "result"),
    [(0.5, 1), (-0.5, -1), (1.5, 2), (2.5, 3), (-2.5, -3), (0.49999999999999994, 0), (7.0, 7), (-1.2, -1)],
)
def test_halves_are_rounded_away_from_zero(value: float, result: int) -> None:
    assert rounded(np.array([value])).tolist() == [result]


@pytest.mark.parametrize(
    ("scores", "reverse", "result"),
    [
        ([1, 2, 3], False, [33, 66, 100]),
        ([1, 2, 3], True, [67, 34, 0]),
        ([0, 0], False, [0, 0]),
        ([0, 0], True, [100, 100]),
        ([], True, []),
    ],
)
def test_scores_are_scaled_by_the_highest(scores: list[int], reverse: bool, result: list[int]) -> None:
    normalized = default_normalize_score(100, reverse=reverse, scores=np.array(scores, np.int64))
    assert normalized.tolist() == result


@pytest.mark.parametrize(
    ("utilization", "value"),
    [(0, 100), (10, 100), (40, 100), (45, 84), (50, 67), (60, 34), (70, 0), (100, 0)],
)
def test_a_function_is_linear_between_its_points_and_truncates_toward_zero(
    utilization: int, value: int
) -> None:
    shape = [FunctionShapePoint(40, 100), FunctionShapePoint(70, 0)]
    assert broken_linear(shape, utilization) == value
