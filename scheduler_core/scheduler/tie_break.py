"""Which of the nodes with the highest total wins.

Source: pkg/scheduler/schedule_one.go, selectHost, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from scheduler_core.snapshot.arrays import Int64Array

_MASK: Final = (1 << 64) - 1


class SplitMix64:
    """A small seeded generator, the same on every machine.

    Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return (z ^ (z >> 31)) % bound


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
        chosen = 0
        for seen in range(2, len(name_ranks) + 1):
            if self._random.below(seen) == 0:
                chosen = seen - 1
        return chosen
