"""More than a hundred nodes, so that a sample of them is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.areas import nodeaffinity
from tests.fuzz.base import Raw, case, configuration, mixed, node

if TYPE_CHECKING:
    from random import Random


def build(random: Random) -> Raw:
    """101 to 160 nodes and a few pods."""
    found = [node(random, number) for number in range(random.randint(101, 160))]
    config = ""
    if random.random() < 0.5:
        config = configuration(random, percentageOfNodesToScore=random.choice((1, 40, 100)))
    return case(mixed(random, found, lambda: nodeaffinity.spec(random), pending=5), config=config)
