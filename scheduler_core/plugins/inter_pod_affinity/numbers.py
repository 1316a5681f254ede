"""The numbers behind a refusal: which term, in which domain, by which pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.plugins.helper.topology import NO_DOMAIN, domain_of, slots_of
from scheduler_core.plugins.inter_pod_affinity.filtering import satisfies_affinity
from scheduler_core.plugins.inter_pod_affinity.terms import NO_LABELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scheduler_core.plugins.inter_pod_affinity.filtering import PreFilterState
    from scheduler_core.snapshot.affinity_term import AffinityTerm
    from scheduler_core.snapshot.node_infos import NodeInfos
    from scheduler_core.snapshot.pod_info import PodInfo

MAX_PODS: Final = 20


def refusal_numbers(state: PreFilterState, nodes: NodeInfos, row: int) -> list[dict[str, Any]]:
    """Every term that a row breaks.

    ``pods`` are at most MAX_PODS of those in the row's domain that match (``num_pods`` of them): none where
    an affinity is broken, the culprits where an anti-affinity is.
    """
    return [*_broken_affinity(state, nodes, row), *_broken_anti_affinity(state, nodes, row)]


def _broken_affinity(state: PreFilterState, nodes: NodeInfos, row: int) -> Iterator[dict[str, Any]]:
    if not state.affinity or satisfies_affinity(state, nodes, np.array([row])).all():
        return
    for term in state.affinity:
        if not state.affinity_counts.has_matches(nodes, term.topology_key, np.array([row]))[0]:
            yield _shown("affinity", term, nodes, row, [])


def _broken_anti_affinity(state: PreFilterState, nodes: NodeInfos, row: int) -> Iterator[dict[str, Any]]:
    def unwanted(term: AffinityTerm) -> Callable[[PodInfo], bool]:
        return lambda other: term.matches(other.pod, NO_LABELS)

    def unwilling(term: AffinityTerm) -> Callable[[PodInfo], bool]:
        return lambda other: term in other.required_anti_affinity_terms

    for term in state.anti_affinity:
        if state.anti_affinity_counts.has_matches(nodes, term.topology_key, np.array([row]))[0]:
            yield _shown("anti_affinity", term, nodes, row, _pods_in_domain(nodes, row, term, unwanted(term)))
    for term in _existing_terms(state, nodes, row):
        found = _pods_in_domain(nodes, row, term, unwilling(term))
        yield _shown("existing_anti_affinity", term, nodes, row, found)


def _existing_terms(state: PreFilterState, nodes: NodeInfos, row: int) -> list[AffinityTerm]:
    """Terms of pods in the row's domains that do not want the pod."""
    terms: dict[AffinityTerm, None] = {}
    for key in state.existing_anti_affinity_counts.by_key:
        if not state.existing_anti_affinity_counts.has_matches(nodes, key, np.array([row]))[0]:
            continue
        for other in _pods(nodes, row, key):
            for term in other.required_anti_affinity_terms:
                if term.topology_key == key and term.matches(state.pod.pod, state.namespace_labels):
                    terms[term] = None
    return list(terms)


def _pods(nodes: NodeInfos, row: int, topology_key: str) -> Iterator[PodInfo]:
    """The pods in the row's domain, in order of rows."""
    slots = slots_of(nodes, topology_key)
    if slots[row] == NO_DOMAIN:
        return
    for other in np.flatnonzero(slots == slots[row]).tolist():
        yield from nodes.info(other).pods.values()


def _pods_in_domain(
    nodes: NodeInfos, row: int, term: AffinityTerm, matches: Callable[[PodInfo], bool]
) -> list[str]:
    return sorted(other.key for other in _pods(nodes, row, term.topology_key) if matches(other))


def _shown(kind: str, term: AffinityTerm, nodes: NodeInfos, row: int, pods: list[str]) -> dict[str, Any]:
    slot = int(slots_of(nodes, term.topology_key)[row])
    return {
        "kind": kind,
        "topology_key": term.topology_key,
        "domain": None if slot == NO_DOMAIN else domain_of(nodes, slot),
        "selector": [
            {"key": requirement.key, "operator": requirement.operator, "values": sorted(requirement.values)}
            for requirement in term.selector.requirements or ()
        ],
        "namespaces": None if term.namespace_selector.is_empty else sorted(term.namespaces),
        "pods": pods[:MAX_PODS],
        "num_pods": len(pods),
    }
