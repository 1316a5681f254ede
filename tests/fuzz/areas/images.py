"""Images that nodes have already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import Raw, case, mixed, nodes

if TYPE_CHECKING:
    from random import Random

IMAGES = (
    "app",
    "app:1",
    "app:latest",
    "docker.io/library/app:1",
    "registry.example:5000/app",
    "app@sha256:" + "0" * 64,
)


def build(random: Random) -> Raw:
    """Nodes with images of some sizes, pods that use them."""
    found = nodes(random)
    for raw in found:
        raw["status"]["images"] = [
            {
                "names": random.sample(IMAGES, random.randint(1, 2)),
                "sizeBytes": random.choice((0, 10**7, 3 * 10**8, 5 * 10**9)),
            }
            for _ in range(random.randint(0, 3))
        ]
    return case(mixed(random, found, lambda: _spec(random)))


def _spec(random: Random) -> Raw:
    containers = [
        {"name": f"c{number}", "image": random.choice(IMAGES)} for number in range(random.randint(1, 3))
    ]
    found: Raw = {"containers": containers}
    if random.random() < 0.3:
        found["initContainers"] = [{"name": "init", "image": random.choice(IMAGES)}]
    return found
