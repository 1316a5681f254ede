"""Pod affinity, one node and one pod at a time."""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.api.affinity import PodAffinityTerm, WeightedPodAffinityTerm
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from tests.core.plugins.pod_strategies import NAMESPACES, Cluster
from tests.core.plugins.reference.selectors import selects

AFFINITY = ("UnschedulableAndUnresolvable", ("node(s) didn't match pod affinity rules",))
ANTI = ("Unschedulable", ("node(s) didn't match pod anti-affinity rules",))
EXISTING = ("Unschedulable", ("node(s) didn't satisfy existing pods anti-affinity rules",))


def required(pod: Pod, *, anti: bool) -> tuple[PodAffinityTerm, ...]:
    affinity = pod.spec.affinity
    found = affinity and (affinity.pod_anti_affinity if anti else affinity.pod_affinity)
    return found.required_during_scheduling_ignored_during_execution if found else ()


def preferred(pod: Pod, *, anti: bool) -> tuple[WeightedPodAffinityTerm, ...]:
    affinity = pod.spec.affinity
    found = affinity and (affinity.pod_anti_affinity if anti else affinity.pod_affinity)
    return found.preferred_during_scheduling_ignored_during_execution if found else ()


def means(owner: Pod, term: PodAffinityTerm, other: Pod, *, incoming: bool = False) -> bool:
    """Whether a term of ``owner`` means ``other``; an incoming pod's selector is also asked without labels."""
    namespace = other.metadata.namespace
    if incoming and selects(term.namespace_selector, {}):
        return selects(term.label_selector, other.metadata.labels)
    names = set(term.namespaces)
    if not names and term.namespace_selector is None:
        names = {owner.metadata.namespace}
    if namespace not in names and not selects(term.namespace_selector, NAMESPACES[namespace]):
        return False
    return selects(term.label_selector, other.metadata.labels)


def together(node: Node, other: Node, key: str) -> bool:
    labels, others = node.metadata.labels, other.metadata.labels
    return key in labels and key in others and labels[key] == others[key]


def placed(cluster: Cluster) -> Iterator[tuple[Node, Pod]]:
    for node in cluster.nodes:
        for pod in cluster.pods_on(node):
            yield node, pod


def meets_affinity(cluster: Cluster, pod: Pod, node: Node) -> bool:
    terms = required(pod, anti=False)
    if not terms:
        return True
    if any(term.topology_key not in node.metadata.labels for term in terms):
        return False
    wanted = [
        (where, other)
        for where, other in placed(cluster)
        if all(means(pod, term, other, incoming=True) for term in terms)
        and any(term.topology_key in where.metadata.labels for term in terms)
    ]
    if not wanted and all(means(pod, term, pod, incoming=True) for term in terms):
        return True
    return all(any(together(node, where, term.topology_key) for where, _ in wanted) for term in terms)


def verdict(cluster: Cluster, pod: Pod, node: Node) -> tuple[str, tuple[str, ...]] | None:
    """What required terms, of the pod and of others, say of a node."""
    if not meets_affinity(cluster, pod, node):
        return AFFINITY
    for term in required(pod, anti=True):
        for where, other in placed(cluster):
            if means(pod, term, other, incoming=True) and together(node, where, term.topology_key):
                return ANTI
    for where, other in placed(cluster):
        for term in required(other, anti=True):
            if means(other, term, pod) and together(node, where, term.topology_key):
                return EXISTING
    return None


def raw_scores(cluster: Cluster, pod: Pod, hard_weight: int) -> dict[str, int] | None:
    """Node → raw score; None where no term says anything."""
    votes: list[tuple[Node, str, int]] = []
    for where, other in placed(cluster):
        for anti, sign in ((False, 1), (True, -1)):
            for weighted in preferred(pod, anti=anti):
                if means(pod, weighted.pod_affinity_term, other, incoming=True):
                    votes.append((where, weighted.pod_affinity_term.topology_key, sign * weighted.weight))
            for weighted in preferred(other, anti=anti):
                if means(other, weighted.pod_affinity_term, pod):
                    votes.append((where, weighted.pod_affinity_term.topology_key, sign * weighted.weight))
        for term in required(other, anti=False):
            if hard_weight and means(other, term, pod):
                votes.append((where, term.topology_key, hard_weight))
    votes = [vote for vote in votes if vote[1] in vote[0].metadata.labels]
    if not votes:
        return None
    return {
        node.metadata.name: sum(weight for where, key, weight in votes if together(node, where, key))
        for node in cluster.nodes
    }


def normalized(raw: dict[str, int]) -> dict[str, int]:
    lowest, highest = min(raw.values()), max(raw.values())
    if lowest == highest:
        return dict.fromkeys(raw, 0)
    return {
        name: int(100.0 * (float(score - lowest) / float(highest - lowest))) for name, score in raw.items()
    }
