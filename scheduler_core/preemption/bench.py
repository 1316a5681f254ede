"""One node's dry run as it advances in step with those of other nodes.

Source: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go, SelectVictimsOnNode, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.preemption.importance import sorted_by_importance
from scheduler_core.preemption.victims import Victims

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.pod_info import PodInfo


class Bench:
    """Potential victims of a node who wait to be put back, and those who have to go.

    ``node_info`` is the node as it stands; ``with_nominated`` the same with the pods nominated to it, if any.
    """

    __slots__ = ("_gone", "_next", "_num_violating", "_waiting", "node_info", "row", "with_nominated")

    def __init__(
        self,
        row: int,
        stripped: NodeInfo,
        nominated: Sequence[PodInfo],
        violating: Sequence[PodInfo],
        others: Sequence[PodInfo],
    ) -> None:
        """``stripped`` is the node without its potential victims; these come in order of their reprieve."""
        self.row = row
        self.node_info = stripped.clone()
        self.with_nominated = stripped.clone() if nominated else None
        if self.with_nominated:
            for pod_info in nominated:
                self.with_nominated.add_pod(pod_info)
        self._waiting = (*violating, *others)
        self._num_violating = len(violating)
        self._next = 0
        self._gone: list[int] = []

    @property
    def is_done(self) -> bool:
        """Whether everyone was tried."""
        return self._next == len(self._waiting)

    def put_back(self) -> None:
        """Puts the next pod back on the node."""
        pod_info = self._waiting[self._next]
        self.node_info.add_pod(pod_info)
        if self.with_nominated:
            self.with_nominated.add_pod(pod_info)

    def settle(self, *, stays: bool) -> None:
        """Says whether the pod that was put back may stay."""
        if not stays:
            uid = self._waiting[self._next].uid
            self.node_info.remove_pod(uid)
            if self.with_nominated:
                self.with_nominated.remove_pod(uid)
            self._gone.append(self._next)
        self._next += 1

    def victims(self) -> Victims:
        """Those who could not stay."""
        pods = [self._waiting[index] for index in self._gone]
        num_pdb_violations = sum(index < self._num_violating for index in self._gone)
        if 0 < self._num_violating < len(self._waiting):
            pods = sorted_by_importance(pods)
        return Victims(tuple(pods), num_pdb_violations)
