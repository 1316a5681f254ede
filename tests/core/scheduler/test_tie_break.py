from __future__ import annotations

from collections import Counter

import numpy as np

from scheduler_core.scheduler.tie_break import LowestName, RandomTieBreak, SplitMix64

NAME_RANKS = np.array([1, 0, 2])


def test_the_lowest_name_wins_wherever_it_stands() -> None:
    assert LowestName().choose(NAME_RANKS) == 1


def test_a_seed_gives_the_same_draws_again_and_another_seed_others() -> None:
    def draws(seed: int) -> list[int]:
        tie_break = RandomTieBreak(SplitMix64(seed))
        return [tie_break.choose(NAME_RANKS) for _ in range(20)]

    assert draws(7) == draws(7)
    assert draws(7) != draws(8)


def test_each_of_the_equals_wins_as_often() -> None:
    tie_break = RandomTieBreak(SplitMix64(1))
    ranks = np.arange(4)
    wins = Counter(tie_break.choose(ranks) for _ in range(40_000))
    assert all(abs(wins[place] - 10_000) < 300 for place in range(4))


def test_the_draw_is_fair() -> None:
    random = SplitMix64(1)
    counts = Counter(random.below(3) for _ in range(30_000))
    assert all(abs(count - 10_000) < 300 for count in counts.values())


def test_many_numbers_at_once_are_those_drawn_one_by_one() -> None:
    at_once, one_by_one = SplitMix64(2**64 - 5), SplitMix64(2**64 - 5)
    for count in (1, 2, 300):
        assert at_once.numbers(count).tolist() == [one_by_one.below(1 << 64) for _ in range(count)]
    assert at_once.below(1000) == one_by_one.below(1000)


def test_the_last_of_the_equals_to_draw_nought_has_the_place() -> None:
    for seed in range(50):
        for number in (1, 2, 3, 40):
            random = SplitMix64(seed)
            chosen = 0
            for seen in range(2, number + 1):
                if random.below(seen) == 0:
                    chosen = seen - 1
            tie_break = RandomTieBreak(again := SplitMix64(seed))
            assert tie_break.choose(np.arange(number)) == chosen
            assert again.below(1 << 64) == random.below(1 << 64)


def test_the_generator_is_the_published_one() -> None:
    random = SplitMix64(1234567)
    assert [random.below(1 << 64) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
