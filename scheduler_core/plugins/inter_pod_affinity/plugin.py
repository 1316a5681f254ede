"""InterPodAffinity: pods that want to be with other pods, or away from them.

Source: pkg/scheduler/framework/plugins/interpodaffinity/plugin.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.config.plugin_args import InterPodAffinityArgs
from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import SKIP, unresolvable, unschedulable
from scheduler_core.framework.types import FilterResult
from scheduler_core.plugins.inter_pod_affinity import scoring
from scheduler_core.plugins.inter_pod_affinity.filtering import PreFilterState, judge
from scheduler_core.plugins.inter_pod_affinity.numbers import (
    matching_terms,
    preferred_terms_with_notes,
    refusal_numbers,
)
from scheduler_core.plugins.inter_pod_affinity.terms import (
    REQUIRED_ANTI_AFFINITY,
    SCORED_TERMS,
    matches_all,
    resolved,
)
from scheduler_core.plugins.names import INTER_POD_AFFINITY
from scheduler_core.snapshot.affinity_term import parsing_problem, required_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import PreFilterResult
    from scheduler_core.snapshot.affinity_term import AffinityTerm
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = INTER_POD_AFFINITY
REASON_AFFINITY_RULES_NOT_MATCH: Final = "node(s) didn't match pod affinity rules"
REASON_ANTI_AFFINITY_RULES_NOT_MATCH: Final = "node(s) didn't match pod anti-affinity rules"
REASON_EXISTING_ANTI_AFFINITY_NOT_MATCH: Final = "node(s) didn't satisfy existing pods anti-affinity rules"
STATUSES: Final = (
    unresolvable(REASON_AFFINITY_RULES_NOT_MATCH),
    unschedulable(REASON_ANTI_AFFINITY_RULES_NOT_MATCH),
    unschedulable(REASON_EXISTING_ANTI_AFFINITY_NOT_MATCH),
)
"""By verdict: BREAKS_AFFINITY, BREAKS_ANTI_AFFINITY, BREAKS_EXISTING_ANTI_AFFINITY."""

_PRE_FILTER_STATE_KEY: Final = "PreFilter" + NAME
_PRE_SCORE_STATE_KEY: Final = "PreScore" + NAME
_NO_PRE_FILTER: Final = 'error reading "{key}" from cycleState: {error}'
_NO_PRE_SCORE: Final = 'failed to read "{key}" from cycleState: {error}'


class InterPodAffinity:
    """Filters by required terms, of the pod and of those on the nodes; scores by preferred ones."""

    name = NAME

    def __init__(self, args: InterPodAffinityArgs, handle: Handle) -> None:
        self._args = args
        self._handle = handle

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Counts matches by domain; skips where no term could refuse a node."""
        lister = self._handle.lister
        columns = self._handle.snapshot.pod_columns
        if pod.pod.spec.affinity is None and not columns.have_affinity:
            return None, SKIP
        if problem := parsing_problem(pod.pod.spec.affinity):
            return None, unresolvable(f"parsing pod: {problem}")
        has_own_terms = bool(pod.required_affinity_terms or pod.required_anti_affinity_terms)
        if not has_own_terms and not columns.carried(REQUIRED_ANTI_AFFINITY).is_about(pod.pod):
            return None, SKIP
        pre_filter_state = PreFilterState(
            pod,
            tuple(resolved(term, lister) for term in pod.required_affinity_terms),
            tuple(resolved(term, lister) for term in pod.required_anti_affinity_terms),
            lister.namespace_labels(pod.pod.metadata.namespace),
        )
        pre_filter_state.count(nodes, columns)
        if pre_filter_state.is_empty:
            return None, SKIP
        state.write(_PRE_FILTER_STATE_KEY, pre_filter_state)
        return None, None

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo) -> Status | None:
        """Counts a pod that a dry run adds."""
        self._update(state, added, node, 1)
        return None

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo) -> Status | None:
        """Counts a pod that a dry run takes away."""
        self._update(state, removed, node, -1)
        return None

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Refuses nodes away from wanted pods, with unwanted ones, or with pods that do not want this one."""
        verdicts = judge(state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER), nodes, rows)
        return FilterResult(verdicts, STATUSES) if verdicts.any() else None

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The terms that a row breaks, and the pods behind that."""
        return refusal_numbers(state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER), nodes, row)

    def pod_numbers(self, state: CycleState, pod: PodInfo, nodes: NodeInfos) -> list[dict[str, Any]]:
        """The required terms that speak of the pod, with the domains where they match."""
        return matching_terms(state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER), nodes)

    def pre_score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Status | None:
        """Scores the domains; skips where no term says anything of any."""
        lister, columns = self._handle.lister, self._handle.snapshot.pod_columns
        if pod.pod.spec.affinity is None and not columns.have_affinity:
            return SKIP
        has_own_terms = bool(pod.preferred_affinity_terms or pod.preferred_anti_affinity_terms)
        if self._args.ignore_preferred_terms_of_existing_pods and not has_own_terms:
            return SKIP
        if not has_own_terms and not any(columns.carried(terms).is_about(pod.pod) for terms in SCORED_TERMS):
            return SKIP
        pre_score_state = scoring.PreScoreState(nodes)
        pre_score_state.add_own_terms(pod.preferred_affinity_terms, 1, columns, lister)
        pre_score_state.add_own_terms(pod.preferred_anti_affinity_terms, -1, columns, lister)
        namespace_labels = lister.namespace_labels(pod.pod.metadata.namespace)
        hard_weight = self._args.hard_pod_affinity_weight
        pre_score_state.add_terms_of_others(pod, namespace_labels, columns, hard_weight)
        if not pre_score_state.by_key:
            return SKIP
        state.write(_PRE_SCORE_STATE_KEY, pre_score_state)
        return None

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        """The sum of the weights of what the row's domains hold."""
        return scoring.scores(state.read(_PRE_SCORE_STATE_KEY, _NO_PRE_SCORE), nodes, rows)

    def normalize_score(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, scores: Int64Array
    ) -> Int64Array:
        """Lowest → 0, highest → 100."""
        return scoring.normalized(scores)

    def score_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> list[dict[str, Any]]:
        """The pod's preferred terms that count what they do not mean."""
        return preferred_terms_with_notes(pod, self._handle.lister, nodes)

    def events_to_register(self) -> Sequence[ClusterEventWithHint]:
        """Pods that come, go or change labels; nodes that come or change labels."""
        pod_actions = ActionType.ADD | ActionType.UPDATE_POD_LABEL | ActionType.DELETE
        node_actions = ActionType.ADD | ActionType.UPDATE_NODE_LABEL
        if not self._handle.feature_enabled("SchedulerQueueingHints"):
            node_actions |= ActionType.UPDATE_NODE_TAINT
        return (
            ClusterEventWithHint(
                ClusterEvent(EventResource.POD, pod_actions), self.is_schedulable_after_pod_change
            ),
            ClusterEventWithHint(
                ClusterEvent(EventResource.NODE, node_actions), self.is_schedulable_after_node_change
            ),
        )

    def is_schedulable_after_pod_change(self, pod: Pod, old: Pod | None, new: Pod | None) -> QueueingHint:
        """Queues if a bound pod starts to match the affinity, or ceases to match the anti-affinity.

        As in v1.34.1 a pod that goes is not asked for its own anti-affinity.
        """
        if any(other is not None and not other.spec.node_name for other in (old, new)):
            return QueueingHint.SKIP
        if parsing_problem(pod.spec.affinity, required_only=True):
            return QueueingHint.QUEUE
        terms, anti_terms = _required_terms(pod)
        if new is None:
            assert old is not None
            return _hint(matches_all(anti_terms, old))
        if old is None:
            return _hint(matches_all(terms, new))
        return _hint(
            (not matches_all(terms, old) and matches_all(terms, new))
            or (matches_all(anti_terms, old) and not matches_all(anti_terms, new))
        )

    def is_schedulable_after_node_change(self, pod: Pod, old: Node | None, new: Node | None) -> QueueingHint:
        """Queues if a node comes into a domain of the affinity, or leaves one of the anti-affinity."""
        assert new is not None
        if parsing_problem(pod.spec.affinity, required_only=True):
            return QueueingHint.QUEUE
        terms, anti_terms = _required_terms(pod)
        after = new.metadata.labels
        if old is None:
            return _hint(bool(anti_terms) or any(term.topology_key in after for term in terms))
        before = old.metadata.labels
        return _hint(
            any(key in after and before.get(key) != after[key] for key in _keys(terms))
            or any(key in before and before[key] != after.get(key) for key in _keys(anti_terms))
        )

    def _update(self, state: CycleState, updated: PodInfo, node: NodeInfo, delta: int) -> None:
        if node.node is not None:
            nodes = self._handle.snapshot.node_infos
            state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER).update_with_pod(
                updated, node.node, nodes, delta
            )


def _required_terms(pod: Pod) -> tuple[tuple[AffinityTerm, ...], tuple[AffinityTerm, ...]]:
    """The pod's required terms of affinity and of anti-affinity, as written."""
    affinity = pod.spec.affinity
    if affinity is None:
        return (), ()
    return required_terms(pod, affinity.pod_affinity), required_terms(pod, affinity.pod_anti_affinity)


def _keys(terms: tuple[AffinityTerm, ...]) -> set[str]:
    return {term.topology_key for term in terms}


def _hint(helps: bool) -> QueueingHint:
    return QueueingHint.QUEUE if helps else QueueingHint.SKIP


def new(args: InterPodAffinityArgs | None, handle: Handle) -> InterPodAffinity:
    """Makes the plugin."""
    return InterPodAffinity(args or InterPodAffinityArgs(), handle)
