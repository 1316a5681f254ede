"""Terms of pod (anti-)affinity, parsed once and compared by value.

Source: pkg/scheduler/framework/types.go, AffinityTerm and newAffinityTerm, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.api.selector_problems import aggregated
from scheduler_core.snapshot.label_selector import Selector, compile_label_selector

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scheduler_core.api.affinity import Affinity, PodAffinity, PodAffinityTerm, PodAntiAffinity
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
    """The required terms of ``pod``; a term without namespaces means the pod's own.

    None at all if one of them cannot be used: upstream keeps the list only if all of it can be parsed.
    """
    terms = affinity.required_during_scheduling_ignored_during_execution if affinity else ()
    return () if _problem(terms) else tuple(_affinity_term(pod, term) for term in terms)


def preferred_terms(
    pod: Pod, affinity: PodAffinity | PodAntiAffinity | None
) -> tuple[WeightedAffinityTerm, ...]:
    """The preferred terms of ``pod`` with their weights; none at all if one of them cannot be used."""
    weighted = affinity.preferred_during_scheduling_ignored_during_execution if affinity else ()
    if _problem(one.pod_affinity_term for one in weighted):
        return ()
    return tuple(
        WeightedAffinityTerm(_affinity_term(pod, one.pod_affinity_term), one.weight) for one in weighted
    )


def parsing_problem(affinity: Affinity | None, *, required_only: bool = False) -> str:
    """Why terms of a pod (or its required ones) cannot be used, in upstream's words, or an empty text.

    Source: pkg/scheduler/framework/types.go, PodInfo.Update, v1.34.1
    """
    lists: list[tuple[str, Iterable[PodAffinityTerm]]] = []
    for name, kind in (
        ("Affinity", affinity.pod_affinity if affinity else None),
        ("AntiAffinity", affinity.pod_anti_affinity if affinity else None),
    ):
        if kind is not None:
            weighted = kind.preferred_during_scheduling_ignored_during_execution
            lists.append((f"required{name}Terms", kind.required_during_scheduling_ignored_during_execution))
            if not required_only:
                lists.append((f"preferred{name}Terms", (one.pod_affinity_term for one in weighted)))
    lists.sort(key=lambda one: one[0].startswith("preferred"))
    problems = [(name, _problem(terms)) for name, terms in lists]
    return aggregated(f"{name}: {problem}" for name, problem in problems if problem)


def _problem(terms: Iterable[PodAffinityTerm]) -> str:
    for term in terms:
        for selector in (term.label_selector, term.namespace_selector):
            if selector is not None and (problem := selector.problem()):
                return problem
    return ""


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
