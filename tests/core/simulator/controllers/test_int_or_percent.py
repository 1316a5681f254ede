"""Counts and percentages."""

from __future__ import annotations

import pytest

from scheduler_core.simulator.controllers.int_or_percent import NotACountError, resolve_fenceposts, scaled


@pytest.mark.parametrize(
    ("value", "total", "up", "down"),
    [
        (3, 10, 3, 3),
        ("25%", 10, 3, 2),
        ("25%", 4, 1, 1),
        ("0%", 10, 0, 0),
        ("150%", 3, 5, 4),
        (None, 9, 0, 0),
    ],
)
def test_percentages_are_rounded_as_told(value: int | str | None, total: int, up: int, down: int) -> None:
    assert scaled(value, total, round_up=True) == up
    assert scaled(value, total, round_up=False) == down


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("25", "invalid value for IntOrString: invalid type: string is not a percentage"),
        ("x%", 'invalid value for IntOrString: invalid value "x%": invalid syntax'),
    ],
)
def test_other_texts_are_refused_in_upstream_s_words(text: str, message: str) -> None:
    with pytest.raises(NotACountError) as caught:
        scaled(text, 10, round_up=True)
    assert str(caught.value) == message


def test_a_rollout_can_always_go_on() -> None:
    assert resolve_fenceposts("25%", "25%", 10) == (3, 2)
    assert resolve_fenceposts(0, "10%", 4) == (0, 1)
    assert resolve_fenceposts("1%", 0, 4) == (1, 0)
