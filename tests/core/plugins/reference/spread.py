"""Topology spread, one node at a time and every pod counted anew."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from scheduler_core.api.affinity import TopologySpreadConstraint
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from tests.core.plugins.pod_strategies import HOSTNAME, Cluster
from tests.core.plugins.reference.node_affinity import node_affinity
from tests.core.plugins.reference.selectors import selects
from tests.core.plugins.reference.taints import taint_toleration

MISSING = (
    "UnschedulableAndUnresolvable",
    ("node(s) didn't match pod topology spread constraints (missing required label)",),
)
SKEWED = ("Unschedulable", ("node(s) didn't match pod topology spread constraints",))
Selects = Callable[[Pod], bool]


def constraints_of(pod: Pod, action: str) -> list[TopologySpreadConstraint]:
    return [c for c in pod.spec.topology_spread_constraints if c.when_unsatisfiable == action]


def own_selector(constraint: TopologySpreadConstraint, pod: Pod) -> Selects:
    """The constraint's selector with its matchLabelKeys."""
    wanted = {
        key: pod.metadata.labels[key] for key in constraint.match_label_keys if key in pod.metadata.labels
    }

    def matches(other: Pod) -> bool:
        if any(other.metadata.labels.get(key) != value for key, value in wanted.items()):
            return False
        if constraint.label_selector is None and wanted:
            return True
        return selects(constraint.label_selector, other.metadata.labels)

    return matches


def includes(constraint: TopologySpreadConstraint, pod: Pod, node: Node) -> bool:
    if constraint.node_affinity_policy != "Ignore" and node_affinity(pod, node) is not None:
        return False
    return not (constraint.node_taints_policy == "Honor" and taint_toleration(pod, node) is not None)


def in_all(node: Node, constraints: Iterable[TopologySpreadConstraint]) -> bool:
    return all(c.topology_key in node.metadata.labels for c in constraints)


def is_empty(constraint: TopologySpreadConstraint, pod: Pod) -> bool:
    """Whether the selector, matchLabelKeys included, has no condition."""
    selector = constraint.label_selector
    if selector is None or selector.match_labels or selector.match_expressions:
        return False
    return not any(key in pod.metadata.labels for key in constraint.match_label_keys)


def matching(
    cluster: Cluster, node: Node, pod: Pod, constraint: TopologySpreadConstraint, matches: Selects
) -> int:
    """The pods of a node that count; none where the selector is empty."""
    if is_empty(constraint, pod):
        return 0
    return sum(
        other.metadata.namespace == pod.metadata.namespace
        and other.metadata.deletion_timestamp is None
        and matches(other)
        for other in cluster.pods_on(node)
    )


def verdict(cluster: Cluster, pod: Pod, node: Node) -> tuple[str, tuple[str, ...]] | None:
    """What the hard constraints say of a node."""
    constraints = constraints_of(pod, "DoNotSchedule")
    for constraint in constraints:
        key, matches = constraint.topology_key, own_selector(constraint, pod)
        if key not in node.metadata.labels:
            return MISSING
        domains: dict[str, int] = {}
        for other in cluster.nodes:
            if in_all(other, constraints) and includes(constraint, pod, other):
                domain = other.metadata.labels[key]
                domains[domain] = domains.get(domain, 0) + matching(cluster, other, pod, constraint, matches)
        least = 0 if len(domains) < (constraint.min_domains or 1) else min(domains.values())
        here = domains.get(node.metadata.labels[key], 0)
        if here + int(matches(pod)) - least > constraint.max_skew:
            return SKEWED
    return None


def raw_scores(
    cluster: Cluster,
    pod: Pod,
    constraints: list[TopologySpreadConstraint],
    selectors: list[Selects],
    *,
    require_all: bool,
) -> dict[str, int | None]:
    """Node → raw score, None for a node that is ignored."""
    scored = [node for node in cluster.nodes if not require_all or in_all(node, constraints)]
    totals: dict[str, float] = {node.metadata.name: 0.0 for node in scored}
    for constraint, matches in zip(constraints, selectors, strict=True):
        key = constraint.topology_key
        values = {node.metadata.labels.get(key, "") for node in scored}
        size = len(scored) if key == HOSTNAME else len(values)
        counts = dict.fromkeys(values, 0)
        for other in cluster.nodes:
            value = other.metadata.labels.get(key, "")
            counted = not require_all or in_all(other, constraints)
            if value in counts and counted and includes(constraint, pod, other):
                counts[value] += matching(cluster, other, pod, constraint, matches)
        for node in scored:
            if key in node.metadata.labels:
                own = matching(cluster, node, pod, constraint, matches)
                pods = own if key == HOSTNAME else counts[node.metadata.labels[key]]
                totals[node.metadata.name] += pods * math.log(size + 2) + (constraint.max_skew - 1)
    return {
        node.metadata.name: math.floor(totals[node.metadata.name] + 0.5)
        if node.metadata.name in totals
        else None
        for node in cluster.nodes
    }


def normalized(raw: dict[str, int | None]) -> dict[str, int]:
    scores = [score for score in raw.values() if score is not None]
    highest, lowest = max(scores, default=0), min(scores, default=0)

    def one(score: int | None) -> int:
        if score is None:
            return 0
        return 100 if highest == 0 else 100 * (highest + lowest - score) // highest

    return {name: one(score) for name, score in raw.items()}
