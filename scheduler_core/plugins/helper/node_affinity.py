"""Node selectors on columns: the rows whose labels and names meet a pod's node affinity.

Source: component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scheduler_core.api.selector_problems import aggregated
from scheduler_core.api.selectors import (
    EXISTS,
    GT,
    IN,
    LT,
    METADATA_NAME,
    NOT_IN,
    parse_int64,
)
from scheduler_core.snapshot.vocabulary import ABSENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.selectors import (
        NodeSelector,
        NodeSelectorRequirement,
        NodeSelectorTerm,
        PreferredSchedulingTerm,
    )
    from scheduler_core.snapshot.node_infos import BoolArray, Int32Array, Int64Array, NodeInfos, RowIndex


class RequiredNodeAffinity(NamedTuple):
    """What a pod demands of a node: its nodeSelector and its required node affinity (None: none)."""

    labels: Mapping[str, str]
    selector: NodeSelector | None

    @classmethod
    def of(cls, pod: Pod) -> RequiredNodeAffinity:
        """The demands of a pod."""
        affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
        required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
        return cls(pod.spec.node_selector, required)

    @property
    def is_empty(self) -> bool:
        """Whether every node will do."""
        return not self.labels and self.selector is None

    def matches(self, node: Node) -> bool:
        """Whether one node meets the demands."""
        labels = node.metadata.labels
        if any(labels.get(key) != value for key, value in self.labels.items()):
            return False
        return self.selector is None or self.selector.matches(node.metadata.name, labels)

    def matching_rows(self, nodes: NodeInfos, rows: RowIndex) -> BoolArray:
        """Which rows meet the demands.

        Shapes: intp[n] → bool[n]
        """
        matches = np.ones(len(rows), np.bool_)
        for key, value in self.labels.items():
            matches &= _has_value(nodes, rows, key, (value,))
        if self.selector is not None:
            matches &= rows_matching_selector(self.selector, nodes, rows)
        return matches


def rows_matching_selector(selector: NodeSelector, nodes: NodeInfos, rows: RowIndex) -> BoolArray:
    """Which rows any of the selector's terms matches.

    Shapes: intp[n] → bool[n]
    """
    matches = np.zeros(len(rows), np.bool_)
    for term in selector.node_selector_terms:
        matches |= rows_matching_term(term, nodes, rows)
    return matches


def rows_matching_term(term: NodeSelectorTerm, nodes: NodeInfos, rows: RowIndex) -> BoolArray:
    """Which rows meet every condition of a term; a term without conditions matches none.

    Shapes: intp[n] → bool[n]
    """
    if term.is_empty():
        return np.zeros(len(rows), np.bool_)
    matches = np.ones(len(rows), np.bool_)
    for requirement in term.match_fields:
        matches &= _rows_matching_field(requirement, nodes, rows)
    for requirement in term.match_expressions:
        matches &= _rows_matching_expression(requirement, nodes, rows)
    return matches


def preferred_scores(
    terms: tuple[PreferredSchedulingTerm, ...], nodes: NodeInfos, rows: RowIndex
) -> Int64Array:
    """The sum of the weights of the terms that match each row.

    Shapes: intp[n] → int64[n]

    Source: nodeaffinity.go, PreferredSchedulingTerms.Score, v1.34.1
    """
    scores = np.zeros(len(rows), np.int64)
    for term in terms:
        if term.weight != 0:
            scores[rows_matching_term(term.preference, nodes, rows)] += term.weight
    return scores


def problem_of_preferred(terms: tuple[PreferredSchedulingTerm, ...]) -> str:
    """Why preferred terms cannot be used, or an empty text. (A required term like that matches no node.)

    Source: nodeaffinity.go, NewPreferredSchedulingTerms, v1.34.1
    """
    return aggregated(
        problem.words(path)
        for index, term in enumerate(terms)
        if term.weight != 0
        for path, problem in term.preference.problems((index,))
    )


def _rows_matching_field(requirement: NodeSelectorRequirement, nodes: NodeInfos, rows: RowIndex) -> BoolArray:
    if requirement.field_problems():
        return np.zeros(len(rows), np.bool_)
    equal: BoolArray = np.full(len(rows), not requirement.values[0])
    if requirement.key == METADATA_NAME:
        equal = rows == nodes.row_of.get(requirement.values[0], ABSENT)
    return equal if requirement.operator == IN else ~equal


def _rows_matching_expression(
    requirement: NodeSelectorRequirement, nodes: NodeInfos, rows: RowIndex
) -> BoolArray:
    if requirement.problems():
        return np.zeros(len(rows), np.bool_)
    operator, key = requirement.operator, requirement.key
    if operator == IN:
        return _has_value(nodes, rows, key, requirement.values)
    if operator == NOT_IN:
        return ~_has_value(nodes, rows, key, requirement.values)
    column = nodes.label_columns.column(key).take(rows)
    if operator in (GT, LT):
        return _is_beyond(nodes, column, operator, requirement.values[0])
    exists: BoolArray = column != ABSENT
    return exists if operator == EXISTS else ~exists


def _has_value(nodes: NodeInfos, rows: RowIndex, key: str, values: tuple[str, ...]) -> BoolArray:
    columns = nodes.label_columns
    column = columns.column(key).take(rows)
    matches = np.zeros(len(rows), np.bool_)
    for value in values:
        value_id = columns.values.find(value)
        if value_id != ABSENT:
            matches |= column == value_id
    return matches


def _is_beyond(nodes: NodeInfos, column: Int32Array, operator: str, bound_text: str) -> BoolArray:
    """Gt and Lt: labels whose value is an integer on the right side of the bound."""
    bound = parse_int64(bound_text)
    assert bound is not None
    value_ids, inverse = np.unique(column, return_inverse=True)
    verdicts = np.zeros(len(value_ids), np.bool_)
    for index, value_id in enumerate(value_ids):
        number = None if value_id == ABSENT else parse_int64(nodes.label_columns.values.values[value_id])
        if number is not None:
            verdicts[index] = number > bound if operator == GT else number < bound
    return verdicts[inverse]
