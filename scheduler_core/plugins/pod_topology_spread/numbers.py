"""The numbers behind a refusal: which constraint, which domain, how skewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.plugins.helper.records import selector_record
from scheduler_core.plugins.helper.topology import NO_DOMAIN, domain_of, slots_of

if TYPE_CHECKING:
    from scheduler_core.plugins.pod_topology_spread.common import SpreadConstraint
    from scheduler_core.plugins.pod_topology_spread.filtering import DomainCounts, PreFilterState
    from scheduler_core.snapshot.node_infos import NodeInfos

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


def _shown(constraint: SpreadConstraint, counts: DomainCounts, slot: int, nodes: NodeInfos) -> dict[str, Any]:
    return {
        "topology_key": constraint.topology_key,
        "domain": domain_of(nodes, slot),
        "pods": int(counts.counts[slot]),
        "num_domains": len(counts.domains),
        "min_domains": constraint.min_domains,
        "max_skew": constraint.max_skew,
    }
