"""Hard spread constraints: pods per domain, the fewest of them, and the verdict on each node.

Source: pkg/scheduler/framework/plugins/podtopologyspread/filtering.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from scheduler_core.plugins.helper.topology import (
    NO_DOMAIN,
    num_slots,
    present_slots,
    slot_of,
    slots_of,
    sums_by_slot,
)
from scheduler_core.plugins.pod_topology_spread.common import SpreadMatcher, has_all_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scheduler_core.api.node import Node
    from scheduler_core.plugins.pod_topology_spread.common import NodeInclusion, SpreadConstraint
    from scheduler_core.snapshot.node_infos import BoolArray, Int32Array, Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_columns import PodColumns
    from scheduler_core.snapshot.pod_info import PodInfo

MAX_INT32: Final = 2**31 - 1
FITS: Final = 0
LACKS_LABEL: Final = 1
TOO_SKEWED: Final = 2
_UNKNOWN_SLOT: Final = -1


class CriticalPaths:
    """The two domains with the fewest pods, as (number, slot); the first is the minimum.

    It stays the minimum while the pods of one domain only change, which is all that a dry run does.
    """

    __slots__ = ("first", "second")

    def __init__(self, first: tuple[int, int], second: tuple[int, int]) -> None:
        self.first = first
        self.second = second

    @classmethod
    def of(cls, counts: Int64Array, slots: NDArray[np.intp]) -> CriticalPaths:
        """The paths among the domains in ``slots``."""
        paths = [(MAX_INT32, _UNKNOWN_SLOT)] * 2
        numbers = counts[slots]
        for index in range(min(2, len(slots))):
            least = int(numbers.argmin())
            paths[index] = (int(numbers[least]), int(slots[least]))
            numbers[least] = MAX_INT32
        return cls(*paths)

    def update(self, slot: int, number: int) -> None:
        """Takes over the number of pods of one domain."""
        if slot == self.first[1]:
            self.first = (number, slot)
        elif slot == self.second[1]:
            self.second = (number, slot)
        elif number < self.first[0]:
            self.first, self.second = (number, slot), self.first
        elif number < self.second[0]:
            self.second = (number, slot)
        if self.first[0] > self.second[0]:
            self.first, self.second = self.second, self.first


class DomainCounts:
    """Pods of one constraint by domain. Copies share the counts until one of them changes.

    Shapes: counts: int64[slots]; domains: intp[number of domains], their slots
    """

    __slots__ = ("_emptiest", "_shared", "counts", "domains", "paths")

    def __init__(
        self, counts: Int64Array, domains: NDArray[np.intp], paths: CriticalPaths, *, shared: bool = False
    ) -> None:
        self.counts = counts
        self.domains = domains
        self.paths = paths
        self._shared = shared
        self._emptiest: list[int] | None = None

    def clone(self) -> DomainCounts:
        """A copy that can be changed without touching this one."""
        self._shared = True
        copy = DomainCounts(self.counts, self.domains, CriticalPaths(self.paths.first, self.paths.second))
        copy._shared = True
        return copy

    def add(self, slot: int, delta: int) -> None:
        """Counts pods that come to a domain or leave it."""
        if self._shared:
            self.counts = self.counts.copy()
            self._shared = False
        self._emptiest = None
        self.counts[slot] += delta
        self.paths.update(slot, int(self.counts[slot]))

    def emptiest(self, number: int) -> list[int]:
        """The slots of the domains with the fewest pods, at most ``number`` of them."""
        if self._emptiest is None:
            order = np.argsort(self.counts[self.domains], kind="stable")
            self._emptiest = self.domains[order].tolist()
        return self._emptiest[:number]

    def minimum(self, min_domains: int) -> int:
        """The fewest pods in a domain; 0 while there are fewer domains than ``min_domains``."""
        return 0 if len(self.domains) < min_domains else self.paths.first[0]


class PreFilterState:
    """What PreFilter counted for the hard constraints, kept right through dry runs."""

    __slots__ = ("constraints", "domains", "inclusion", "self_matches")

    def __init__(
        self,
        constraints: tuple[SpreadConstraint, ...],
        domains: list[DomainCounts],
        inclusion: NodeInclusion,
        self_matches: tuple[int, ...],
    ) -> None:
        self.constraints = constraints
        self.domains = domains
        self.inclusion = inclusion
        self.self_matches = self_matches

    def clone(self) -> PreFilterState:
        """A copy for a dry run."""
        domains = [counts.clone() for counts in self.domains]
        return PreFilterState(self.constraints, domains, self.inclusion, self.self_matches)

    def update_with_pod(
        self, pod: PodInfo, updated: PodInfo, node: Node, nodes: NodeInfos, delta: int
    ) -> None:
        """Counts a pod that a dry run adds or takes off; also one on its way out, as upstream."""
        labels = node.metadata.labels
        if updated.pod.metadata.namespace != pod.pod.metadata.namespace:
            return
        if not has_all_keys(labels, self.constraints):
            return
        for constraint, domain_counts in zip(self.constraints, self.domains, strict=True):
            if not constraint.selector.matches(updated.pod.metadata.labels):
                continue
            if self.inclusion.includes(constraint, node):
                domain_counts.add(slot_of(nodes, labels, constraint.topology_key), delta)


def pre_filter_state(
    pod: PodInfo,
    constraints: tuple[SpreadConstraint, ...],
    inclusion: NodeInclusion,
    nodes: NodeInfos,
    pod_columns: PodColumns,
) -> PreFilterState:
    """Counts the pods of every domain of every constraint."""
    columns = [slots_of(nodes, constraint.topology_key) for constraint in constraints]
    has_all = columns[0] != NO_DOMAIN
    for slots in columns[1:]:
        has_all &= slots != NO_DOMAIN
    size = num_slots(nodes)
    metadata = pod.pod.metadata
    domains = []
    for constraint, slots in zip(constraints, columns, strict=True):
        included = inclusion.rows(constraint, nodes)
        counted = has_all if included is None else has_all & included
        matcher = SpreadMatcher(metadata.namespace, constraint.selector)
        if included is None and len(constraints) == 1:  # every node with the label counts
            sums = pod_columns.count_by_slot(matcher, constraint.topology_key)
            present = nodes.label_columns.distinct_slots(constraint.topology_key)
            domains.append(DomainCounts(sums, present, CriticalPaths.of(sums, present), shared=True))
            continue
        domains.append(_domain_counts(slots, counted, pod_columns.count(matcher), size))
    self_matches = tuple(int(constraint.selector.matches(metadata.labels)) for constraint in constraints)
    return PreFilterState(constraints, domains, inclusion, self_matches)


def _domain_counts(slots: Int32Array, counted: BoolArray, per_row: Int64Array, size: int) -> DomainCounts:
    slots = np.where(counted, slots, NO_DOMAIN)
    counts = sums_by_slot(slots, per_row, size)
    present = present_slots(slots, size)
    return DomainCounts(counts, present, CriticalPaths.of(counts, present))


def judge(state: PreFilterState, nodes: NodeInfos, rows: RowIndex) -> Int32Array:
    """What the first constraint says that a row breaks.

    Shapes: intp[n] → int32[n] of FITS, LACKS_LABEL, TOO_SKEWED
    """
    verdicts = np.full(len(rows), FITS, np.int32)
    for constraint, domain_counts, self_match in zip(
        reversed(state.constraints), reversed(state.domains), reversed(state.self_matches), strict=True
    ):
        slots = slots_of(nodes, constraint.topology_key)[rows]
        allowed = constraint.max_skew - self_match + domain_counts.minimum(constraint.min_domains)
        np.copyto(verdicts, TOO_SKEWED, where=domain_counts.counts[slots] > allowed)
        np.copyto(verdicts, LACKS_LABEL, where=slots == NO_DOMAIN)
    return verdicts
