"""Prefers nodes that hold the pod's images already, the more so the more nodes hold them.

Source: pkg/scheduler/framework/plugins/imagelocality/image_locality.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scheduler_core.framework.types import MAX_NODE_SCORE
from scheduler_core.plugins import names

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.IMAGE_LOCALITY
MIB: Final = 1024 * 1024
MIN_THRESHOLD: Final = 23 * MIB
MAX_CONTAINER_THRESHOLD: Final = 1000 * MIB

_STATE_KEY: Final = "Score" + NAME


class WantedImages:
    """The images of the pod; the plugin has no PreScore, so the first score writes them."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def clone(self) -> WantedImages:
        """Itself: it is never changed."""
        return self


class ImageLocality:
    """Sums the sizes of the images that are there, each scaled by the share of nodes that have it."""

    name = NAME
    reads_pods = True

    def sign_pod(self, pod: PodInfo) -> Hashable:
        """The images; what a row knows of them is brought up to date when its pods change."""
        spec = pod.pod.spec
        return tuple(image_names(pod.pod)), len(spec.containers) + len(spec.init_containers)

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        """Scales the sum between 23 MiB, worth nothing, and 1000 MiB a container, worth everything.

        Numerics: each image's share is a float64, truncated.
        """
        sums = np.zeros(len(rows), np.int64)
        wanted = state.get(_STATE_KEY)
        if wanted is None:
            wanted = WantedImages(tuple(image_names(pod.pod)))
            state.write(_STATE_KEY, wanted)
        columns = [column for name in wanted.names if (column := nodes.image_columns.find(name))]
        if not columns:
            return sums
        for column in columns:
            spread = column.num_nodes.take(rows) / len(nodes)
            sums += (column.sizes.take(rows) * spread).astype(np.int64)
        num_containers = len(pod.pod.spec.containers) + len(pod.pod.spec.init_containers)
        max_threshold = MAX_CONTAINER_THRESHOLD * num_containers
        clipped = np.minimum(np.maximum(sums, MIN_THRESHOLD), max_threshold)
        return MAX_NODE_SCORE * (clipped - MIN_THRESHOLD) // (max_threshold - MIN_THRESHOLD)


def image_names(pod: Pod) -> Iterator[str]:
    """Normalised names of the images of a pod's containers, once for each use; those of image volumes do not count."""
    for container in (*pod.spec.init_containers, *pod.spec.containers):
        yield normalized_image_name(container.image)


def normalized_image_name(name: str) -> str:
    """The name with a tag: ``latest`` where it has none."""
    return f"{name}:latest" if name.rfind(":") <= name.rfind("/") else name


def new(args: None, handle: Handle) -> ImageLocality:
    """Makes the plugin."""
    return ImageLocality()
