"""Images, one node at a time."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod

MIB = 1024 * 1024


def with_tag(name: str) -> str:
    last = name.split("/")[-1]
    return name if ":" in last else name + ":latest"


def image_locality(pod: Pod, node: Node, nodes: Sequence[Node]) -> int:
    """``nodes`` in the order in which they came."""
    total = 0
    containers = [*pod.spec.init_containers, *pod.spec.containers]
    for container in containers:
        name = with_tag(container.image)
        holders = [n for n in nodes if any(name in image.names for image in n.status.images)]
        if node in holders:
            size = next(image.size_bytes for image in holders[0].status.images if name in image.names)
            total += int(float(size) * (float(len(holders)) / float(len(nodes))))
    low, high = 23 * MIB, 1000 * MIB * len(containers)
    return 100 * (min(max(total, low), high) - low) // (high - low)
