"""What is of no use to advise: a node that is lost, an eviction where the domains of an anti-affinity are all taken."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from scheduler_core.api.selectors import SelectorError
from scheduler_core.simulator.scenario.applying.nodes import KUBELET

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.selectors import LabelSelector

_ZONE: Final = "topology.kubernetes.io/zone"
_UNREACHABLE: Final = frozenset({"node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready"})


def is_live(node: Node) -> bool:
    """Whether a node runs pods: its kubelet is heard of, and it is ready or says nothing about that."""
    if node.metadata.annotations.get(KUBELET) == "stopped":
        return False
    if any(taint.key in _UNREACHABLE for taint in node.spec.taints):
        return False
    return all(each.status == "True" for each in node.status.conditions if each.type == "Ready")


def lost_zone(name: str, nodes: Sequence[Node]) -> str:
    """The zone of a node that is lost, where no node of it is live; else nothing."""
    zones = {node.metadata.name: node.metadata.labels.get(_ZONE, "") for node in nodes}
    live = {zones[node.metadata.name] for node in nodes if is_live(node)}
    return "" if zones[name] in live else zones[name]


def too_few_domains(pod: Pod, pods: Iterable[Pod], nodes: Iterable[Node]) -> str:
    """Says where pods like one must stand apart, and the nodes have no domain left for it.

    Args:
        pod: the one that has no node
        pods: all of the cluster
        nodes: those that are live

    Returns:
        a sentence, or nothing.
    """
    labels_of = {node.metadata.name: node.metadata.labels for node in nodes}
    everyone = list(pods)
    for key, selector in _own_terms(pod):
        alike = [
            one
            for one in everyone
            if one.metadata.namespace == pod.metadata.namespace and selector.matches(one.metadata.labels)
        ]
        domains = {labels[key] for labels in labels_of.values() if key in labels}
        taken = {labels_of[one.spec.node_name].get(key) for one in alike if one.spec.node_name in labels_of}
        if domains and domains <= taken:
            number = "1 value" if len(domains) == 1 else f"{len(domains)} values"
            return (
                f"{len(alike)} pods must each have another {key} by their anti-affinity, and the nodes have "
                f"{number} of it: it takes a node with another one, or fewer replicas."
            )
    return ""


def _own_terms(pod: Pod) -> Iterator[tuple[str, LabelSelector]]:
    """The topology keys by which a pod must stand apart from pods of its namespace like itself."""
    affinity = pod.spec.affinity
    anti = None if affinity is None else affinity.pod_anti_affinity
    for term in () if anti is None else anti.required_during_scheduling_ignored_during_execution:
        selector = term.label_selector
        if selector is None or term.namespaces or term.namespace_selector is not None:
            continue
        with suppress(SelectorError):
            if selector.matches(pod.metadata.labels):
                yield term.topology_key, selector
