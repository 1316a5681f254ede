"""Which nodes a volume, a storage class or a pool of storage can be reached from, by label columns.

Source: component-helpers/storage/volume/helpers.go, CheckNodeAffinity;
pkg/apis/core/v1/helper/helpers.go, MatchTopologySelectorTerms, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.api.selectors import IN, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from scheduler_core.plugins.helper.node_affinity import rows_matching_selector

if TYPE_CHECKING:
    from scheduler_core.api.selectors import LabelSelector, TopologySelectorTerm
    from scheduler_core.api.storage import PersistentVolume
    from scheduler_core.snapshot.node_infos import BoolArray, NodeInfos, RowIndex


def rows_reaching_volume(volume: PersistentVolume, nodes: NodeInfos, rows: RowIndex) -> BoolArray:
    """Rows whose labels meet a volume's node affinity; the node's name is not looked at.

    Shapes: bool[len(rows)]
    """
    affinity = volume.spec.node_affinity
    if affinity is None or affinity.required is None:
        return np.ones(len(rows), np.bool_)
    selector = affinity.required
    if any(term.match_fields for term in selector.node_selector_terms):
        verdicts = [selector.matches("", nodes.labels[row]) for row in rows.tolist()]
        return np.asarray(verdicts, np.bool_)
    return rows_matching_selector(selector, nodes, rows)


def rows_in_allowed_topologies(
    terms: tuple[TopologySelectorTerm, ...], nodes: NodeInfos, rows: RowIndex
) -> BoolArray:
    """Rows that one of a storage class's terms means; all rows if it has none. An empty term means no row.

    Shapes: bool[len(rows)]
    """
    if not terms:
        return np.ones(len(rows), np.bool_)
    selector = NodeSelector(
        node_selector_terms=tuple(
            NodeSelectorTerm(
                match_expressions=tuple(
                    NodeSelectorRequirement(key=label.key, operator=IN, values=label.values)
                    for label in term.match_label_expressions
                )
            )
            for term in terms
        )
    )
    return rows_matching_selector(selector, nodes, rows)


def rows_matching_labels(selector: LabelSelector, nodes: NodeInfos, rows: RowIndex) -> BoolArray:
    """Rows whose labels a label selector means; none if it cannot be used, all if it is empty.

    Shapes: bool[len(rows)]
    """
    if selector.problem():
        return np.zeros(len(rows), np.bool_)
    if selector.is_empty():
        return np.ones(len(rows), np.bool_)
    requirements = [
        NodeSelectorRequirement(key=key, operator=IN, values=(value,))
        for key, value in selector.match_labels.items()
    ]
    requirements += [
        NodeSelectorRequirement(key=label.key, operator=label.operator, values=label.values)
        for label in selector.match_expressions
    ]
    term = NodeSelectorTerm(match_expressions=tuple(requirements))
    return rows_matching_selector(NodeSelector(node_selector_terms=(term,)), nodes, rows)
