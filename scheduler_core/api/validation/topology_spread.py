"""Topology spread constraints.

Source: pkg/apis/core/validation/validation.go, validateTopologySpreadConstraints, v1.34.1
"""

from __future__ import annotations

from scheduler_core.api.affinity import TopologySpreadConstraint
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.validation.labels import validate_label_keys, validate_label_selector
from scheduler_core.api.validation.rules import NOT_POSITIVE, Faults, duplicate, invalid, one_of, required

_DO_NOT_SCHEDULE = "DoNotSchedule"
_ACTIONS = (_DO_NOT_SCHEDULE, "ScheduleAnyway")
_POLICIES = ("Honor", "Ignore")


def validate_topology_spread(constraints: tuple[TopologySpreadConstraint, ...], path: FieldPath) -> Faults:
    """Yields what is wrong with a pod's constraints, each by itself and together."""
    for index, constraint in enumerate(constraints):
        at = (*path, index)
        yield from _validate_constraint(constraint, at)
        kind = (constraint.topology_key, constraint.when_unsatisfiable)
        if any(kind == (other.topology_key, other.when_unsatisfiable) for other in constraints[index + 1 :]):
            where = (*at, "{topologyKey, whenUnsatisfiable}")
            yield duplicate(where, f"{{{kind[0]}, {kind[1]}}}")


def _validate_constraint(constraint: TopologySpreadConstraint, path: FieldPath) -> Faults:
    if constraint.max_skew <= 0:
        yield invalid((*path, "maxSkew"), constraint.max_skew, NOT_POSITIVE)
    if not constraint.topology_key:
        yield required((*path, "topologyKey"), "can not be empty")
    action = constraint.when_unsatisfiable
    yield from one_of((*path, "whenUnsatisfiable"), action, _ACTIONS)
    minimum = constraint.min_domains
    if minimum is not None:
        if minimum <= 0:
            yield invalid((*path, "minDomains"), minimum, NOT_POSITIVE)
        if action != _DO_NOT_SCHEDULE:
            message = f"can only use minDomains if whenUnsatisfiable={_DO_NOT_SCHEDULE}, not {action}"
            yield invalid((*path, "minDomains"), minimum, message)
    for field, policy in (
        ("nodeAffinityPolicy", constraint.node_affinity_policy),
        ("nodeTaintsPolicy", constraint.node_taints_policy),
    ):
        if policy is not None:
            yield from one_of((*path, field), policy, _POLICIES)
    selector = constraint.label_selector
    yield from validate_label_keys(constraint.match_label_keys, selector, (*path, "matchLabelKeys"))
    yield from validate_label_selector(selector, (*path, "labelSelector"))
