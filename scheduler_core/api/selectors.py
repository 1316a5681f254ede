"""Label selectors and node selectors, and what they match.

Source: apimachinery/pkg/labels/selector.go, v1.34.1;
component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go, v1.34.1
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.meta import Int32, KubeStruct
from scheduler_core.api.selector_problems import (
    DOES_NOT_EXIST,
    EXISTS,
    GT,
    IN,
    LT,
    NOT_IN,
    RequirementProblem,
    aggregated,
    field_problems,
    parse_int64,
    requirement_problems,
)

__all__ = [
    "DOES_NOT_EXIST",
    "EXISTS",
    "GT",
    "IN",
    "LT",
    "METADATA_NAME",
    "NOT_IN",
    "LabelSelector",
    "LabelSelectorRequirement",
    "NodeSelector",
    "NodeSelectorRequirement",
    "NodeSelectorTerm",
    "PreferredSchedulingTerm",
    "SelectorError",
    "TopologySelectorLabelRequirement",
    "TopologySelectorTerm",
    "parse_int64",
    "selector_matches",
]

METADATA_NAME = "metadata.name"


class SelectorError(ValueError):
    """The selector cannot be used: an unknown operator, a wrong number of values, a key or value of no label."""


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
        if self.operator not in (IN, NOT_IN, EXISTS, DOES_NOT_EXIST):
            return f'"{self.operator}" is not a valid label selector operator'
        problems = requirement_problems(self.key, self.operator, self.values)
        return aggregated(problem.words() for problem in problems) if problems else ""


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
        if problem := self.problem():
            raise SelectorError(problem)
        return all(labels.get(key) == value for key, value in self.match_labels.items()) and all(
            requirement.matches(labels) for requirement in self.match_expressions
        )

    def problem(self) -> str:
        """Returns why the selector cannot be used, in upstream's words, or an empty text; the first is told."""
        for key, value in self.match_labels.items():
            if problems := requirement_problems(key, IN, (value,)):
                return aggregated(problem.words() for problem in problems)
        for requirement in self.match_expressions:
            if problem := requirement.problem():
                return problem
        return ""

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

    def problems(self) -> tuple[RequirementProblem, ...]:
        """Returns why the requirement cannot be used on labels."""
        return requirement_problems(self.key, self.operator, self.values)

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Returns whether a node's labels meet the condition; one that cannot be used is met by none."""
        if self.problems():
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

    def field_problems(self) -> tuple[RequirementProblem, ...]:
        """Returns why the requirement cannot be used on fields."""
        return field_problems(self.operator, self.values)

    def matches_field(self, node_name: str) -> bool:
        """Returns whether the node meets the condition on a field; only metadata.name has a value.

        Where no name is given (node affinity of volumes), only a condition that cannot be used is not met.
        """
        if self.field_problems():
            return False
        if not node_name:
            return True
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

    def problems(self, path: FieldPath) -> Iterator[tuple[FieldPath, RequirementProblem]]:
        """Yields why the term cannot be used, each problem with the path of its requirement; ``path`` is the term's."""
        for index, requirement in enumerate(self.match_expressions):
            for problem in requirement.problems():
                yield (*path, "matchExpressions", index), problem
        for index, requirement in enumerate(self.match_fields):
            for problem in requirement.field_problems():
                yield (*path, "matchFields", index), problem

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

    def problems(self, path: FieldPath = ()) -> Iterator[tuple[FieldPath, RequirementProblem]]:
        """Yields why terms cannot be used, as NodeSelectorTerm does; ``path`` is the selector's."""
        for index, term in enumerate(self.node_selector_terms):
            yield from term.problems((*path, "nodeSelectorTerms", index))


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
