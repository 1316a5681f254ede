"""Quantities: what upstream's parser takes, what it refuses, and how amounts are rounded and written."""

from __future__ import annotations

import pytest

from scheduler_core.api.quantity import (
    BINARY_SI,
    DECIMAL_SI,
    ERR_FORMAT,
    ERR_NUMERIC,
    ERR_SUFFIX,
    Quantity,
    QuantityError,
    parse_quantity,
)


@pytest.mark.parametrize(
    ("text", "nanos"),
    [
        ("0", 0),
        ("1", 10**9),
        ("100m", 10**8),
        ("1u", 1000),
        ("1n", 1),
        (".5", 5 * 10**8),
        ("1.", 10**9),
        ("+250m", 25 * 10**7),
        ("-1", -(10**9)),
        ("500000k", 5 * 10**17),
        ("1E", 10**27),
        ("1E3", 10**12),
        ("1e3", 10**12),
        ("1e+3", 10**12),
        ("5e-1", 5 * 10**8),
        ("1Ki", 1024 * 10**9),
        ("1.5Gi", 1536 * 2**20 * 10**9),
        ("0003", 3 * 10**9),
    ],
)
def test_an_amount_is_read_exactly(text: str, nanos: int) -> None:
    assert parse_quantity(text).nanos == nanos


@pytest.mark.parametrize("text", ["Gi", ".", "-", "+", "", "0.0", "0Ki"])
def test_only_the_empty_text_is_not_zero_without_digits(text: str) -> None:
    if text:
        assert parse_quantity(text).nanos == 0
    else:
        with pytest.raises(QuantityError):
            parse_quantity(text)


@pytest.mark.parametrize(
    "text",
    ["6GiB", "512MB", "1.5 Gi", "1g", "0,5", "4 cores", "", "1Gi500Mi", "lots", "1.5.2", "１", "1gi", "0x10"],
)
def test_what_is_no_number_and_suffix_is_refused_by_the_pattern(text: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(text)
    assert str(caught.value) == ERR_FORMAT


@pytest.mark.parametrize("text", ["1K", "1iK", "--1", "5ee1", "1e", "1mm", "1E+", "1m5"])
def test_an_unknown_suffix_is_refused(text: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(text)
    assert str(caught.value) == ERR_SUFFIX


def test_a_largest_unit_without_digits_is_refused_as_upstream_does() -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity("Ei")
    assert str(caught.value) == ERR_NUMERIC


def test_blanks_around_are_allowed() -> None:
    assert parse_quantity(" 1Gi\n") == parse_quantity("1Gi")


@pytest.mark.parametrize(
    ("value", "nanos"), [(2, 2 * 10**9), (0.5, 5 * 10**8), (1e-7, 100), (10**18, 10**27)]
)
def test_numbers_are_read_as_json_writes_them(value: float, nanos: int) -> None:
    assert parse_quantity(value).nanos == nanos


@pytest.mark.parametrize("value", [True, [1], {"a": 1}, float("nan"), float("inf")])
def test_what_is_neither_text_nor_number_is_refused(value: object) -> None:
    with pytest.raises(QuantityError):
        parse_quantity(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "nanos"), [("0.1n", 1), ("1.1n", 2), ("0.0000000001", 1), ("0.00000000001Ki", 11)]
)
def test_finer_than_a_billionth_is_rounded_up(text: str, nanos: int) -> None:
    assert parse_quantity(text).nanos == nanos


@pytest.mark.parametrize(
    ("text", "value", "milli"), [("100m", 1, 100), ("1.5", 2, 1500), ("1u", 1, 1), ("-1.5", -2, -1500)]
)
def test_whole_units_and_thousandths_are_rounded_away_from_zero(text: str, value: int, milli: int) -> None:
    assert (parse_quantity(text).value(), parse_quantity(text).milli_value()) == (value, milli)


def test_binary_amounts_are_capped_at_int64() -> None:
    assert parse_quantity("100Ei").value() == 2**63 - 1


@pytest.mark.parametrize(
    ("text", "value"), [("1e400", 0), ("1e999999999999", 0), ("9999999999999999999", -8446744073709551617)]
)
def test_an_amount_beyond_int64_is_what_upstream_makes_of_it(text: str, value: int) -> None:
    assert parse_quantity(text).value() == value


def test_a_giant_negative_exponent_is_the_least_amount() -> None:
    assert parse_quantity("1e-999999999999").nanos == 1


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1.5", "1500m"),
        ("1.5Gi", "1536Mi"),
        ("1024Mi", "1Gi"),
        ("1000m", "1"),
        ("0.5Ki", "512"),
        ("12e6", "12e6"),
        ("100000", "100k"),
        ("1000000000000000000000", "1e21"),
        ("-0.5", "-500m"),
        ("0Gi", "0"),
        ("1.00000001Gi", "1073741834737418240n"),
    ],
)
def test_the_canonical_text_has_no_fraction_and_the_largest_suffix(text: str, canonical: str) -> None:
    assert str(parse_quantity(text)) == canonical


def test_the_notation_asked_for_is_used() -> None:
    assert parse_quantity("1Gi").format(DECIMAL_SI) == "1073741824"
    assert parse_quantity("1048576").format(BINARY_SI) == "1Mi"


def test_the_api_server_stores_nothing_finer_than_a_thousandth() -> None:
    assert str(parse_quantity("1u").rounded_up_to_milli()) == "1m"
    exact = parse_quantity("250m")
    assert exact.rounded_up_to_milli() is exact


def test_equal_amounts_are_equal_whatever_their_notation() -> None:
    assert parse_quantity("1Gi") == parse_quantity("1073741824")
    assert hash(parse_quantity("1")) == hash(parse_quantity("1000m"))
    assert parse_quantity("1G") < parse_quantity("1Gi") <= parse_quantity("1Gi")
    assert parse_quantity("1") != 1


def test_amounts_add_up_and_keep_the_first_one_s_notation() -> None:
    assert str(parse_quantity("512Mi") + parse_quantity("512Mi")) == "1Gi"
    assert str(parse_quantity("0") + parse_quantity("1Gi")) == "1Gi"
    assert str(parse_quantity("2") - parse_quantity("500m")) == "1500m"


def test_a_quantity_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Quantity(1).nanos = 2


def test_more_digits_than_anyone_needs_are_refused() -> None:
    with pytest.raises(QuantityError):
        parse_quantity("1" * 5000)
