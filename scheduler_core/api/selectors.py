"""Label selectors and node selectors, and what they match.

Source: apimachinery/pkg/labels/selector.go, v1.34.1;
component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go, v1.34.1
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scheduler_core.api.meta import Int32, KubeStruct

IN = "In"
NOT_IN = "NotIn"
EXISTS = "Exists"
DOES_NOT_EXIST = "DoesNotExist"
GT = "Gt"
LT = "Lt"

METADATA_NAME = "metadata.name"

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)


class SelectorError(ValueError):
    """The selector cannot be used: an unknown operator or a wrong number of values."""


def parse_int64(text: str) -> int | None:
    """Returns the integer a label's value stands for, or None, as Go's ParseInt(text, 10, 64) decides."""
    if _INTEGER.fullmatch(text) is None or len(text) > 4000:
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


class LabelSelectorRequirement(KubeStruct, frozen=True, kw_only=True):
    """One condition on a label."""

    other_fields = frozenset()

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Returns whether the labels meet the condition; NotIn is also met where the label is absent.

        Raises:
            SelectorError: for an unknown operator or a wrong number of values.
        """
        problem = self.problem()
        if problem:
            raise SelectorError(problem)
        if self.operator == IN:
            return labels.get(self.key) in self.values
        if self.operator == NOT_IN:
            return self.key not in labels or labels[self.key] not in self.values
        return (self.key in labels) == (self.operator == EXISTS)

    def problem(self) -> str:
        """Returns why the requirement cannot be used, in upstream's words, or an empty text."""
        if self.operator in (IN, NOT_IN):
            return "" if self.values else "for 'in', 'notin' operators, values set can't be empty"
        if self.operator in (EXISTS, DOES_NOT_EXIST):
            return "values set must be empty for exists and does not exist" if self.values else ""
        return f'"{self.operator}" is not a valid label selector operator'


class LabelSelector(KubeStruct, frozen=True, kw_only=True):
    """Conditions that must all hold. An empty selector matches everything; an absent one (None) nothing."""

    other_fields = frozenset()

    match_labels: dict[str, str] = {}
    match_expressions: tuple[LabelSelectorRequirement, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Returns whether the labels meet every condition.

        Raises:
            SelectorError: for a requirement that cannot be used.
        """
        for requirement in self.match_expressions:
            problem = requirement.problem()
            if problem:
                raise SelectorError(problem)
        return all(labels.get(key) == value for key, value in self.match_labels.items()) and all(
            requirement.matches(labels) for requirement in self.match_expressions
        )

    def is_empty(self) -> bool:
        """Returns whether the selector has no condition."""
        return not self.match_labels and not self.match_expressions

    def with_requirements(self, *requirements: LabelSelectorRequirement) -> LabelSelector:
        """Returns a selector with further conditions."""
        return LabelSelector(
            match_labels=self.match_labels, match_expressions=(*self.match_expressions, *requirements)
        )


def selector_matches(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """Returns whether the selector matches, where an absent selector matches nothing."""
    return selector is not None and selector.matches(labels)


class NodeSelectorRequirement(KubeStruct, frozen=True, kw_only=True):
    """One condition on a node's label or field."""

    other_fields = frozenset()

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] = ()

    def problem(self) -> str:
        """Returns why the requirement cannot be used on labels, or an empty text."""
        if self.operator in (GT, LT):
            if len(self.values) != 1:
                return "for 'Gt', 'Lt' operators, exactly one value is required"
            if parse_int64(self.values[0]) is None:
                return "for 'Gt', 'Lt' operators, the value must be an integer"
            return ""
        if self.operator in (IN, NOT_IN):
            return "" if self.values else "for 'in', 'notin' operators, values set can't be empty"
        if self.operator in (EXISTS, DOES_NOT_EXIST):
            return "values set must be empty for exists and does not exist" if self.values else ""
        return f'"{self.operator}" is not a valid node selector operator'

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Returns whether a node's labels meet the condition; one that cannot be used is met by none."""
        if self.problem():
            return False
        value = labels.get(self.key)
        if self.operator == IN:
            return value is not None and value in self.values
        if self.operator == NOT_IN:
            return value is None or value not in self.values
        if self.operator == EXISTS:
            return value is not None
        if self.operator == DOES_NOT_EXIST:
            return value is None
        number, bound = parse_int64(value or ""), parse_int64(self.values[0])
        if number is None or bound is None:
            return False
        return number > bound if self.operator == GT else number < bound

    def field_problem(self) -> str:
        """Returns why the requirement cannot be used on fields, or an empty text."""
        if self.operator not in (IN, NOT_IN):
            return f'"{self.operator}" is not a valid node field selector operator'
        if len(self.values) != 1:
            count = len(self.values)
            return f"unexpected number of value ({count}) for node field selector operator {self.operator}"
        return ""

    def matches_field(self, node_name: str) -> bool:
        """Returns whether the node meets the condition on a field; only metadata.name has a value."""
        if self.field_problem():
            return False
        value = node_name if self.key == METADATA_NAME else ""
        return (value == self.values[0]) == (self.operator == IN)


class NodeSelectorTerm(KubeStruct, frozen=True, kw_only=True):
    """Conditions that must all hold; a term without any matches no node."""

    other_fields = frozenset()

    match_expressions: tuple[NodeSelectorRequirement, ...] = ()
    match_fields: tuple[NodeSelectorRequirement, ...] = ()

    def is_empty(self) -> bool:
        """Returns whether the term has no condition."""
        return not self.match_expressions and not self.match_fields

    def matches(self, node_name: str, labels: Mapping[str, str]) -> bool:
        """Returns whether the node meets every condition of the term."""
        if self.is_empty():
            return False
        return all(requirement.matches(labels) for requirement in self.match_expressions) and all(
            requirement.matches_field(node_name) for requirement in self.match_fields
        )


class NodeSelector(KubeStruct, frozen=True, kw_only=True):
    """Terms of which one must match."""

    other_fields = frozenset()

    node_selector_terms: tuple[NodeSelectorTerm, ...] = ()

    def matches(self, node_name: str, labels: Mapping[str, str]) -> bool:
        """Returns whether any term matches the node."""
        return any(term.matches(node_name, labels) for term in self.node_selector_terms)


class PreferredSchedulingTerm(KubeStruct, frozen=True, kw_only=True):
    """A term that adds its weight to the nodes it matches."""

    other_fields = frozenset()

    weight: Int32 = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class TopologySelectorLabelRequirement(KubeStruct, frozen=True, kw_only=True):
    """A label and the values it may have."""

    other_fields = frozenset()

    key: str = ""
    values: tuple[str, ...] = ()


class TopologySelectorTerm(KubeStruct, frozen=True, kw_only=True):
    """Label conditions of a StorageClass that must all hold; a term without any matches every node."""

    other_fields = frozenset()

    match_label_expressions: tuple[TopologySelectorLabelRequirement, ...] = ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Returns whether the node's labels meet every condition."""
        return all(
            requirement.key in labels and labels[requirement.key] in requirement.values
            for requirement in self.match_label_expressions
        )
