"""The numbers behind a refusal: which term, in which domain, by which pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.plugins.helper.records import selector_record
from scheduler_core.plugins.helper.topology import NO_DOMAIN, domain_of, slots_of
from scheduler_core.plugins.inter_pod_affinity.filtering import satisfies_affinity
from scheduler_core.plugins.inter_pod_affinity.terms import (
    NO_LABELS,
    is_everywhere,
    leaves_out,
    matches_all,
    resolved,
)
from scheduler_core.trace.words import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scheduler_core.framework.interface import ObjectLister
    from scheduler_core.plugins.inter_pod_affinity.filtering import MatchCounts, PreFilterState
    from scheduler_core.snapshot.affinity_term import AffinityTerm
    from scheduler_core.snapshot.node_infos import NodeInfos
    from scheduler_core.snapshot.pod_info import PodInfo

    Record = dict[str, Any]

MAX_PODS: Final = 20
MAX_DOMAINS: Final = 20
AFFINITY: Final = "affinity"
ANTI_AFFINITY: Final = "anti_affinity"
EXISTING_ANTI_AFFINITY: Final = "existing_anti_affinity"
PREFERRED_AFFINITY: Final = "preferred_affinity"
PREFERRED_ANTI_AFFINITY: Final = "preferred_anti_affinity"


def refusal_numbers(state: PreFilterState, nodes: NodeInfos, row: int) -> list[Record]:
    """Every term that a row breaks.

    ``pods`` are at most MAX_PODS of those in the row's domain that match (``num_pods`` of them): none where
    an affinity is broken, the culprits where an anti-affinity is. ``note``: what is odd about that, in words.
    """
    rows = np.array([row])
    records: list[Record] = []
    if state.affinity and not satisfies_affinity(state, nodes, rows)[0]:
        for term in state.affinity:
            if not state.affinity_counts.has_matches(nodes, term.topology_key, rows)[0]:
                records.append(_record(AFFINITY, term, nodes, _slot(nodes, term.topology_key, row), []))
    for term in state.anti_affinity:
        if state.anti_affinity_counts.has_matches(nodes, term.topology_key, rows)[0]:
            records.append(_unwanted(state, term, nodes, _slot(nodes, term.topology_key, row)))
    existing = state.existing_anti_affinity_counts
    for key in existing.by_key:
        if existing.has_matches(nodes, key, rows)[0]:
            records.extend(_unwilling(state, key, nodes, _slot(nodes, key, row)))
    return records


def matching_terms(state: PreFilterState, nodes: NodeInfos) -> list[Record]:
    """The pod's required terms, then the topologies over which others do not want it.

    ``domains``: how many pods match in each, at most MAX_DOMAINS of those with most (of an affinity's terms pods that
    match all of them count).
    """
    records = []
    for kind, terms, counts in (
        (AFFINITY, state.affinity, state.affinity_counts),
        (ANTI_AFFINITY, state.anti_affinity, state.anti_affinity_counts),
    ):
        for term in terms:
            record = _record(kind, term, nodes, NO_DOMAIN, [])
            del record["domain"], record["pods"], record["num_pods"]
            record |= _domains(counts, term.topology_key, nodes)
            records.append(_noted(record, _left_out(term, _counted(state, kind, term, nodes))))
    existing = state.existing_anti_affinity_counts
    records.extend(
        {"kind": EXISTING_ANTI_AFFINITY, "topology_key": key} | _domains(existing, key, nodes)
        for key in existing.by_key
    )
    return records


def preferred_terms_with_notes(pod: PodInfo, lister: ObjectLister, nodes: NodeInfos) -> list[Record]:
    """The pod's preferred terms about which something is odd, with a ``note`` that says what."""
    records = []
    for kind, terms in (
        (PREFERRED_AFFINITY, pod.preferred_affinity_terms),
        (PREFERRED_ANTI_AFFINITY, pod.preferred_anti_affinity_terms),
    ):
        for written, weight in terms:
            term = resolved(written, lister)
            if left_out := _left_out(term, _all_pods(nodes)):
                record = {"kind": kind, "topology_key": term.topology_key, "weight": weight}
                records.append(_noted(record | {"selector": selector_record(term.selector)}, left_out))
    return records


def _left_out(term: AffinityTerm, pods: Iterable[PodInfo]) -> set[str]:
    """The namespaces of pods that a term means although, as it is written, it leaves their namespaces out."""
    if term.namespace_selector.is_empty or not is_everywhere(term):
        return set()
    namespaces = {pod.pod.metadata.namespace for pod in pods if term.matches(pod.pod, NO_LABELS)}
    return {namespace for namespace in namespaces if leaves_out(term, namespace)}


def _noted(record: Record, left_out: set[str]) -> Record:
    """A record that says so where namespaces count which its term leaves out."""
    if left_out:
        where = "namespace" if len(left_out) == 1 else "namespaces"
        record["note"] = (
            f"v1.34.1 counts pods in {where} {names(sorted(left_out))} although the term's namespaceSelector excludes "
            f"the {where}: a known fault, kubernetes/kubernetes#141526"
        )
    return record


def _counted(state: PreFilterState, kind: str, term: AffinityTerm, nodes: NodeInfos) -> Iterator[PodInfo]:
    """The pods that may count for a term; for affinity all terms mean them, or the pod is the first of a series."""
    if kind == ANTI_AFFINITY:
        yield from _all_pods(nodes)
        return
    if not state.affinity_counts.total and state.matches_itself:
        yield state.pod
    yield from (pod for pod in _all_pods(nodes) if matches_all(state.affinity, pod.pod))


def _all_pods(nodes: NodeInfos) -> Iterator[PodInfo]:
    for row in nodes.order.tolist():
        yield from nodes.info(row).pods.values()


def _domains(counts: MatchCounts, topology_key: str, nodes: NodeInfos) -> Record:
    found = counts.by_key.get(topology_key, np.zeros(0, np.int64))
    slots = np.flatnonzero(found)
    most = slots[np.argsort(-found[slots], kind="stable")][:MAX_DOMAINS].tolist()
    return {
        "domains": [{"domain": domain_of(nodes, slot), "pods": int(found[slot])} for slot in most],
        "num_domains": len(slots),
    }


def _unwanted(state: PreFilterState, term: AffinityTerm, nodes: NodeInfos, slot: int) -> Record:
    """The pods of a domain that the pod does not want; told once for all rows of the domain."""
    known = state.records.get((term, slot))
    if known is None:
        culprits = [
            other for other in _pods(nodes, term.topology_key, slot) if term.matches(other.pod, NO_LABELS)
        ]
        record = _record(ANTI_AFFINITY, term, nodes, slot, [other.key for other in culprits])
        known = state.records[term, slot] = [_noted(record, _left_out(term, culprits))]
    return known[0]


def _unwilling(state: PreFilterState, key: str, nodes: NodeInfos, slot: int) -> list[Record]:
    """The pods of a domain that do not want the pod, by their terms."""
    known = state.records.get((key, slot))
    if known is None:
        culprits: dict[AffinityTerm, list[str]] = {}
        for other in _pods(nodes, key, slot):
            for term in dict.fromkeys(other.required_anti_affinity_terms):
                if term.topology_key == key and term.matches(state.pod.pod, state.namespace_labels):
                    culprits.setdefault(term, []).append(other.key)
        known = state.records[key, slot] = [
            _record(EXISTING_ANTI_AFFINITY, term, nodes, slot, pods) for term, pods in culprits.items()
        ]
    return known


def _slot(nodes: NodeInfos, topology_key: str, row: int) -> int:
    return int(slots_of(nodes, topology_key)[row])


def _pods(nodes: NodeInfos, topology_key: str, slot: int) -> Iterator[PodInfo]:
    """The pods in a domain, in order of rows."""
    for row in np.flatnonzero(slots_of(nodes, topology_key) == slot).tolist():
        yield from nodes.info(row).pods.values()


def _record(kind: str, term: AffinityTerm, nodes: NodeInfos, slot: int, pods: list[str]) -> Record:
    return {
        "kind": kind,
        "topology_key": term.topology_key,
        "domain": None if slot == NO_DOMAIN else domain_of(nodes, slot),
        "selector": selector_record(term.selector),
        "namespaces": None if is_everywhere(term) else sorted(term.namespaces),
        "pods": sorted(pods)[:MAX_PODS],
        "num_pods": len(pods),
    }
