"""Which of the nodes with the highest total wins.

Source: pkg/scheduler/schedule_one.go, selectHost, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from scheduler_core.snapshot.arrays import where

if TYPE_CHECKING:
    from scheduler_core.snapshot.arrays import Int64Array, UInt64Array

_MASK: Final = (1 << 64) - 1
_STEP: Final = 0x9E3779B97F4A7C15
_FIRST_FACTOR: Final = 0xBF58476D1CE4E5B9
_SECOND_FACTOR: Final = 0x94D049BB133111EB
_FEW: Final = 12
"""So many numbers are drawn faster one by one."""


class SplitMix64:
    """A small seeded generator, the same on every machine.

    Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1."""
        self._state = (self._state + _STEP) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * _FIRST_FACTOR) & _MASK
        z = ((z ^ (z >> 27)) * _SECOND_FACTOR) & _MASK
        return (z ^ (z >> 31)) % bound

    def numbers(self, count: int) -> UInt64Array:
        """The next numbers below 2**64, the same that as many calls of ``below`` would draw from.

        Shapes: → uint64[count]

        Numerics: uint64, modulo 2**64
        """
        z = np.arange(1, count + 1, dtype=np.uint64)
        z *= np.uint64(_STEP)
        z += np.uint64(self._state)
        self._state = (self._state + count * _STEP) & _MASK
        z ^= z >> np.uint64(30)
        z *= np.uint64(_FIRST_FACTOR)
        z ^= z >> np.uint64(27)
        z *= np.uint64(_SECOND_FACTOR)
        z ^= z >> np.uint64(31)
        return z


class TieBreak(Protocol):
    """Chooses among equals."""

    def choose(self, name_ranks: Int64Array) -> int:
        """The index of the winner; ``name_ranks`` are the places of the names in the alphabet."""
        ...


class LowestName:
    """The first in the alphabet: the same whatever the order of nodes."""

    def choose(self, name_ranks: Int64Array) -> int:
        return int(name_ranks.argmin())


class RandomTieBreak:
    """A reservoir of one, as the real scheduler's: the k-th among equals takes the place with odds of one to k."""

    def __init__(self, random: SplitMix64) -> None:
        self._random = random

    def choose(self, name_ranks: Int64Array) -> int:
        if len(name_ranks) <= _FEW:
            draws = [self._random.below(seen) for seen in range(2, len(name_ranks) + 1)]
            return max((place for place, draw in enumerate(draws, start=1) if draw == 0), default=0)
        seen = np.arange(2, len(name_ranks) + 1, dtype=np.uint64)
        takes_the_place = where(self._random.numbers(len(seen)) % seen == 0)
        return int(takes_the_place[-1]) + 1 if len(takes_the_place) else 0
