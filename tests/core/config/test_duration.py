"""Durations as Go writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.config.duration import Duration


@pytest.mark.parametrize(
    ("text", "nanos", "again"),
    [
        ("0", 0, "0s"),
        ("10s", 10 * 10**9, "10s"),
        ("1m30s", 90 * 10**9, "1m30s"),
        ("1.5h", 5400 * 10**9, "1h30m0s"),
        ("100ms", 10**8, "100ms"),
        ("1500us", 1_500_000, "1.5ms"),
        ("2µs", 2000, "2µs"),
        ("3ns", 3, "3ns"),
        (".5s", 5 * 10**8, "500ms"),
        ("-1m", -60 * 10**9, "-1m0s"),
        ("+5s", 5 * 10**9, "5s"),
    ],
)
def test_a_duration_is_read_and_written(text: str, nanos: int, again: str) -> None:
    duration = Duration.from_json(text)
    assert (int(duration), str(duration)) == (nanos, again)


@pytest.mark.parametrize("text", ["", "5", "s", "1x", "1s 2s", "1,5s", "--1s", "9999999h", "."])
def test_what_is_no_duration_is_refused_in_go_s_words(text: str) -> None:
    with pytest.raises(ValueError, match="time: invalid duration") as caught:
        Duration.from_json(text)
    assert str(caught.value) == f'time: invalid duration "{text}"'


def test_a_number_is_no_duration() -> None:
    with pytest.raises(ValueError, match="expected a duration as text"):
        Duration.from_json(5)


@given(st.integers(-(2**62), 2**62))
def test_what_is_written_is_read_again(nanos: int) -> None:
    assert Duration.from_json(str(Duration(nanos))) == nanos
