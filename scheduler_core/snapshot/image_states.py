"""Container images on nodes: the cache counts which nodes list an image, the snapshot keeps columns of it.

As upstream does, an image has the size of the first node that listed its name, and a row knows the number of
nodes as of when the row was last written: nodes that get the image later are seen once the row is touched.

Source: pkg/scheduler/backend/cache/cache.go, addNodeImageStates, and
staging/src/k8s.io/kube-scheduler/framework/types.go, ImageStateSummary.Snapshot, v1.34.1
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from scheduler_core.api.node import Node
    from scheduler_core.snapshot.arrays import Int32Array, Int64Array
    from scheduler_core.snapshot.vocabulary import Vocabulary


class ImageState(NamedTuple):
    """An image as of a version: its size in bytes, the number of nodes that list it."""

    version: int
    size: int
    num_nodes: int


class ImageStates:
    """Image name → the nodes that list it, with the history that rows not yet rewritten need.

    ``version`` counts the changes that a snapshot has seen; changes between two snapshots share one.
    """

    __slots__ = ("_history", "_is_seen", "_nodes", "version")

    def __init__(self) -> None:
        self.version = 0
        self._is_seen = False
        self._nodes: dict[str, set[str]] = {}
        self._history: dict[str, list[ImageState]] = {}

    def add(self, node: Node) -> None:
        """Counts the images of a node that came."""
        for image in node.status.images:
            for name in image.names:
                nodes = self._nodes.get(name)
                size = self._history[name][-1].size if nodes else image.size_bytes
                if nodes is None:
                    nodes = self._nodes[name] = set()
                nodes.add(node.metadata.name)
                self._record(name, size, len(nodes))

    def remove(self, node: Node) -> None:
        """Forgets the images of a node that went; the last node's size goes with it."""
        for image in node.status.images:
            for name in image.names:
                nodes = self._nodes.get(name, set())
                if node.metadata.name in nodes:
                    nodes.remove(node.metadata.name)
                    self._record(name, self._history[name][-1].size, len(nodes))

    def see(self) -> int:
        """The version that a row written now has."""
        self._is_seen = True
        return self.version

    def at(self, name: str, version: int) -> ImageState | None:
        """An image as of a version; None if no node listed it by then."""
        history = self._history.get(name, [])
        place = bisect_right(history, version, key=lambda state: state.version)
        return history[place - 1] if place else None

    def __contains__(self, name: str) -> bool:
        return name in self._history

    def _record(self, name: str, size: int, num_nodes: int) -> None:
        if self._is_seen:
            self.version += 1
            self._is_seen = False
        history = self._history.setdefault(name, [])
        state = ImageState(self.version, size, num_nodes)
        if history and history[-1].version == self.version:
            history[-1] = state
        else:
            history.append(state)


class ImageColumn:
    """One image on the rows; both 0 where a node does not list it.

    Shapes: sizes, num_nodes: int64[capacity], indexed by row
    """

    __slots__ = ("num_nodes", "sizes")

    def __init__(self, capacity: int) -> None:
        self.sizes: Int64Array = np.zeros(capacity, np.int64)
        self.num_nodes: Int64Array = np.zeros(capacity, np.int64)


class ImageRows(Protocol):
    """What the columns of images read of the node columns."""

    capacity: int
    row_of: dict[str, int]
    image_lists: Vocabulary[tuple[tuple[tuple[str, ...], int], ...]]
    images_id: Int32Array


class ImageColumns:
    """Image name → column, made on first use and kept up to date row by row."""

    __slots__ = ("_columns", "_node_infos", "_versions", "states")

    def __init__(self, node_infos: ImageRows) -> None:
        self.states = ImageStates()
        self._node_infos = node_infos
        self._columns: dict[str, ImageColumn] = {}
        self._versions: dict[int, int] = {}

    def find(self, name: str) -> ImageColumn | None:
        """The column of an image, or None if no node has ever listed it."""
        column = self._columns.get(name)
        if column is None and name in self.states:
            column = self._columns[name] = ImageColumn(self._node_infos.capacity)
            for row in self._node_infos.row_of.values():
                self._fill(column, name, row)
        return column

    def write(self, row: int, *, is_new: bool) -> None:
        """Takes over what is known now of the images on one row; ``is_new``: its node object changed."""
        version = self.states.see()
        if not is_new and self._versions.get(row) == version:
            return
        self._versions[row] = version
        for name, column in self._columns.items():
            self._fill(column, name, row)

    def grow(self, capacity: int) -> None:
        """Makes room for ``capacity`` rows."""
        for column in self._columns.values():
            column.sizes = np.pad(column.sizes, (0, capacity - len(column.sizes)))
            column.num_nodes = np.pad(column.num_nodes, (0, capacity - len(column.num_nodes)))

    def _fill(self, column: ImageColumn, name: str, row: int) -> None:
        images = self._node_infos.image_lists.values[self._node_infos.images_id[row]]
        state = None
        if any(name in image_names for image_names, _ in images):
            state = self.states.at(name, self._versions[row])
        column.sizes[row] = state.size if state else 0
        column.num_nodes[row] = state.num_nodes if state else 0
