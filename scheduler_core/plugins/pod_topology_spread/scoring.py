"""Soft spread constraints: the fewer pods in a node's domains, the better; small topologies count less.

Source: pkg/scheduler/framework/plugins/podtopologyspread/scoring.go, v1.34.1
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from scheduler_core.framework.types import MAX_NODE_SCORE
from scheduler_core.plugins.helper.numerics import rounded
from scheduler_core.plugins.helper.topology import NO_DOMAIN, num_slots, slots_of
from scheduler_core.plugins.pod_topology_spread.common import LABEL_HOSTNAME, SpreadMatcher

if TYPE_CHECKING:
    from scheduler_core.plugins.pod_topology_spread.common import NodeInclusion, SpreadConstraint
    from scheduler_core.snapshot.node_infos import BoolArray, Int32Array, Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_columns import PodColumns

INVALID_SCORE: Final = -1


class _Topology(NamedTuple):
    """One constraint ready to be scored: pods of a row's own domain, and what a pod weighs.

    Shapes: slots: int32[capacity], by row; counts: int64, by slot, or by row where ``by_row``
    """

    constraint: SpreadConstraint
    slots: Int32Array
    counts: Int64Array
    by_row: bool
    weight: float


class PreScoreState:
    """What PreScore counted; nothing changes it.

    Shapes: ignored: bool[capacity], by row: rows that lack a topology key and are not scored
    """

    __slots__ = ("ignored", "topologies")

    def __init__(self, topologies: tuple[_Topology, ...], ignored: BoolArray | None) -> None:
        self.topologies = topologies
        self.ignored = ignored

    def clone(self) -> PreScoreState:
        """Itself: it is not changed."""
        return self


def pre_score_state(
    matchers: tuple[SpreadMatcher, ...],
    constraints: tuple[SpreadConstraint, ...],
    inclusion: NodeInclusion,
    nodes: NodeInfos,
    rows: RowIndex,
    pod_columns: PodColumns,
    *,
    require_all: bool,
) -> PreScoreState:
    """Counts the pods of the domains that have a feasible row.

    With ``require_all`` nodes that lack any of the topology keys are left out; system defaults keep them.
    """
    columns = [slots_of(nodes, constraint.topology_key) for constraint in constraints]
    size = num_slots(nodes)
    has_all = None
    if require_all:
        has_all = columns[0] != NO_DOMAIN
        for slots in columns[1:]:
            has_all &= slots != NO_DOMAIN
        rows = rows[has_all[rows]]
    topologies = []
    for matcher, constraint, slots in zip(matchers, constraints, columns, strict=True):
        per_row = pod_columns.count(matcher)
        if constraint.topology_key == LABEL_HOSTNAME:
            weight = topology_normalizing_weight(len(rows))
            per_row = np.where(nodes.num_pods > 0, per_row, 0)  # rows may be shown without their pods
            topologies.append(_Topology(constraint, slots, per_row, by_row=True, weight=weight))
            continue
        domains = _merged_with_empty(slots, nodes)
        candidates = np.zeros(size, np.bool_)
        candidates[domains[rows]] = True
        counted = _both(has_all, inclusion.rows(constraint, nodes))
        counts = _counts(domains, per_row, counted, size)
        weight = topology_normalizing_weight(int(candidates.sum()))
        topologies.append(_Topology(constraint, slots, counts, by_row=False, weight=weight))
    return PreScoreState(tuple(topologies), None if has_all is None else ~has_all)


def _merged_with_empty(slots: Int32Array, nodes: NodeInfos) -> Int32Array:
    """A node without the label and one whose label is empty are in one domain here, as upstream."""
    empty = nodes.label_columns.values.find("") + 1
    return slots if empty == NO_DOMAIN else np.where(slots == NO_DOMAIN, np.int32(empty), slots)


def _both(one: BoolArray | None, other: BoolArray | None) -> BoolArray | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _counts(domains: Int32Array, per_row: Int64Array, counted: BoolArray | None, size: int) -> Int64Array:
    if counted is not None:
        domains, per_row = domains[counted], per_row[counted]
    return np.bincount(domains, weights=per_row, minlength=size).astype(np.int64)


def scores(state: PreScoreState, rows: RowIndex) -> Int64Array:
    """Pods in each row's domains, weighted, summed and rounded; 0 for rows that are ignored.

    Shapes: intp[n] → int64[n]

    Numerics: float64, constraint by constraint in their order, then math.Round
    """
    total = np.zeros(len(rows), np.float64)
    for constraint, slots, counts, by_row, weight in state.topologies:
        row_slots = slots[rows]
        pods = counts[rows] if by_row else counts[row_slots]
        score = pods.astype(np.float64) * weight + float(constraint.max_skew - 1)
        total += np.where(row_slots == NO_DOMAIN, 0.0, score)
    if state.ignored is not None:
        total[state.ignored[rows]] = 0.0
    return rounded(total)


def normalized(state: PreScoreState, rows: RowIndex, raw: Int64Array) -> Int64Array:
    """Turns few pods into a high score, 0…100; 0 for rows that are ignored.

    Shapes: intp[n], int64[n] → int64[n]

    Numerics: int64; nothing is negative, so that ``//`` truncates
    """
    scored = np.ones(len(rows), np.bool_) if state.ignored is None else ~state.ignored[rows]
    if not scored.any():
        return np.zeros_like(raw)
    lowest, highest = int(raw[scored].min()), max(int(raw[scored].max()), 0)
    if highest == 0:
        return np.where(scored, MAX_NODE_SCORE, 0)
    return np.where(scored, MAX_NODE_SCORE * (highest + lowest - raw) // highest, 0)


def topology_normalizing_weight(size: int) -> float:
    """What a pod weighs in a topology with ``size`` domains."""
    return math.log(float(size + 2))
