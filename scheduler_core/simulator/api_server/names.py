"""Names and uids of objects that are made during a run: the same in every run with the same seed.

A generated suffix depends on the seed, the prefix and how many of that prefix there were, so that more pods of one
workload do not rename those of another.

Source: apiserver/pkg/storage/names/generate.go; apimachinery/pkg/util/rand/rand.go, v1.34.1
"""

from __future__ import annotations

import zlib
from collections import Counter
from typing import Final

from scheduler_core.scheduler.tie_break import SplitMix64

SUFFIX_LENGTH: Final = 5
MAX_GENERATED_LENGTH: Final = 63 - SUFFIX_LENGTH
_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"


def stream(seed: int, name: str) -> SplitMix64:
    """Returns the generator that belongs to a name alone."""
    return SplitMix64(seed ^ (zlib.crc32(name.encode()) << 20))


class NameGenerator:
    """Gives out suffixes and uids."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._num_names: Counter[str] = Counter()
        self._num_made: Counter[str] = Counter()

    def name(self, kind: str, namespace: str, prefix: str) -> str:
        """Returns a name of a prefix that was not given out before."""
        place = f"{kind}/{namespace}/{prefix}"
        self._num_names[place] += 1
        random = stream(self._seed, f"{place}#{self._num_names[place]}")
        suffix = "".join(_LETTERS[random.below(len(_LETTERS))] for _ in range(SUFFIX_LENGTH))
        return prefix[:MAX_GENERATED_LENGTH] + suffix

    def uid(self, first: str) -> str:
        """Returns ``first`` for the first object of a name, and another uid for each that comes after it."""
        self._num_made[first] += 1
        count = self._num_made[first]
        return first if count == 1 else f"{first}-{count}"

    def note(self, uid: str) -> None:
        """Counts an object that came with the cluster."""
        self._num_made[uid] += 1
