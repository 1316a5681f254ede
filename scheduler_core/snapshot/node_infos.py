"""All nodes as columns: one array an attribute, one row a node.

A node keeps its row for as long as it is in the snapshot; ``order`` says in which order the scheduler looks at
the rows. Values that many nodes share (label values, taint lists, port sets, image lists) are interned, so that a
plugin judges each distinct value once and takes the verdict per row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from scheduler_core.snapshot.axes import NUM_BASE_RESOURCES, ResourceAxis
from scheduler_core.snapshot.image_states import ImageColumns
from scheduler_core.snapshot.vocabulary import ABSENT, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from scheduler_core.api.node import Node
    from scheduler_core.api.taints import Taint
    from scheduler_core.snapshot.arrays import BoolArray as BoolArray
    from scheduler_core.snapshot.arrays import Int32Array as Int32Array
    from scheduler_core.snapshot.arrays import Int64Array as Int64Array
    from scheduler_core.snapshot.arrays import RowIndex as RowIndex
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.pod_info import HostPort

D = TypeVar("D", bound=np.generic)

_FIRST_CAPACITY: Final = 16
_NO_ROW: Final = -1


class LabelColumns:
    """Label key → value id per row, made on first use and kept up to date row by row."""

    __slots__ = ("_columns", "_distinct", "_node_infos", "_slots", "values")

    def __init__(self, node_infos: NodeInfos) -> None:
        self._node_infos = node_infos
        self._columns: dict[str, Int32Array] = {}
        self._slots: dict[str, Int32Array] = {}
        self._distinct: dict[str, RowIndex] = {}
        self.values: Vocabulary[str] = Vocabulary()

    def column(self, key: str) -> Int32Array:
        """Value ids of label ``key``; ABSENT where a node lacks it.

        Shapes: int32[capacity], indexed by row
        """
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = np.full(self._node_infos.capacity, ABSENT, np.int32)
            for row, labels in enumerate(self._node_infos.labels):
                if key in labels:
                    column[row] = self.values.id(labels[key])
        return column

    def slots(self, key: str) -> Int32Array:
        """Value ids of label ``key`` from 1 on; 0 where a node lacks it.

        Shapes: int32[capacity], indexed by row; not to be written to
        """
        slots = self._slots.get(key)
        if slots is None:
            slots = self._slots[key] = self.column(key) + np.int32(1)
        return slots

    def distinct_slots(self, key: str) -> RowIndex:
        """The values that nodes have of label ``key``, as slots, in their order.

        Shapes: → intp[number of values], not to be written to
        """
        distinct = self._distinct.get(key)
        if distinct is None:
            found = np.bincount(self.slots(key)).nonzero()[0]
            distinct = self._distinct[key] = found[found > 0]
        return distinct

    def write(self, row: int, labels: dict[str, str]) -> None:
        """Takes over the labels of one row."""
        self._slots.clear()
        self._distinct.clear()
        for key, column in self._columns.items():
            value = labels.get(key)
            column[row] = ABSENT if value is None else self.values.id(value)

    def grow(self, capacity: int) -> None:
        """Makes room for ``capacity`` rows."""
        self._slots.clear()
        self._distinct.clear()
        self._columns = {key: _grown(column, capacity, ABSENT) for key, column in self._columns.items()}


class NodeInfos:
    """The columns. All arrays are indexed by row and have ``capacity`` rows, used or not.

    Shapes:
        allocatable, requested: int64[capacity, len(axis)], cpu in milli-cores, else the resource's unit;
            laid out resource by resource
        non_zero_requested: int64[capacity, 2], cpu and memory with the scoring defaults for containers without
        num_pods, allowed_pods: int64[capacity]
        unschedulable: bool[capacity]
        taints_id, ports_id, images_id: int32[capacity], ids in taint_lists, port_sets, image_lists
        order: intp[number of nodes], rows in the order of the node tree
        order_twice: intp[2 * number of nodes], the order and again the order, so that a rotated part is a slice
        name_ranks: int64[capacity], places of the names in alphabetical order

    ``version`` counts changes of nodes; while it stays the same only sums over pods have changed.
    """

    def __init__(self, axis: ResourceAxis) -> None:
        self.axis = axis
        self.capacity = 0
        self.row_of: dict[str, int] = {}
        self.names: list[str] = []
        self.infos: list[NodeInfo | None] = []
        self.labels: list[dict[str, str]] = []
        self.label_columns = LabelColumns(self)
        self.image_columns = ImageColumns(self)
        self.taint_lists: Vocabulary[tuple[Taint, ...]] = Vocabulary()
        self.port_sets: Vocabulary[frozenset[HostPort]] = Vocabulary()
        self.image_lists: Vocabulary[tuple[tuple[tuple[str, ...], int], ...]] = Vocabulary()
        self.version = 0
        self._offered: tuple[int, dict[tuple[int, ...], bool]] = (0, {})
        self._gathered_of: RowIndex | None = None
        self._allocatable_there: Int64Array = np.zeros((0, 0), np.int64)
        self._requested_there: Int64Array = np.zeros((0, 0), np.int64)
        self.order: RowIndex = np.empty(0, np.intp)
        self.order_twice: RowIndex = np.empty(0, np.intp)
        self.name_ranks: Int64Array = np.zeros(0, np.int64)
        self.allocatable: Int64Array = np.zeros((0, NUM_BASE_RESOURCES), np.int64)
        self.requested: Int64Array = np.zeros((0, NUM_BASE_RESOURCES), np.int64)
        self.non_zero_requested: Int64Array = np.zeros((0, 2), np.int64)
        self.num_pods: Int64Array = np.zeros(0, np.int64)
        self.allowed_pods: Int64Array = np.zeros(0, np.int64)
        self.unschedulable: BoolArray = np.zeros(0, np.bool_)
        self.taints_id: Int32Array = np.zeros(0, np.int32)
        self.ports_id: Int32Array = np.zeros(0, np.int32)
        self.images_id: Int32Array = np.zeros(0, np.int32)
        self._free: list[int] = []
        self._written: list[Node | None] = []
        self._grow(_FIRST_CAPACITY)

    def __len__(self) -> int:
        return len(self.order)

    def allocatable_at(self, rows: RowIndex) -> Int64Array:
        """The allocatable amounts of rows; plugins that ask for the same rows one after the other share them.

        Shapes: intp[n] → int64[resources, n], not to be written to
        """
        if self._gathered_of is not rows:
            self._gather(rows)
        return self._allocatable_there

    def requested_at(self, rows: RowIndex) -> Int64Array:
        """What is requested of rows; shared in the same way.

        Shapes: intp[n] → int64[resources, n], not to be written to
        """
        if self._gathered_of is not rows:
            self._gather(rows)
        return self._requested_there

    def _gather(self, rows: RowIndex) -> None:
        """Gathers the amounts of rows; they hold until a row is written."""
        self._gathered_of = rows
        self._allocatable_there = self.allocatable.T.take(rows, axis=1)
        self._requested_there = self.requested.T.take(rows, axis=1)

    def are_offered_everywhere(self, columns: tuple[int, ...]) -> bool:
        """Whether every node has some of each of these resources."""
        version, offered = self._offered
        if version != self.version:
            offered = {}
            self._offered = self.version, offered
        found = offered.get(columns)
        if found is None:
            width = self.allocatable.shape[1]
            amounts = self.allocatable[self.order]
            found = all(column < width and bool(amounts[:, column].all()) for column in columns)
            offered[columns] = found
        return found

    def info(self, row: int) -> NodeInfo:
        """The node behind a row in use."""
        info = self.infos[row]
        assert info is not None
        return info

    def write(self, node_info: NodeInfo) -> int:
        """Writes a node's row, taking a free one for a node that is new; its pods' sums too.

        Returns: the row
        """
        row = self.row_of.get(node_info.name, _NO_ROW)
        if row == _NO_ROW:
            row = self._take_row(node_info.name)
        is_new = self._written[row] is not node_info.node
        if is_new:
            self._write_node(row, node_info)
        self.image_columns.write(row, is_new=is_new)
        self.infos[row] = node_info
        self.write_pods(row, node_info)
        return row

    def write_pods(self, row: int, node_info: NodeInfo) -> None:
        """Writes what a row knows of the pods on its node."""
        self._gathered_of = None
        width = self.requested.shape[1]
        if len(self.axis) > width:
            self._widen()
            width = self.requested.shape[1]
        amounts = node_info.requested
        self.requested[row] = [amounts.get(column, 0) for column in range(width)]
        self.non_zero_requested[row] = (node_info.non_zero_cpu, node_info.non_zero_memory)
        self.num_pods[row] = len(node_info.pods)
        self.ports_id[row] = self.port_sets.id(node_info.ports)

    def remove(self, name: str) -> int:
        """Frees a node's row.

        Returns: the row
        """
        row = self.row_of.pop(name)
        self.version += 1
        self.infos[row] = None
        self._written[row] = None
        self.labels[row] = {}
        self.label_columns.write(row, {})
        self._free.append(row)
        return row

    def set_order(self, names: Sequence[str]) -> None:
        """Sets the order in which the scheduler looks at nodes."""
        row_of = self.row_of
        self.version += 1
        self.order = np.fromiter((row_of[name] for name in names), np.intp, len(names))
        self.order_twice = np.concatenate((self.order, self.order))
        self.name_ranks = np.zeros(self.capacity, np.int64)
        self.name_ranks[[row_of[name] for name in sorted(names)]] = np.arange(len(names))

    def _take_row(self, name: str) -> int:
        if not self._free:
            self._grow(self.capacity * 2)
        row = self._free.pop()
        self.row_of[name] = row
        self.names[row] = name
        return row

    def _write_node(self, row: int, node_info: NodeInfo) -> None:
        node = self._written[row] = node_info.node
        assert node is not None
        self.version += 1
        if len(self.axis) > self.allocatable.shape[1]:
            self._widen()
        allocatable = self.allocatable[row]
        allocatable[:] = 0
        for column, amount in node_info.allocatable.items():
            allocatable[column] = amount
        self.allowed_pods[row] = node_info.allowed_pods
        self.unschedulable[row] = node.spec.unschedulable
        self.taints_id[row] = self.taint_lists.id(node.spec.taints)
        images = tuple((image.names, image.size_bytes) for image in node.status.images)
        self.images_id[row] = self.image_lists.id(images)
        self.labels[row] = node.metadata.labels
        self.label_columns.write(row, node.metadata.labels)

    def _widen(self) -> None:
        self.version += 1
        width = len(self.axis)
        self.allocatable = _widened(self.allocatable, width)
        self.requested = _widened(self.requested, width)

    def _grow(self, capacity: int) -> None:
        added = capacity - self.capacity
        self._free.extend(range(capacity - 1, self.capacity - 1, -1))
        self.capacity = capacity
        self.names.extend([""] * added)
        self.infos.extend([None] * added)
        self._written.extend([None] * added)
        self.labels.extend({} for _ in range(added))
        for name in ("allocatable", "requested", "non_zero_requested", "num_pods", "allowed_pods"):
            setattr(self, name, _grown(getattr(self, name), capacity, 0))
        for name in ("unschedulable", "taints_id", "ports_id", "images_id"):
            setattr(self, name, _grown(getattr(self, name), capacity, 0))
        self.label_columns.grow(capacity)
        self.image_columns.grow(capacity)


def _grown(array: NDArray[D], capacity: int, fill: int) -> NDArray[D]:
    grown = np.full((capacity, *array.shape[1:]), fill, array.dtype, order="F")
    grown[: len(array)] = array
    return grown


def _widened(table: Int64Array, width: int) -> Int64Array:
    widened = np.zeros((len(table), width), np.int64, order="F")
    widened[:, : table.shape[1]] = table
    return widened
