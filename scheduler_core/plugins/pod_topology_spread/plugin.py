"""PodTopologySpread: pods of a kind lie evenly over the domains of a topology.

Source: pkg/scheduler/framework/plugins/podtopologyspread/plugin.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.api.pod import Pod
from scheduler_core.config.plugin_args import PodTopologySpreadArgs
from scheduler_core.framework.cluster_event import (
    ActionType,
    ClusterEvent,
    ClusterEventWithHint,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import SKIP, error, unresolvable, unschedulable
from scheduler_core.framework.types import FilterResult
from scheduler_core.plugins.helper.spread import default_selector
from scheduler_core.plugins.names import POD_TOPOLOGY_SPREAD
from scheduler_core.plugins.pod_topology_spread import filtering, scoring
from scheduler_core.plugins.pod_topology_spread.common import (
    DO_NOT_SCHEDULE,
    SCHEDULE_ANYWAY,
    SYSTEM_DEFAULT_CONSTRAINTS,
    NodeInclusion,
    SpreadConstraint,
    SpreadMatcher,
    has_all_keys,
    problem_of,
    spread_constraints,
    taint_verdicts,
)
from scheduler_core.plugins.pod_topology_spread.numbers import refusal_numbers, score_tables, skew_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scheduler_core.api.node import Node
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.status import Status
    from scheduler_core.framework.types import PreFilterResult
    from scheduler_core.snapshot.node_info import NodeInfo
    from scheduler_core.snapshot.node_infos import Int64Array, NodeInfos, RowIndex
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = POD_TOPOLOGY_SPREAD
REASON_CONSTRAINTS_NOT_MATCH: Final = "node(s) didn't match pod topology spread constraints"
REASON_NODE_LABEL_NOT_MATCH: Final = REASON_CONSTRAINTS_NOT_MATCH + " (missing required label)"
STATUSES: Final = (unresolvable(REASON_NODE_LABEL_NOT_MATCH), unschedulable(REASON_CONSTRAINTS_NOT_MATCH))
"""By verdict: LACKS_LABEL, TOO_SKEWED."""

_PRE_FILTER_STATE_KEY: Final = "PreFilter" + NAME
_PRE_SCORE_STATE_KEY: Final = "PreScore" + NAME
_NO_PRE_FILTER: Final = 'reading "{key}" from cycleState: {error}'
_NO_PRE_SCORE: Final = 'error reading "{key}" from cycleState: {error}'


class PodTopologySpread:
    """Filters by the hard constraints, scores by the soft ones."""

    name = NAME

    def __init__(self, args: PodTopologySpreadArgs, handle: Handle) -> None:
        self._handle = handle
        self._system_defaulted = args.defaulting_type == "System"
        defaults = SYSTEM_DEFAULT_CONSTRAINTS if self._system_defaulted else args.default_constraints
        self._defaults = {
            action: spread_constraints(defaults, Pod(), action, match_label_keys=False)
            for action in (DO_NOT_SCHEDULE, SCHEDULE_ANYWAY)
        }
        self._match_label_keys = handle.feature_enabled("MatchLabelKeysInPodTopologySpread")
        self._taint_verdicts = taint_verdicts()

    def pre_filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos
    ) -> tuple[PreFilterResult | None, Status | None]:
        """Counts the pods of every domain; skips without hard constraints."""
        if problem := problem_of(pod.pod.spec.topology_spread_constraints, DO_NOT_SCHEDULE):
            return None, error(f"obtaining pod's hard topology spread constraints: {problem}")
        constraints = self._constraints(pod.pod, DO_NOT_SCHEDULE)
        if not constraints:
            return None, SKIP
        inclusion = NodeInclusion(pod.pod, self._taint_verdicts)
        columns = self._handle.snapshot.pod_columns
        state.write(
            _PRE_FILTER_STATE_KEY, filtering.pre_filter_state(pod, constraints, inclusion, nodes, columns)
        )
        return None, None

    def add_pod(self, state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo) -> Status | None:
        """Counts a pod that a dry run adds."""
        self._update(state, pod, added, node, 1)
        return None

    def remove_pod(self, state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo) -> Status | None:
        """Counts a pod that a dry run takes away."""
        self._update(state, pod, removed, node, -1)
        return None

    def filter(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> FilterResult | None:
        """Refuses nodes outside a topology, and domains that would be too far ahead of the emptiest."""
        verdicts = filtering.judge(state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER), nodes, rows)
        return FilterResult(verdicts, STATUSES) if verdicts.any() else None

    def refusal_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, row: int
    ) -> list[dict[str, Any]]:
        """The constraints that a row breaks, with the counts behind that."""
        return refusal_numbers(state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER), nodes, row)

    def pod_numbers(self, state: CycleState, pod: PodInfo, nodes: NodeInfos) -> list[dict[str, Any]]:
        """A skew table for each hard constraint."""
        return skew_tables(state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER), nodes)

    def pre_score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Status | None:
        """Counts the pods of the domains of feasible rows; skips without soft constraints."""
        own = pod.pod.spec.topology_spread_constraints
        if len(nodes) and (problem := problem_of(own, SCHEDULE_ANYWAY)):
            what = "obtaining pod's soft topology spread constraints"
            return error(f"calculating preScoreState: {what}: {problem}")
        constraints = self._constraints(pod.pod, SCHEDULE_ANYWAY) if len(nodes) else ()
        if not constraints:
            return SKIP
        namespace = pod.pod.metadata.namespace
        pre_score_state = scoring.pre_score_state(
            tuple(SpreadMatcher(namespace, constraint.selector) for constraint in constraints),
            constraints,
            NodeInclusion(pod.pod, self._taint_verdicts),
            nodes,
            rows,
            self._handle.snapshot.pod_columns,
            require_all=bool(pod.pod.spec.topology_spread_constraints) or not self._system_defaulted,
        )
        state.write(_PRE_SCORE_STATE_KEY, pre_score_state)
        return None

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        """Pods in the row's domains, weighted by topology."""
        return scoring.scores(state.read(_PRE_SCORE_STATE_KEY, _NO_PRE_SCORE), rows)

    def normalize_score(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex, scores: Int64Array
    ) -> Int64Array:
        """Fewest pods → 100."""
        return scoring.normalized(state.read(_PRE_SCORE_STATE_KEY, _NO_PRE_SCORE), rows, scores)

    def score_numbers(
        self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
    ) -> list[dict[str, Any]]:
        """A table of domains and their scores for each soft constraint."""
        return score_tables(state.read(_PRE_SCORE_STATE_KEY, _NO_PRE_SCORE), nodes, rows)

    def events_to_register(self) -> Sequence[ClusterEventWithHint]:
        """Pods that come, go or change labels; nodes that come, go or change labels or taints."""
        pod_actions = ActionType.ADD | ActionType.UPDATE_POD_LABEL | ActionType.DELETE
        if self._handle.feature_enabled("SchedulerQueueingHints"):
            pod_actions |= ActionType.UPDATE_POD_TOLERATION
        node_actions = (
            ActionType.ADD | ActionType.DELETE | ActionType.UPDATE_NODE_LABEL | ActionType.UPDATE_NODE_TAINT
        )
        return (
            ClusterEventWithHint(
                ClusterEvent(EventResource.POD, pod_actions), self.is_schedulable_after_pod_change
            ),
            ClusterEventWithHint(
                ClusterEvent(EventResource.NODE, node_actions), self.is_schedulable_after_node_change
            ),
        )

    def is_schedulable_after_pod_change(self, pod: Pod, old: Pod | None, new: Pod | None) -> QueueingHint:
        """Queues if a bound pod starts or stops being counted, or the pod itself tolerates otherwise."""
        if not all(_is_involved(other, pod) for other in (old, new) if other is not None):
            return QueueingHint.SKIP
        constraints = self._constraints(pod, DO_NOT_SCHEDULE)
        if old is not None and new is not None:
            if (
                pod.metadata.uid == new.metadata.uid
                and old.spec.tolerations != new.spec.tolerations
                and any(constraint.honors_node_taints for constraint in constraints)
            ):
                return QueueingHint.QUEUE
            if old.metadata.labels == new.metadata.labels:
                return QueueingHint.SKIP
            return _hint(
                any(
                    constraint.selector.matches(old.metadata.labels)
                    != constraint.selector.matches(new.metadata.labels)
                    for constraint in constraints
                )
            )
        other = old if new is None else new
        assert other is not None
        return _hint(any(constraint.selector.matches(other.metadata.labels) for constraint in constraints))

    def is_schedulable_after_node_change(self, pod: Pod, old: Node | None, new: Node | None) -> QueueingHint:
        """Queues if a domain may have come, gone or changed, or taints of a node in one changed."""
        constraints = self._constraints(pod, DO_NOT_SCHEDULE)
        old_matches = old is not None and has_all_keys(old.metadata.labels, constraints)
        new_matches = new is not None and has_all_keys(new.metadata.labels, constraints)
        if old is None or new is None:
            return _hint(new_matches or old_matches)
        if old_matches != new_matches:
            return QueueingHint.QUEUE
        return _hint(
            new_matches and (_domains_changed(old, new, constraints) or old.spec.taints != new.spec.taints)
        )

    def _constraints(self, pod: Pod, action: str) -> tuple[SpreadConstraint, ...]:
        """The pod's own constraints, or the profile's with a selector made of what the pod belongs to."""
        own = pod.spec.topology_spread_constraints
        if own:
            return spread_constraints(own, pod, action, match_label_keys=self._match_label_keys)
        constraints = self._defaults[action]
        if not constraints:
            return ()
        selector = default_selector(pod, self._handle.lister)
        if selector.is_empty:
            return ()
        return tuple(constraint._replace(selector=selector) for constraint in constraints)

    def _update(self, state: CycleState, pod: PodInfo, updated: PodInfo, node: NodeInfo, delta: int) -> None:
        if node.node is not None:
            nodes = self._handle.snapshot.node_infos
            state.read(_PRE_FILTER_STATE_KEY, _NO_PRE_FILTER).update_with_pod(
                pod, updated, node.node, nodes, delta
            )


def _is_involved(other: Pod, pod: Pod) -> bool:
    """Whether another pod may be counted for the pod: itself, or a bound one of its namespace."""
    if other.metadata.uid == pod.metadata.uid:
        return True
    return other.spec.node_name != "" and other.metadata.namespace == pod.metadata.namespace


def _domains_changed(old: Node, new: Node, constraints: tuple[SpreadConstraint, ...]) -> bool:
    before, after = old.metadata.labels, new.metadata.labels
    return any(
        before.get(constraint.topology_key) != after.get(constraint.topology_key)
        for constraint in constraints
    )


def _hint(helps: bool) -> QueueingHint:
    return QueueingHint.QUEUE if helps else QueueingHint.SKIP


def new(args: PodTopologySpreadArgs | None, handle: Handle) -> PodTopologySpread:
    """Makes the plugin."""
    return PodTopologySpread(args or PodTopologySpreadArgs(), handle)
