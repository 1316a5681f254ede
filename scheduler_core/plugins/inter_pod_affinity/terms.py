"""Affinity terms as questions: which pods an incoming pod's term means, which terms pods on nodes carry.

Source: interpodaffinity/plugin.go, mergeAffinityTermNamespacesIfNotEmpty, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scheduler_core.snapshot.affinity_term import AffinityTerm, WeightedAffinityTerm
from scheduler_core.snapshot.label_selector import NOTHING, Selector
from scheduler_core.snapshot.pod_kinds import anchors_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.interface import ObjectLister
    from scheduler_core.snapshot.carried_terms import TermExtractor
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.pod_kinds import Anchors

NO_LABELS: Final[Mapping[str, str]] = {}


def resolved(term: AffinityTerm, lister: ObjectLister) -> AffinityTerm:
    """An incoming pod's term with the namespaces that its selector selects; the selector stays, as in v1.34.1.

    Upstream means to replace the selector, but does so in a copy. So the term asks it once more, about a namespace
    without labels: NotIn and DoesNotExist match there, and with them every namespace (kubernetes/kubernetes#141526).
    """
    selector = term.namespace_selector
    if selector.is_empty or selector == NOTHING:
        return term
    selected = (
        namespace.metadata.name
        for namespace in lister.list("Namespace")
        if selector.matches(namespace.metadata.labels)
    )
    return term._replace(namespaces=term.namespaces.union(selected))


def is_everywhere(term: AffinityTerm) -> bool:
    """Whether a resolved term means every namespace: its selector is empty, or matches without labels."""
    return term.namespace_selector.matches(NO_LABELS)


def leaves_out(term: AffinityTerm, namespace: str) -> bool:
    """Whether a resolved term as it is written leaves a namespace out."""
    return namespace not in term.namespaces and not term.namespace_selector.is_empty


def matches_all(terms: tuple[AffinityTerm, ...], pod: Pod) -> bool:
    """Whether every term means the pod in a namespace without labels; without terms none does."""
    return bool(terms) and all(term.matches(pod, NO_LABELS) for term in terms)


class TermMatcher(NamedTuple):
    """Pods that a resolved term means, whatever its topology."""

    namespaces: frozenset[str] | None
    selector: Selector

    @classmethod
    def of(cls, term: AffinityTerm) -> TermMatcher:
        """The question of a term; ``namespaces`` is None for all of them."""
        return cls(None if is_everywhere(term) else term.namespaces, term.selector)

    def matches(self, pod_info: PodInfo) -> bool:
        """Whether the term means the pod."""
        metadata = pod_info.pod.metadata
        if self.namespaces is not None and metadata.namespace not in self.namespaces:
            return False
        return self.selector.matches(metadata.labels)

    def anchors(self) -> Anchors:
        """Labels of every pod that the term means."""
        return anchors_of(self.selector)


class AllTermsMatcher(NamedTuple):
    """Pods that all of some resolved terms mean."""

    matchers: tuple[TermMatcher, ...]

    @classmethod
    def of(cls, terms: tuple[AffinityTerm, ...]) -> AllTermsMatcher:
        """The question of the terms."""
        return cls(tuple(map(TermMatcher.of, terms)))

    def matches(self, pod_info: PodInfo) -> bool:
        """Whether all terms mean the pod."""
        return all(matcher.matches(pod_info) for matcher in self.matchers)

    def anchors(self) -> Anchors:
        """Labels of every pod that the terms mean."""
        return tuple(anchor for matcher in self.matchers for anchor in matcher.anchors())


class RequiredAffinity:
    """Extracts terms of required affinity."""

    def terms(self, pod_info: PodInfo) -> tuple[AffinityTerm, ...]:
        """The pod's terms."""
        return pod_info.required_affinity_terms if pod_info.pod.spec.affinity is not None else ()

    def anchors(self, term: AffinityTerm) -> Anchors:
        """Labels of every pod that the term means."""
        return anchors_of(term.selector)


class RequiredAntiAffinity:
    """Extracts terms of required anti-affinity."""

    def terms(self, pod_info: PodInfo) -> tuple[AffinityTerm, ...]:
        """The pod's terms."""
        return pod_info.required_anti_affinity_terms if pod_info.pod.spec.affinity is not None else ()

    def anchors(self, term: AffinityTerm) -> Anchors:
        """Labels of every pod that the term means."""
        return anchors_of(term.selector)


class PreferredAffinity:
    """Extracts terms of preferred affinity."""

    def terms(self, pod_info: PodInfo) -> tuple[WeightedAffinityTerm, ...]:
        """The pod's terms."""
        return pod_info.preferred_affinity_terms if pod_info.pod.spec.affinity is not None else ()

    def anchors(self, term: WeightedAffinityTerm) -> Anchors:
        """Labels of every pod that the term means."""
        return anchors_of(term.term.selector)


class PreferredAntiAffinity:
    """Extracts terms of preferred anti-affinity."""

    def terms(self, pod_info: PodInfo) -> tuple[WeightedAffinityTerm, ...]:
        """The pod's terms."""
        return pod_info.preferred_anti_affinity_terms if pod_info.pod.spec.affinity is not None else ()

    def anchors(self, term: WeightedAffinityTerm) -> Anchors:
        """Labels of every pod that the term means."""
        return anchors_of(term.term.selector)


REQUIRED_AFFINITY: Final = RequiredAffinity()
REQUIRED_ANTI_AFFINITY: Final = RequiredAntiAffinity()
PREFERRED_AFFINITY: Final = PreferredAffinity()
PREFERRED_ANTI_AFFINITY: Final = PreferredAntiAffinity()
SCORED_TERMS: Final[tuple[TermExtractor[Any], ...]] = (
    REQUIRED_AFFINITY,
    PREFERRED_AFFINITY,
    PREFERRED_ANTI_AFFINITY,
)
"""What pods on nodes carry that scores an incoming pod."""
