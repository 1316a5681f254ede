"""The numbers behind a refusal: which constraint, which domain, how skewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.plugins.helper.topology import NO_DOMAIN, domain_of, slots_of

if TYPE_CHECKING:
    from scheduler_core.plugins.pod_topology_spread.common import SpreadConstraint
    from scheduler_core.plugins.pod_topology_spread.filtering import DomainCounts, PreFilterState
    from scheduler_core.snapshot.node_infos import NodeInfos

MAX_DOMAINS: Final = 20


def refusal_numbers(state: PreFilterState, nodes: NodeInfos, row: int) -> list[dict[str, Any]]:
    """Every constraint that a row breaks.

    ``skew`` is what it would be with the pod there; ``counts`` are the emptiest domains and the row's own.
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


def _shown(constraint: SpreadConstraint, counts: DomainCounts, slot: int, nodes: NodeInfos) -> dict[str, Any]:
    shown = dict.fromkeys([*counts.emptiest(MAX_DOMAINS), slot])
    return {
        "topology_key": constraint.topology_key,
        "domain": domain_of(nodes, slot),
        "counts": {domain_of(nodes, shown_slot): int(counts.counts[shown_slot]) for shown_slot in shown},
        "num_domains": len(counts.domains),
        "min_domains": constraint.min_domains,
        "max_skew": constraint.max_skew,
    }
