"""What one scheduling attempt sees: the node columns and the objects beside them.

Source: pkg/scheduler/backend/cache/snapshot.go, Snapshot, v1.34.1
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.node_infos import NodeInfos
from scheduler_core.snapshot.pod_columns import PodColumns
from scheduler_core.snapshot.row_log import RowLog

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scheduler_core.snapshot.node_info import NodeInfo


class Snapshot:
    """Node columns as of ``generation``. Only rows touched since are rewritten by the cache."""

    __slots__ = ("generation", "node_infos", "pod_columns", "touched")

    def __init__(self, axis: ResourceAxis | None = None, *, reuse: bool = True) -> None:
        """Without ``reuse`` the pod columns are counted anew for every question."""
        self.node_infos = NodeInfos(axis or ResourceAxis())
        self.pod_columns = PodColumns(self.node_infos, reuse=reuse)
        self.touched = RowLog()
        self.generation = 0

    def __len__(self) -> int:
        return len(self.node_infos)

    def write(self, node_info: NodeInfo) -> bool:
        """Writes the row of a node that changed; whether the node is new here."""
        is_new = node_info.name not in self.node_infos.row_of
        row = self.node_infos.write(node_info)
        self.pod_columns.touch(row)
        self.touched.add(row)
        return is_new

    def remove(self, name: str) -> None:
        """Drops a node's row."""
        row = self.node_infos.remove(name)
        self.pod_columns.touch(row)

    def set_order(self, names: Sequence[str]) -> None:
        """Sets the order in which nodes are looked at."""
        self.node_infos.set_order(names)

    @contextmanager
    def overlay(self, row: int, node_info: NodeInfo) -> Iterator[None]:
        """Shows ``node_info`` in ``row`` for a while: nominated pods, preemption's dry runs.

        Only what depends on pods may differ from the row's own node.
        """
        own = self.node_infos.info(row)
        self.node_infos.infos[row] = node_info
        self.node_infos.write_pods(row, node_info)
        try:
            yield
        finally:
            self.node_infos.infos[row] = own
            self.node_infos.write_pods(row, own)
