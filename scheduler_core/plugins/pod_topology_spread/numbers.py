"""The numbers behind a refusal and behind a score: which constraint, which domain, how skewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.plugins.helper.records import selector_record
from scheduler_core.plugins.helper.topology import NO_DOMAIN, domain_of, slots_of

if TYPE_CHECKING:
    from scheduler_core.plugins.pod_topology_spread.common import SpreadConstraint
    from scheduler_core.plugins.pod_topology_spread.filtering import DomainCounts, PreFilterState
    from scheduler_core.plugins.pod_topology_spread.scoring import PreScoreState
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex

MAX_DOMAINS: Final = 20


def refusal_numbers(state: PreFilterState, nodes: NodeInfos, row: int) -> list[dict[str, Any]]:
    """Every constraint that a row breaks.

    ``pods`` match in the row's domain; ``skew`` is what it would be with the pod there.
    """
    numbers = []
    for constraint, counts, self_match in zip(
        state.constraints, state.domains, state.self_matches, strict=True
    ):
        slots = slots_of(nodes, constraint.topology_key)
        slot = int(slots[row])
        if slot == NO_DOMAIN:
            numbers.append({"topology_key": constraint.topology_key, "missing": True})
            continue
        minimum = counts.minimum(constraint.min_domains)
        skew = int(counts.counts[slot]) + self_match - minimum
        if skew > constraint.max_skew:
            numbers.append(_shown(constraint, counts, slot, nodes) | {"skew": skew, "minimum": minimum})
    return numbers


def skew_tables(state: PreFilterState, nodes: NodeInfos) -> list[dict[str, Any]]:
    """For each constraint its domains, the emptiest first (at most MAX_DOMAINS), and the skew with the pod there."""
    tables = []
    for constraint, counts, self_match in zip(
        state.constraints, state.domains, state.self_matches, strict=True
    ):
        minimum = counts.minimum(constraint.min_domains)
        shown = counts.emptiest(MAX_DOMAINS)
        pods = [int(counts.counts[slot]) for slot in shown]
        tables.append(
            {
                "topology_key": constraint.topology_key,
                "max_skew": constraint.max_skew,
                "min_domains": constraint.min_domains,
                "num_domains": len(counts.domains),
                "minimum": minimum,
                "self_match": self_match,
                "selector": selector_record(constraint.selector),
                "domains": [
                    {"domain": domain_of(nodes, slot), "pods": number, "skew": number + self_match - minimum}
                    for slot, number in zip(shown, pods, strict=True)
                ],
            }
        )
    return tables


def score_tables(state: PreScoreState, nodes: NodeInfos, rows: RowIndex) -> list[dict[str, Any]]:
    """For each soft constraint the domains of the rows that are scored, the emptiest first (at most MAX_DOMAINS).

    A domain's ``score`` is ``pods`` · ``weight`` + maxSkew - 1; a node's raw score is the sum over the constraints,
    rounded, and the less the better. ``num_lacking``: so many of the rows lack a topology key.
    """
    scored = rows if state.ignored is None else rows[~state.ignored[rows]]
    tables = []
    for constraint, slots, counts, by_row, weight in state.topologies:
        with_key = scored[slots[scored] != NO_DOMAIN]
        slot_of_row = slots[with_key]
        if by_row:
            domains, pods, num_nodes = slot_of_row, counts[with_key], np.ones(len(with_key), np.int64)
        else:
            domains, num_nodes = np.unique(slot_of_row, return_counts=True)
            pods = counts[domains]
        shown = np.argsort(pods, kind="stable")[:MAX_DOMAINS].tolist()
        tables.append(
            {
                "topology_key": constraint.topology_key,
                "max_skew": constraint.max_skew,
                "weight": round(weight, 4),
                "selector": selector_record(constraint.selector),
                "num_domains": len(domains),
                "num_lacking": len(rows) - len(with_key),
                "domains": [
                    {
                        "domain": domain_of(nodes, int(domains[at])),
                        "pods": int(pods[at]),
                        "score": round(int(pods[at]) * weight + constraint.max_skew - 1, 2),
                        "num_nodes": int(num_nodes[at]),
                    }
                    for at in shown
                ],
            }
        )
    return tables


def _shown(constraint: SpreadConstraint, counts: DomainCounts, slot: int, nodes: NodeInfos) -> dict[str, Any]:
    return {
        "topology_key": constraint.topology_key,
        "domain": domain_of(nodes, slot),
        "pods": int(counts.counts[slot]),
        "num_domains": len(counts.domains),
        "min_domains": constraint.min_domains,
        "max_skew": constraint.max_skew,
    }
