"""Keeps pods off nodes whose taints they do not tolerate, and prefers nodes with fewer soft ones.

Source: pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.api.taints import PREFER_NO_SCHEDULE, Taint, Toleration
from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import Status, unresolvable
from scheduler_core.framework.types import MAX_NODE_SCORE, PASSES, FilterResult
from scheduler_core.plugins import names
from scheduler_core.plugins.helper.interned import VerdictCache
from scheduler_core.plugins.helper.normalize_score import default_normalize_score
from scheduler_core.plugins.helper.taints import find_untolerated_taint, tolerations_tolerate
from scheduler_core.snapshot.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Hashable

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.TAINT_TOLERATION
REASON: Final = "node(s) had untolerated taint {{{key}: {value}}}"

_FEW: Final = 16
"""So many reasons are handed on without asking which of them occur."""

_PRE_SCORE_KEY: Final = "PreScore" + NAME
_NO_PRE_SCORE: Final = 'failed to read "{key}" from cycleState: {error}'

_Taints = tuple[Taint, ...]
_Tolerations = tuple[Toleration, ...]


class PreScoreState:
    """The pod's tolerations that can cover a PreferNoSchedule taint."""

    __slots__ = ("tolerations",)

    def __init__(self, tolerations: _Tolerations) -> None:
        self.tolerations = tolerations

    def clone(self) -> PreScoreState:
        """Itself: it is never changed."""
        return self


class TaintToleration:
    """NoSchedule and NoExecute taints refuse, PreferNoSchedule taints cost score."""

    name = NAME
    reads_pods = False

    def __init__(self) -> None:
        self._reasons: Vocabulary[Status] = Vocabulary()
        self._refusals: VerdictCache[_Tolerations, _Taints] = VerdictCache(self._refusal)
        self._intolerable: VerdictCache[_Tolerations, _Taints] = VerdictCache(count_intolerable)

    def sign_pod(self, pod: PodInfo) -> Hashable:
        """The tolerations."""
        return pod.pod.spec.tolerations

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Names the first taint in the node's order that is not tolerated."""
        refusals = self._refusals.get(pod.pod.spec.tolerations, nodes.taint_lists)
        index = refusals.take(nodes.taints_id.take(rows))
        if not index.any():
            return None
        if len(self._reasons) <= _FEW:
            return FilterResult(index.astype(np.int32), tuple(self._reasons.values))
        found, inverse = np.unique(np.append(index, PASSES), return_inverse=True)
        statuses = tuple(self._reasons.values[verdict - 1] for verdict in found[1:].tolist())
        return FilterResult(inverse[:-1].astype(np.int32), statuses)

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """Every taint that keeps the pod away, the one that upstream names first."""
        tolerations = pod.pod.spec.tolerations
        return [
            {"key": taint.key, "value": taint.value, "effect": taint.effect}
            for taint in nodes.taint_lists.values[nodes.taints_id[row]]
            if find_untolerated_taint((taint,), tolerations) is not None
        ]

    def pre_score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Status | None:
        """Picks the tolerations that count."""
        tolerations = pod.pod.spec.tolerations
        if tolerations:
            tolerations = tuple(t for t in tolerations if t.effect in ("", PREFER_NO_SCHEDULE))
        state.write(_PRE_SCORE_KEY, PreScoreState(tolerations))
        return None

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        """Counts PreferNoSchedule taints that are not tolerated."""
        pre_score: PreScoreState = state.read(_PRE_SCORE_KEY, _NO_PRE_SCORE)
        counts = self._intolerable.get(pre_score.tolerations, nodes.taint_lists)
        return counts.take(nodes.taints_id[rows])

    def normalize_score(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, scores: Int64Array
    ) -> Int64Array:
        """The fewer, the better."""
        return default_normalize_score(MAX_NODE_SCORE, reverse=True, scores=scores)

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Nodes that come or lose taints, and tolerations that the pod itself gains."""
        node = ClusterEvent(EventResource.NODE, ActionType.ADD | ActionType.UPDATE_NODE_TAINT)
        pod = ClusterEvent(EventResource.POD, ActionType.UPDATE_POD_TOLERATION)
        return (
            ClusterEventWithHint(node, self._after_node_change),
            ClusterEventWithHint(pod, self._after_pod_toleration_change),
        )

    def _after_node_change(self, pod: Pod, old: Node | None, new: Node) -> QueueingHint:
        tolerations = pod.spec.tolerations
        was_untolerated = old is None or find_untolerated_taint(old.spec.taints, tolerations) is not None
        if was_untolerated and find_untolerated_taint(new.spec.taints, tolerations) is None:
            return QueueingHint.QUEUE
        return QueueingHint.SKIP

    def _after_pod_toleration_change(self, pod: Pod, old: Pod | None, new: Pod) -> QueueingHint:
        return QueueingHint.QUEUE if new.metadata.uid == pod.metadata.uid else QueueingHint.SKIP

    def _refusal(self, tolerations: _Tolerations, taints: _Taints) -> int:
        """PASSES, or one more than the id of the status."""
        taint = find_untolerated_taint(taints, tolerations)
        if taint is None:
            return PASSES
        return self._reasons.id(unresolvable(REASON.format(key=taint.key, value=taint.value))) + 1


def count_intolerable(tolerations: _Tolerations, taints: _Taints) -> int:
    """How many PreferNoSchedule taints no toleration covers."""
    return sum(
        taint.effect == PREFER_NO_SCHEDULE and not tolerations_tolerate(tolerations, taint)
        for taint in taints
    )


def new(args: None, handle: Handle) -> TaintToleration:
    """Makes the plugin."""
    return TaintToleration()
