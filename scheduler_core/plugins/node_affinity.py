"""Holds pods to the nodes that their node selector and node affinity ask for, and prefers the preferred ones.

Source: pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scheduler_core.api.selectors import IN, METADATA_NAME, NodeSelectorRequirement, NodeSelectorTerm
from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import SKIP, PluginError, Status, error, unresolvable
from scheduler_core.framework.types import MAX_NODE_SCORE, FilterResult, PreFilterResult
from scheduler_core.plugins import names
from scheduler_core.plugins.helper.node_affinity import (
    RequiredNodeAffinity,
    preferred_scores,
    problem_of_preferred,
    rows_matching_selector,
    rows_matching_term,
)
from scheduler_core.plugins.helper.normalize_score import default_normalize_score

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.selectors import NodeSelector, PreferredSchedulingTerm
    from scheduler_core.config.plugin_args import NodeAffinityArgs
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.NODE_AFFINITY
REASON_POD: Final = "node(s) didn't match Pod's node affinity/selector"
REASON_ENFORCED: Final = "node(s) didn't match scheduler-enforced node affinity"
REASON_CONFLICT: Final = "pod affinity terms conflict"

_ENFORCED: Final = unresolvable(REASON_ENFORCED)
_POD: Final = unresolvable(REASON_POD)
_CONFLICT: Final = unresolvable(REASON_CONFLICT)

_PASSES, _NOT_ENFORCED, _NOT_POD = range(3)
_PRE_FILTER_KEY: Final = "PreFilter" + NAME
_PRE_SCORE_KEY: Final = "PreScore" + NAME


class PreFilterState:
    """What the pod demands."""

    __slots__ = ("required",)

    def __init__(self, required: RequiredNodeAffinity) -> None:
        self.required = required

    def clone(self) -> PreFilterState:
        """Itself: pods that come and go do not change it."""
        return self


class PreScoreState:
    """What the pod prefers."""

    __slots__ = ("preferred",)

    def __init__(self, preferred: tuple[PreferredSchedulingTerm, ...]) -> None:
        self.preferred = preferred

    def clone(self) -> PreScoreState:
        """Itself: it is never changed."""
        return self


class NodeAffinity:
    """Judges labels and names of nodes by the pod's terms and by those that the profile adds."""

    name = NAME
    reads_pods = False

    def __init__(
        self, added_required: NodeSelector | None, added_preferred: tuple[PreferredSchedulingTerm, ...]
    ) -> None:
        self._added_required = added_required
        self._added_preferred = added_preferred

    def sign_pod(self, pod: PodInfo) -> Hashable:
        """The demands and preferences as written."""
        spec = pod.pod.spec
        return frozenset(spec.node_selector.items()), spec.affinity and spec.affinity.node_affinity

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Skips pods without demands; narrows the nodes where every term names some."""
        required = RequiredNodeAffinity.of(pod.pod)
        if required.is_empty and self._added_required is None:
            return None, SKIP
        state.write(_PRE_FILTER_KEY, PreFilterState(required))
        if required.selector is None:
            return None, None
        node_names = named_nodes(required.selector.node_selector_terms)
        if node_names is None:
            return None, None
        return (PreFilterResult(node_names), None) if node_names else (None, _CONFLICT)

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """The profile's demands come before the pod's."""
        pre_filter: PreFilterState | None = state.get(_PRE_FILTER_KEY)
        required = pre_filter.required if pre_filter else RequiredNodeAffinity.of(pod.pod)
        index = np.where(required.matching_rows(nodes, rows), _PASSES, _NOT_POD).astype(np.int32)
        if self._added_required is not None:
            index[~rows_matching_selector(self._added_required, nodes, rows)] = _NOT_ENFORCED
        return FilterResult(index, (_ENFORCED, _POD)) if index.any() else None

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The conditions that a row does not meet, with the node's own value (None: it lacks the label)."""
        rows = np.array([row], np.intp)
        labels = nodes.labels[row]
        return [
            demand | {"node_value": nodes.names[row] if alone.match_fields else labels.get(demand["key"])}
            for demand, alone in self._demands(pod)
            if not rows_matching_term(alone, nodes, rows)[0]
        ]

    def pod_numbers(self, state: CycleState, pod: PodInfo, nodes: NodeInfos) -> list[dict[str, Any]]:
        """Every condition, with how many nodes meet it by itself."""
        return [
            demand | {"num_nodes": int(rows_matching_term(alone, nodes, nodes.order).sum())}
            for demand, alone in self._demands(pod)
        ]

    def _demands(self, pod: PodInfo) -> Iterator[tuple[dict[str, Any], NodeSelectorTerm]]:
        """What the profile, the nodeSelector and the affinity ask for, condition by condition.

        Of an affinity's terms one has to hold whole; of everything else every condition.
        """
        required = RequiredNodeAffinity.of(pod.pod)
        for key, value in sorted(required.labels.items()):
            condition = NodeSelectorRequirement(key=key, operator=IN, values=(value,))
            yield _demand("nodeSelector", condition), NodeSelectorTerm(match_expressions=(condition,))
        for kind, selector in (("addedAffinity", self._added_required), ("affinity", required.selector)):
            terms = selector.node_selector_terms if selector else ()
            for number, term in enumerate(terms):
                place = {"term": number, "num_terms": len(terms)}
                for condition in term.match_fields:
                    yield _demand(kind, condition) | place, NodeSelectorTerm(match_fields=(condition,))
                for condition in term.match_expressions:
                    yield _demand(kind, condition) | place, NodeSelectorTerm(match_expressions=(condition,))

    def pre_score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Status | None:
        """Skips pods that prefer nothing."""
        preferred = _preferred(pod)
        if not preferred and not self._added_preferred:
            return SKIP
        if problem := problem_of_preferred(preferred):
            return error(problem)
        state.write(_PRE_SCORE_KEY, PreScoreState(preferred))
        return None

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        """Adds the weights of the terms that match; does without PreScore."""
        pre_score: PreScoreState | None = state.get(_PRE_SCORE_KEY)
        if pre_score is None:
            preferred = _preferred(pod)
            if problem := problem_of_preferred(preferred):
                raise PluginError(problem)
            pre_score = PreScoreState(preferred)
        return preferred_scores((*self._added_preferred, *pre_score.preferred), nodes, rows)

    def normalize_score(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, scores: Int64Array
    ) -> Int64Array:
        """The highest sum becomes 100."""
        return default_normalize_score(MAX_NODE_SCORE, reverse=False, scores=scores)

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        """Nodes that come or change their labels."""
        event = ClusterEvent(EventResource.NODE, ActionType.ADD | ActionType.UPDATE_NODE_LABEL)
        return (ClusterEventWithHint(event, self._after_node_change),)

    def _after_node_change(self, pod: Pod, old: Node | None, new: Node) -> QueueingHint:
        added = self._added_required
        if added is not None and not added.matches(new.metadata.name, new.metadata.labels):
            return QueueingHint.SKIP
        required = RequiredNodeAffinity.of(pod)
        if not required.matches(new) or (old is not None and required.matches(old)):
            return QueueingHint.SKIP
        return QueueingHint.QUEUE


def _preferred(pod: PodInfo) -> tuple[PreferredSchedulingTerm, ...]:
    affinity = pod.pod.spec.affinity and pod.pod.spec.affinity.node_affinity
    return affinity.preferred_during_scheduling_ignored_during_execution if affinity else ()


def _demand(kind: str, condition: NodeSelectorRequirement) -> dict[str, Any]:
    values = list(condition.values)
    return {"kind": kind, "key": condition.key, "operator": condition.operator, "values": values}


def named_nodes(terms: tuple[NodeSelectorTerm, ...]) -> frozenset[str] | None:
    """The nodes that the terms name in matchFields; None where a term names none or there is no term."""
    node_names: set[str] = set()
    for term in terms:
        fields = [f for f in term.match_fields if f.key == METADATA_NAME and f.operator == IN]
        if not fields:
            return None
        node_names |= set(fields[0].values).intersection(*(field.values for field in fields[1:]))
    return frozenset(node_names) if terms else None


def new(args: NodeAffinityArgs | None, handle: Handle) -> NodeAffinity:
    """Makes the plugin."""
    added = args.added_affinity if args else None
    if added is None:
        return NodeAffinity(None, ())
    return NodeAffinity(
        added.required_during_scheduling_ignored_during_execution,
        added.preferred_during_scheduling_ignored_during_execution,
    )
