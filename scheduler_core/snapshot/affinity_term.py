"""Terms of pod (anti-)affinity, parsed once and compared by value.

Source: pkg/scheduler/framework/types.go, AffinityTerm and newAffinityTerm, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.snapshot.label_selector import Selector, compile_label_selector

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.api.affinity import PodAffinity, PodAffinityTerm, PodAntiAffinity
    from scheduler_core.api.pod import Pod


class AffinityTerm(NamedTuple):
    """Which pods a term means (namespaces, or a selector of namespaces) and over which topology."""

    namespaces: frozenset[str]
    selector: Selector
    topology_key: str
    namespace_selector: Selector

    def matches(self, pod: Pod, namespace_labels: Mapping[str, str]) -> bool:
        """Whether the term means ``pod``; ``namespace_labels`` are those of the pod's namespace."""
        metadata = pod.metadata
        if metadata.namespace not in self.namespaces and not self.namespace_selector.matches(
            namespace_labels
        ):
            return False
        return self.selector.matches(metadata.labels)


class WeightedAffinityTerm(NamedTuple):
    """A preferred term: weight 1 to 100."""

    term: AffinityTerm
    weight: int


def required_terms(pod: Pod, affinity: PodAffinity | PodAntiAffinity | None) -> tuple[AffinityTerm, ...]:
    """The required terms of ``pod``; a term without namespaces means the pod's own."""
    if affinity is None:
        return ()
    return tuple(
        _affinity_term(pod, term) for term in affinity.required_during_scheduling_ignored_during_execution
    )


def preferred_terms(
    pod: Pod, affinity: PodAffinity | PodAntiAffinity | None
) -> tuple[WeightedAffinityTerm, ...]:
    """The preferred terms of ``pod`` with their weights."""
    if affinity is None:
        return ()
    return tuple(
        WeightedAffinityTerm(_affinity_term(pod, weighted.pod_affinity_term), weighted.weight)
        for weighted in affinity.preferred_during_scheduling_ignored_during_execution
    )


def _affinity_term(pod: Pod, term: PodAffinityTerm) -> AffinityTerm:
    names = frozenset(term.namespaces)
    if not names and term.namespace_selector is None:
        names = frozenset((pod.metadata.namespace,))
    return AffinityTerm(
        names,
        compile_label_selector(term.label_selector),
        term.topology_key,
        compile_label_selector(term.namespace_selector),
    )
