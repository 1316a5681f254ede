"""Preferred affinity and anti-affinity, both ways, and what required affinity of others counts for.

Source: pkg/scheduler/framework/plugins/interpodaffinity/scoring.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.framework.types import MAX_NODE_SCORE
from scheduler_core.plugins.helper.topology import num_slots, slots_of, sums_by_slot
from scheduler_core.plugins.inter_pod_affinity.terms import (
    PREFERRED_AFFINITY,
    PREFERRED_ANTI_AFFINITY,
    REQUIRED_AFFINITY,
    TermMatcher,
    resolved,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.framework.interface import ObjectLister
    from scheduler_core.snapshot.affinity_term import WeightedAffinityTerm
    from scheduler_core.snapshot.carried_terms import Carriers
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_columns import PodColumns
    from scheduler_core.snapshot.pod_info import PodInfo


class PreScoreState:
    """(topology key, domain) → score. Nothing changes it after PreScore.

    Shapes: by_key: key → int64[slots]
    """

    __slots__ = ("_nodes", "by_key")

    def __init__(self, nodes: NodeInfos) -> None:
        self._nodes = nodes
        self.by_key: dict[str, Int64Array] = {}

    def clone(self) -> PreScoreState:
        """Itself: it is not changed."""
        return self

    def add(self, key: str, sums: Int64Array, weight: int) -> None:
        """Gives domains a weight for each of their pods.

        Shapes: sums: int64[slots], at least as many as the last time
        """
        if not sums.any():
            return
        known = self.by_key.get(key)
        scores = sums * weight
        if known is not None:
            scores[: len(known)] += known
        self.by_key[key] = scores

    def add_own_terms(
        self,
        terms: tuple[WeightedAffinityTerm, ...],
        sign: int,
        pod_columns: PodColumns,
        lister: ObjectLister,
    ) -> None:
        """What the pod itself prefers."""
        for term, weight in terms:
            matcher = TermMatcher.of(resolved(term, lister))
            self.add(term.topology_key, pod_columns.count_by_slot(matcher, term.topology_key), sign * weight)

    def add_terms_of_others(
        self,
        pod: PodInfo,
        namespace_labels: Mapping[str, str],
        pod_columns: PodColumns,
        hard_weight: int,
    ) -> None:
        """What pods on nodes prefer or demand of the pod; a demand counts ``hard_weight``."""
        labels = pod.pod.metadata.labels
        if hard_weight > 0:
            for term, carriers in pod_columns.carried(REQUIRED_AFFINITY).about(labels):
                if term.matches(pod.pod, namespace_labels):
                    self.add(term.topology_key, self._sums(term.topology_key, carriers), hard_weight)
        for extractor, sign in ((PREFERRED_AFFINITY, 1), (PREFERRED_ANTI_AFFINITY, -1)):
            for (term, weight), carriers in pod_columns.carried(extractor).about(labels):
                if term.matches(pod.pod, namespace_labels):
                    self.add(term.topology_key, self._sums(term.topology_key, carriers), sign * weight)

    def _sums(self, key: str, carriers: Carriers) -> Int64Array:
        slots = slots_of(self._nodes, key)[carriers.rows]
        return sums_by_slot(slots, carriers.counts, num_slots(self._nodes))


def scores(state: PreScoreState, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
    """The sum over the domains that a row is in.

    Shapes: intp[n] → int64[n]
    """
    total = np.zeros(len(rows), np.int64)
    for key, by_slot in state.by_key.items():
        total += by_slot[slots_of(nodes, key)[rows]]
    return total


def normalized(raw: Int64Array) -> Int64Array:
    """Stretches the scores over 0…100; all 0 where they are equal.

    Shapes: int64[n] → int64[n]

    Numerics: float64 in upstream's order of operations, then truncated
    """
    if not len(raw):
        return raw
    lowest, highest = int(raw.min()), int(raw.max())
    if lowest == highest:
        return np.zeros_like(raw)
    shares = (raw - lowest).astype(np.float64) / float(highest - lowest)
    return (float(MAX_NODE_SCORE) * shares).astype(np.int64)
