"""The expected orders were printed by Go 1.24.11's sort.Slice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.preemption.go_sort import sort_slice

ORDERS = {
    (13, 3): "6 2 3 0 7 9 11 12 4 5 1 8 10",
    (20, 1): "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19",
    (31, 4): "6 30 24 0 18 12 21 26 8 9 10 28 27 3 14 15 16 2 4 22 20 19 7 23 17 25 13 5 11 29 1",
    (64, 5): (
        "0 15 60 30 45 57 33 12 63 48 3 27 42 18 31 11 16 1 61 19 41 59 4 56 44 34 26 14 46 29 49 10 5 "
        "50 25 35 55 20 40 39 52 37 7 43 36 6 8 47 32 9 28 51 38 53 54 24 23 22 58 21 2 13 62 17"
    ),
    (110, 6): (
        "30 65 96 42 83 90 6 7 54 84 108 11 12 48 36 101 102 72 18 78 97 60 79 47 24 25 0 61 66 29 43 76 "
        "32 104 68 22 14 58 86 50 40 4 94 71 37 1 91 89 109 17 19 73 107 53 35 55 70 93 56 45 38 34 33 "
        "63 2 3 52 57 27 69 106 87 21 51 74 75 20 92 39 16 105 81 15 99 9 88 67 41 85 13 5 49 77 23 31 "
        "95 103 59 26 98 100 82 80 64 62 46 44 28 10 8"
    ),
}
ORDER_OF_20_THAT_ALL_COME_FIRST = "6 0 4 16 12 3 17 1 9 15 14 7 5 13 8 18 2 11 19 10"


@pytest.mark.parametrize(("length", "modulus"), ORDERS)
def test_equals_are_left_as_go_leaves_them(length: int, modulus: int) -> None:
    keys = [i * i * 7 // 3 % modulus for i in range(length)]
    items = list(range(length))
    sort_slice(items, lambda x, y: keys[x] < keys[y])
    assert " ".join(map(str, items)) == ORDERS[length, modulus]


def test_a_comparison_that_always_says_yes_does_what_it_does_in_go() -> None:
    items = list(range(20))
    sort_slice(items, lambda x, y: True)
    assert " ".join(map(str, items)) == ORDER_OF_20_THAT_ALL_COME_FIRST


@given(st.lists(st.integers(0, 9), max_size=300))
def test_it_sorts(keys: list[int]) -> None:
    items = list(keys)
    sort_slice(items, lambda x, y: x < y)
    assert items == sorted(keys)


@given(st.lists(st.integers(0, 2), max_size=12))
def test_up_to_twelve_items_equals_keep_their_order(keys: list[int]) -> None:
    items = list(enumerate(keys))
    sort_slice(items, lambda x, y: x[1] < y[1])
    assert items == sorted(enumerate(keys), key=lambda item: item[1])
