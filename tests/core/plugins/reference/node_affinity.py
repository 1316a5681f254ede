"""Node selectors, one node at a time."""

from __future__ import annotations

from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.api.selectors import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm

POD = ("UnschedulableAndUnresolvable", ("node(s) didn't match Pod's node affinity/selector",))
ENFORCED = ("UnschedulableAndUnresolvable", ("node(s) didn't match scheduler-enforced node affinity",))


def is_usable(requirement: NodeSelectorRequirement) -> bool:
    """Whether all values could be a label's: of those drawn here, a negative number could not."""
    return not any(value.startswith("-") for value in requirement.values)


def meets(requirement: NodeSelectorRequirement, labels: dict[str, str]) -> bool:
    if not is_usable(requirement):
        return False
    value = labels.get(requirement.key)
    match requirement.operator:
        case "In":
            return value in requirement.values
        case "NotIn":
            return value not in requirement.values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
    if value is None or not value.lstrip("+-").isdigit():
        return False
    number, bound = int(value), int(requirement.values[0])
    return number > bound if requirement.operator == "Gt" else number < bound


def term_matches(term: NodeSelectorTerm, node: Node) -> bool:
    if not term.match_expressions and not term.match_fields:
        return False
    for field in term.match_fields:
        is_named = node.metadata.name == field.values[0]
        if is_named != (field.operator == "In"):
            return False
    return all(meets(expression, node.metadata.labels) for expression in term.match_expressions)


def selector_matches(selector: NodeSelector, node: Node) -> bool:
    return any(term_matches(term, node) for term in selector.node_selector_terms)


def node_affinity(
    pod: Pod, node: Node, added: NodeSelector | None = None
) -> tuple[str, tuple[str, ...]] | None:
    if added is not None and not selector_matches(added, node):
        return ENFORCED
    for key, value in pod.spec.node_selector.items():
        if node.metadata.labels.get(key) != value:
            return POD
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    if required is not None and not selector_matches(required, node):
        return POD
    return None


def preference(pod: Pod, node: Node) -> int | None:
    """The sum of the weights; None where a term cannot be used."""
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    terms = affinity.preferred_during_scheduling_ignored_during_execution if affinity else ()
    if not all(is_usable(one) for term in terms for one in term.preference.match_expressions):
        return None
    return sum(term.weight for term in terms if term_matches(term.preference, node))
