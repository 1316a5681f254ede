"""Label keys of pod affinity terms become conditions on the pod's own values.

Source: pkg/registry/core/pod/strategy.go, applyMatchLabelKeysAndMismatchLabelKeys, v1.34.1
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from scheduler_core.api.affinity import (
    Affinity,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
    WeightedPodAffinityTerm,
)
from scheduler_core.api.selectors import IN, NOT_IN, LabelSelectorRequirement

A = TypeVar("A", PodAffinity, PodAntiAffinity)


def fold_label_keys(affinity: Affinity, labels: Mapping[str, str]) -> Affinity:
    """Returns the affinity with `matchLabelKeys` and `mismatchLabelKeys` folded into the selectors."""
    pod_affinity = affinity.pod_affinity and _fold(affinity.pod_affinity, labels)
    pod_anti_affinity = affinity.pod_anti_affinity and _fold(affinity.pod_anti_affinity, labels)
    if pod_affinity is affinity.pod_affinity and pod_anti_affinity is affinity.pod_anti_affinity:
        return affinity
    return msgspec.structs.replace(affinity, pod_affinity=pod_affinity, pod_anti_affinity=pod_anti_affinity)


def _fold(affinity: A, labels: Mapping[str, str]) -> A:
    required: tuple[PodAffinityTerm, ...]
    preferred: tuple[WeightedPodAffinityTerm, ...]
    required = affinity.required_during_scheduling_ignored_during_execution
    preferred = affinity.preferred_during_scheduling_ignored_during_execution
    terms = (*required, *(weighted.pod_affinity_term for weighted in preferred))
    if not any(term.match_label_keys or term.mismatch_label_keys for term in terms):
        return affinity
    return msgspec.structs.replace(
        affinity,
        required_during_scheduling_ignored_during_execution=tuple(
            _fold_term(term, labels) for term in required
        ),
        preferred_during_scheduling_ignored_during_execution=tuple(
            msgspec.structs.replace(
                weighted, pod_affinity_term=_fold_term(weighted.pod_affinity_term, labels)
            )
            for weighted in preferred
        ),
    )


def _fold_term(term: PodAffinityTerm, labels: Mapping[str, str]) -> PodAffinityTerm:
    if term.label_selector is None:
        return term
    requirements = [
        LabelSelectorRequirement(key=key, operator=operator, values=(labels[key],))
        for operator, keys in ((IN, term.match_label_keys), (NOT_IN, term.mismatch_label_keys))
        for key in keys
        if key in labels
    ]
    if not requirements:
        return term
    return msgspec.structs.replace(term, label_selector=term.label_selector.with_requirements(*requirements))
