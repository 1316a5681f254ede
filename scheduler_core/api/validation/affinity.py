"""Node affinity and pod affinity.

Source: pkg/apis/core/validation/validation.go, validateAffinity, v1.34.1
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.api.affinity import Affinity, NodeAffinity, PodAffinity, PodAffinityTerm, PodAntiAffinity
from scheduler_core.api.field_path import FieldPath, format_path
from scheduler_core.api.name_syntax import (
    label_problems,
    label_value_problems,
    qualified_name_problems,
    subdomain_problems,
)
from scheduler_core.api.selectors import (
    DOES_NOT_EXIST,
    EXISTS,
    GT,
    IN,
    LT,
    METADATA_NAME,
    NOT_IN,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)
from scheduler_core.api.validation.labels import (
    NO_VALUES,
    NOT_AN_OPERATOR,
    VALUES_NEEDED,
    validate_label_keys,
    validate_label_selector,
)
from scheduler_core.api.validation.rules import Faults, checked, forbidden, invalid, required

REQUIRED_TERMS = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED_TERMS = "preferredDuringSchedulingIgnoredDuringExecution"


def validate_affinity(affinity: Affinity | None, path: FieldPath) -> Faults:
    """Yields what is wrong with a pod's affinities."""
    if affinity is None:
        return
    if affinity.node_affinity is not None:
        yield from _validate_node_affinity(affinity.node_affinity, (*path, "nodeAffinity"))
    if affinity.pod_affinity is not None:
        yield from _validate_pod_affinity(affinity.pod_affinity, (*path, "podAffinity"))
    if affinity.pod_anti_affinity is not None:
        yield from _validate_pod_affinity(affinity.pod_anti_affinity, (*path, "podAntiAffinity"))


def _validate_node_affinity(affinity: NodeAffinity, path: FieldPath) -> Faults:
    needed = affinity.required_during_scheduling_ignored_during_execution
    if needed is not None:
        yield from validate_node_selector(needed, (*path, REQUIRED_TERMS))
    for index, term in enumerate(affinity.preferred_during_scheduling_ignored_during_execution):
        at = (*path, PREFERRED_TERMS, index)
        yield from _validate_weight(term.weight, at)
        yield from _validate_term(term.preference, (*at, "preference"), check_values=False)


def validate_node_selector(selector: NodeSelector, path: FieldPath) -> Faults:
    """Yields what is wrong with a node selector."""
    terms = (*path, "nodeSelectorTerms")
    if not selector.node_selector_terms:
        yield required(terms, "must have at least one node selector term")
    for index, term in enumerate(selector.node_selector_terms):
        yield from _validate_term(term, (*terms, index))


def _validate_term(term: NodeSelectorTerm, path: FieldPath, *, check_values: bool = True) -> Faults:
    for index, requirement in enumerate(term.match_expressions):
        at = (*path, "matchExpressions", index)
        yield from _validate_expression(requirement, at, check_values=check_values)
    for index, requirement in enumerate(term.match_fields):
        yield from _validate_field(requirement, (*path, "matchFields", index))


def _validate_expression(
    requirement: NodeSelectorRequirement, path: FieldPath, *, check_values: bool
) -> Faults:
    operator, values = requirement.operator, (*path, "values")
    if operator in (IN, NOT_IN):
        if not requirement.values:
            yield required(values, VALUES_NEEDED)
    elif operator in (EXISTS, DOES_NOT_EXIST):
        if requirement.values:
            yield forbidden(values, NO_VALUES)
    elif operator in (GT, LT):
        if len(requirement.values) != 1:
            yield required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'")
    else:
        yield invalid((*path, "operator"), operator, NOT_AN_OPERATOR)
    yield from checked((*path, "key"), requirement.key, qualified_name_problems)
    if check_values:
        for index, value in enumerate(requirement.values):
            yield from checked((*values, index), value, label_value_problems)


def _validate_field(requirement: NodeSelectorRequirement, path: FieldPath) -> Faults:
    values = (*path, "values")
    if requirement.operator not in (IN, NOT_IN):
        yield invalid((*path, "operator"), requirement.operator, NOT_AN_OPERATOR)
    elif len(requirement.values) != 1:
        message = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
        yield required(values, message)
    if requirement.key != METADATA_NAME:
        yield invalid((*path, "key"), requirement.key, "not a valid field selector key")
        return
    for index, value in enumerate(requirement.values):
        yield from checked((*values, index), value, subdomain_problems)


def _validate_pod_affinity(affinity: PodAffinity | PodAntiAffinity, path: FieldPath) -> Faults:
    needed = affinity.required_during_scheduling_ignored_during_execution
    for index, term in enumerate(needed):
        yield from _validate_pod_term(term, (*path, REQUIRED_TERMS, index))
    for index, weighted in enumerate(affinity.preferred_during_scheduling_ignored_during_execution):
        at = (*path, PREFERRED_TERMS, index)
        yield from _validate_weight(weighted.weight, at)
        yield from _validate_pod_term(weighted.pod_affinity_term, (*at, "podAffinityTerm"))


def _validate_weight(weight: int, path: FieldPath) -> Faults:
    if not 1 <= weight <= 100:
        yield invalid((*path, "weight"), weight, "must be in the range 1-100")


def _validate_pod_term(term: PodAffinityTerm, path: FieldPath) -> Faults:
    yield from validate_label_selector(term.label_selector, (*path, "labelSelector"))
    yield from validate_label_selector(term.namespace_selector, (*path, "namespaceSelector"))
    for index, namespace in enumerate(term.namespaces):
        for fault in checked((*path, "namespaces", index), namespace, label_problems):
            yield fault._replace(field=format_path((*path, "namespace")))  # upstream's word, without an index
    yield from _validate_match_label_keys(term, path)
    if not term.topology_key:
        yield required((*path, "topologyKey"), "can not be empty")
    yield from checked((*path, "topologyKey"), term.topology_key, qualified_name_problems)


def _validate_match_label_keys(term: PodAffinityTerm, path: FieldPath) -> Faults:
    match, mismatch = term.match_label_keys, term.mismatch_label_keys
    yield from validate_label_keys(match, term.label_selector, (*path, "matchLabelKeys"))
    yield from validate_label_keys(mismatch, term.label_selector, (*path, "mismatchLabelKeys"))
    for index, key in _in_both(match, mismatch):
        message = "exists in both matchLabelKeys and mismatchLabelKeys"
        yield invalid((*path, "matchLabelKeys", index), key, message)


def _in_both(match: Iterable[str], mismatch: tuple[str, ...]) -> Iterable[tuple[int, str]]:
    return [(index, key) for index, key in enumerate(match) if key in mismatch]
