"""Spread constraints, parsed; which nodes and which pods they count.

Source: pkg/scheduler/framework/plugins/podtopologyspread/common.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from scheduler_core.api.affinity import TopologySpreadConstraint
from scheduler_core.plugins.helper.interned import VerdictCache
from scheduler_core.plugins.helper.node_affinity import RequiredNodeAffinity
from scheduler_core.plugins.helper.spread import with_labels
from scheduler_core.plugins.helper.taints import find_untolerated_taint
from scheduler_core.snapshot.label_selector import Selector, compile_label_selector
from scheduler_core.snapshot.pod_kinds import anchors_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod
    from scheduler_core.api.taints import Taint, Toleration
    from scheduler_core.snapshot.node_infos import BoolArray, NodeInfos
    from scheduler_core.snapshot.pod_info import PodInfo
    from scheduler_core.snapshot.pod_kinds import Anchors

    TaintVerdicts: TypeAlias = VerdictCache[tuple[Toleration, ...], tuple[Taint, ...]]

DO_NOT_SCHEDULE: Final = "DoNotSchedule"
SCHEDULE_ANYWAY: Final = "ScheduleAnyway"
LABEL_HOSTNAME: Final = "kubernetes.io/hostname"
LABEL_ZONE: Final = "topology.kubernetes.io/zone"
SYSTEM_DEFAULT_CONSTRAINTS: Final = (
    TopologySpreadConstraint(topology_key=LABEL_HOSTNAME, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=3),
    TopologySpreadConstraint(topology_key=LABEL_ZONE, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=5),
)
_HONOR: Final = "Honor"


class SpreadConstraint(NamedTuple):
    """A constraint with its selector parsed and its defaults filled in."""

    max_skew: int
    topology_key: str
    selector: Selector
    min_domains: int
    honors_node_affinity: bool
    honors_node_taints: bool


class SpreadMatcher(NamedTuple):
    """Pods that a constraint counts: those of a namespace that are selected and not on their way out.

    A selector without conditions counts none, as upstream (countPodsMatchSelector), though it matches the pod itself.
    """

    namespace: str
    selector: Selector

    def matches(self, pod_info: PodInfo) -> bool:
        """Whether the pod counts."""
        metadata = pod_info.pod.metadata
        return (
            metadata.namespace == self.namespace
            and not self.selector.is_empty
            and metadata.deletion_timestamp is None
            and self.selector.matches(metadata.labels)
        )

    def anchors(self) -> Anchors:
        """Labels that every pod that counts has."""
        return anchors_of(self.selector)


def spread_constraints(
    constraints: Iterable[TopologySpreadConstraint], pod: Pod, action: str, *, match_label_keys: bool
) -> tuple[SpreadConstraint, ...]:
    """The constraints that ask for ``action``, with matchLabelKeys merged into their selectors."""
    return tuple(
        SpreadConstraint(
            max_skew=constraint.max_skew,
            topology_key=constraint.topology_key,
            selector=_selector(constraint, pod, match_label_keys=match_label_keys),
            min_domains=1 if constraint.min_domains is None else constraint.min_domains,
            honors_node_affinity=(constraint.node_affinity_policy or _HONOR) == _HONOR,
            honors_node_taints=constraint.node_taints_policy == _HONOR,
        )
        for constraint in constraints
        if constraint.when_unsatisfiable == action
    )


def problem_of(constraints: Iterable[TopologySpreadConstraint], action: str) -> str:
    """Why a constraint that asks for ``action`` cannot be used, in upstream's words, or an empty text."""
    for constraint in constraints:
        selector = constraint.label_selector if constraint.when_unsatisfiable == action else None
        if selector is not None and (problem := selector.problem()):
            return problem
    return ""


def _selector(constraint: TopologySpreadConstraint, pod: Pod, *, match_label_keys: bool) -> Selector:
    selector = compile_label_selector(constraint.label_selector)
    if not match_label_keys or not constraint.match_label_keys:
        return selector
    labels = pod.metadata.labels
    wanted = {key: labels[key] for key in constraint.match_label_keys if key in labels}
    return with_labels(selector, wanted) if wanted else selector


def has_all_keys(labels: Mapping[str, str], constraints: Iterable[SpreadConstraint]) -> bool:
    """Whether a node with these labels is in a domain of every constraint."""
    return all(constraint.topology_key in labels for constraint in constraints)


class NodeInclusion:
    """Which nodes count for a constraint, by its policies on the pod's node affinity and tolerations."""

    __slots__ = ("_affinity", "_taint_verdicts", "_tolerations")

    def __init__(self, pod: Pod, taint_verdicts: TaintVerdicts) -> None:
        self._affinity = RequiredNodeAffinity.of(pod)
        self._tolerations = pod.spec.tolerations
        self._taint_verdicts = taint_verdicts

    def rows(self, constraint: SpreadConstraint, nodes: NodeInfos) -> BoolArray | None:
        """The rows that count; None if all do.

        Shapes: bool[capacity], indexed by row
        """
        included = None
        if constraint.honors_node_affinity and not self._affinity.is_empty:
            included = self._affinity.matching_rows(nodes, np.arange(nodes.capacity))
        if constraint.honors_node_taints:
            verdicts = self._taint_verdicts.get(self._tolerations, nodes.taint_lists)
            tolerated = verdicts.take(nodes.taints_id) == 0
            included = tolerated if included is None else included & tolerated
        return included

    def includes(self, constraint: SpreadConstraint, node: Node) -> bool:
        """Whether one node counts."""
        if constraint.honors_node_affinity and not self._affinity.matches(node):
            return False
        return not (
            constraint.honors_node_taints and find_untolerated_taint(node.spec.taints, self._tolerations)
        )


def taint_verdicts() -> TaintVerdicts:
    """Judges a taint list by a pod's tolerations: 1 where a taint keeps the pod away."""
    return VerdictCache(
        lambda tolerations, taints: int(find_untolerated_taint(taints, tolerations) is not None)
    )
