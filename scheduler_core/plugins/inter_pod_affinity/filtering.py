"""Required affinity and anti-affinity, both ways: matches by domain, and the verdict on each node.

Source: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.plugins.helper.topology import NO_DOMAIN, num_slots, slot_of, slots_of, sums_by_slot
from scheduler_core.plugins.inter_pod_affinity.terms import (
    NO_LABELS,
    REQUIRED_ANTI_AFFINITY,
    AllTermsMatcher,
    TermMatcher,
    matches_all,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.api.node import Node
    from scheduler_core.snapshot.affinity_term import AffinityTerm
    from scheduler_core.snapshot.node_infos import BoolArray, Int32Array, Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_columns import PodColumns
    from scheduler_core.snapshot.pod_info import PodInfo

FITS: Final = 0
BREAKS_AFFINITY: Final = 1
BREAKS_ANTI_AFFINITY: Final = 2
BREAKS_EXISTING_ANTI_AFFINITY: Final = 3


class MatchCounts:
    """(topology key, domain) → number of matches. Copies share the counts until one of them changes.

    ``total`` is 0 exactly when no domain has a match, for no number is negative.

    Shapes: by_key: key → int64[slots]
    """

    __slots__ = ("_shared", "by_key", "total")

    def __init__(self) -> None:
        self.by_key: dict[str, Int64Array] = {}
        self.total = 0
        self._shared: set[str] = set()

    def clone(self) -> MatchCounts:
        """A copy that can be changed without touching this one."""
        self._shared.update(self.by_key)
        copy = MatchCounts()
        copy.by_key = dict(self.by_key)
        copy.total = self.total
        copy._shared = set(self.by_key)
        return copy

    def add_sums(self, key: str, sums: Int64Array) -> None:
        """Counts matches by slot; the sums stay their owner's."""
        added = int(sums.sum())
        if added:
            known = self.by_key.get(key)
            self.by_key[key] = sums if known is None else _added(known, sums)
            self._shared.add(key)
            self.total += added

    def add(self, nodes: NodeInfos, labels: Mapping[str, str], key: str, delta: int) -> None:
        """Counts matches on a node with these labels; a node without the key has no domain."""
        slot = slot_of(nodes, labels, key)
        if slot == NO_DOMAIN:
            return
        counts = self.by_key.get(key)
        if counts is None:
            counts = np.zeros(num_slots(nodes), np.int64)
        elif key in self._shared:
            counts = counts.copy()
        self._shared.discard(key)
        counts[slot] += delta
        self.by_key[key] = counts
        self.total += delta

    def has_matches(self, nodes: NodeInfos, key: str, rows: RowIndex) -> BoolArray:
        """Which rows are in a domain with a match.

        Shapes: intp[n] → bool[n]
        """
        counts = self.by_key.get(key)
        if counts is None:
            return np.zeros(len(rows), np.bool_)
        return counts[slots_of(nodes, key)[rows]] > 0


def _added(one: Int64Array, other: Int64Array) -> Int64Array:
    """Sums of arrays of which the later may have more slots."""
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    sums = longer.copy()
    sums[: len(shorter)] += shorter
    return sums


class PreFilterState:
    """What PreFilter counted, kept right through dry runs; the pod's own terms are resolved.

    ``records`` are the numbers behind refusals as far as they were asked for: (term or topology key, slot) → them.
    """

    __slots__ = (
        "affinity",
        "affinity_counts",
        "anti_affinity",
        "anti_affinity_counts",
        "existing_anti_affinity_counts",
        "matches_itself",
        "namespace_labels",
        "pod",
        "records",
    )

    def __init__(
        self,
        pod: PodInfo,
        affinity: tuple[AffinityTerm, ...],
        anti_affinity: tuple[AffinityTerm, ...],
        namespace_labels: Mapping[str, str],
    ) -> None:
        self.pod = pod
        self.affinity = affinity
        self.anti_affinity = anti_affinity
        self.namespace_labels = namespace_labels
        self.matches_itself = matches_all(affinity, pod.pod)
        self.affinity_counts = MatchCounts()
        self.anti_affinity_counts = MatchCounts()
        self.existing_anti_affinity_counts = MatchCounts()
        self.records: dict[tuple[AffinityTerm | str, int], list[dict[str, Any]]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing could refuse a node."""
        return not self.affinity and not self.anti_affinity and not self.existing_anti_affinity_counts.total

    def clone(self) -> PreFilterState:
        """A copy for a dry run."""
        copy = object.__new__(PreFilterState)
        copy.pod = self.pod
        copy.affinity = self.affinity
        copy.anti_affinity = self.anti_affinity
        copy.namespace_labels = self.namespace_labels
        copy.matches_itself = self.matches_itself
        copy.affinity_counts = self.affinity_counts.clone()
        copy.anti_affinity_counts = self.anti_affinity_counts.clone()
        copy.existing_anti_affinity_counts = self.existing_anti_affinity_counts.clone()
        copy.records = {}
        return copy

    def count(self, nodes: NodeInfos, pod_columns: PodColumns) -> None:
        """Counts what stands on the nodes."""
        labels = self.pod.pod.metadata.labels
        for term, carriers in pod_columns.carried(REQUIRED_ANTI_AFFINITY).about(labels):
            if term.matches(self.pod.pod, self.namespace_labels):
                slots = slots_of(nodes, term.topology_key)[carriers.rows]
                sums = sums_by_slot(slots, carriers.counts, num_slots(nodes))
                self.existing_anti_affinity_counts.add_sums(term.topology_key, sums)
        if self.affinity:
            matcher = AllTermsMatcher.of(self.affinity)
            for term in self.affinity:
                key = term.topology_key
                self.affinity_counts.add_sums(key, pod_columns.count_by_slot(matcher, key))
        for term in self.anti_affinity:
            key = term.topology_key
            self.anti_affinity_counts.add_sums(key, pod_columns.count_by_slot(TermMatcher.of(term), key))

    def update_with_pod(self, updated: PodInfo, node: Node, nodes: NodeInfos, delta: int) -> None:
        """Counts a pod that a dry run adds to a node or takes off it."""
        labels = node.metadata.labels
        for term in updated.required_anti_affinity_terms:
            if term.matches(self.pod.pod, self.namespace_labels):
                self.existing_anti_affinity_counts.add(nodes, labels, term.topology_key, delta)
        if matches_all(self.affinity, updated.pod):
            for term in self.affinity:
                self.affinity_counts.add(nodes, labels, term.topology_key, delta)
        for term in self.anti_affinity:
            if term.matches(updated.pod, NO_LABELS):
                self.anti_affinity_counts.add(nodes, labels, term.topology_key, delta)


def judge(state: PreFilterState, nodes: NodeInfos, rows: RowIndex) -> Int32Array:
    """The first rule that a row breaks.

    Shapes: intp[n] → int32[n] of FITS, BREAKS_AFFINITY, BREAKS_ANTI_AFFINITY, BREAKS_EXISTING_ANTI_AFFINITY
    """
    verdicts = np.full(len(rows), FITS, np.int32)
    existing = state.existing_anti_affinity_counts
    for key in existing.by_key:
        np.copyto(verdicts, BREAKS_EXISTING_ANTI_AFFINITY, where=existing.has_matches(nodes, key, rows))
    for key in state.anti_affinity_counts.by_key:
        unwanted = state.anti_affinity_counts.has_matches(nodes, key, rows)
        np.copyto(verdicts, BREAKS_ANTI_AFFINITY, where=unwanted)
    if state.affinity:
        np.copyto(verdicts, BREAKS_AFFINITY, where=~satisfies_affinity(state, nodes, rows))
    return verdicts


def satisfies_affinity(state: PreFilterState, nodes: NodeInfos, rows: RowIndex) -> BoolArray:
    """Which rows are with the pods that the pod wants to be with.

    A pod that matches its own terms may be the first of a series: while nothing in the cluster matches them,
    any node with all the topology keys will do.

    Shapes: intp[n] → bool[n]
    """
    is_first = not state.affinity_counts.total and state.matches_itself
    satisfied = np.ones(len(rows), np.bool_)
    for key in {term.topology_key: None for term in state.affinity}:
        if is_first:
            satisfied &= slots_of(nodes, key)[rows] != NO_DOMAIN
        else:
            satisfied &= state.affinity_counts.has_matches(nodes, key, rows)
    return satisfied
