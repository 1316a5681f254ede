"""Properties of quantities, against exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.quantity import QuantityError, parse_quantity

SUFFIXES = {
    "": Fraction(1),
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "k": Fraction(1000),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "Ki": Fraction(2**10),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
    "e2": Fraction(100),
    "e-2": Fraction(1, 100),
}

numbers = st.from_regex(r"[0-9]{1,8}(\.[0-9]{0,6})?", fullmatch=True)
suffixes = st.sampled_from(sorted(SUFFIXES))
signs = st.sampled_from(["", "+", "-"])


@given(signs, numbers, suffixes)
def test_every_number_with_a_suffix_is_its_exact_amount_rounded_away_from_zero_at_a_billionth(
    sign: str, number: str, suffix: str
) -> None:
    exact = Fraction(number.rstrip(".")) * SUFFIXES[suffix] * 10**9
    nanos = math.ceil(exact) * (-1 if sign == "-" else 1)
    assert parse_quantity(sign + number + suffix).nanos == nanos


@given(signs, numbers, suffixes)
def test_the_canonical_text_reads_as_the_same_amount(sign: str, number: str, suffix: str) -> None:
    quantity = parse_quantity(sign + number + suffix)
    again = parse_quantity(str(quantity))
    assert again == quantity
    assert str(again) == str(quantity)


@given(numbers, suffixes, numbers, suffixes)
def test_the_order_is_that_of_the_amounts(first: str, one: str, second: str, other: str) -> None:
    left, right = parse_quantity(first + one), parse_quantity(second + other)
    assert (left < right) == (left.nanos < right.nanos)
    assert (left + right).nanos == left.nanos + right.nanos


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15))
def test_a_float_is_read_as_its_shortest_text(value: float) -> None:
    exact = Fraction(repr(value)) * 10**9
    nanos = math.ceil(abs(exact)) * (-1 if exact < 0 else 1)
    assert parse_quantity(value).nanos == nanos


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_never_more(text: str) -> None:
    try:
        quantity = parse_quantity(text)
    except QuantityError:
        return
    assert -(2**63) <= quantity.value() < 2**63
