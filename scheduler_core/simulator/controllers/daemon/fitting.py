"""Which nodes a daemon pod is for, and the pod that is for one node.

Source: pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod;
pkg/controller/daemon/util/daemonset_util.go, AddOrUpdateDaemonPodTolerations,
ReplaceDaemonSetPodNodeNameNodeAffinity, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from scheduler_core.api.affinity import Affinity, NodeAffinity
from scheduler_core.api.selectors import (
    IN,
    METADATA_NAME,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)
from scheduler_core.api.taints import NO_EXECUTE, NO_SCHEDULE, Toleration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scheduler_core.api.node import Node
    from scheduler_core.api.pod import Pod, PodSpec, PodTemplateSpec
    from scheduler_core.api.taints import Taint

_TOLERATED: Final = (
    ("node.kubernetes.io/not-ready", NO_EXECUTE),
    ("node.kubernetes.io/unreachable", NO_EXECUTE),
    ("node.kubernetes.io/disk-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/memory-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/pid-pressure", NO_SCHEDULE),
    ("node.kubernetes.io/unschedulable", NO_SCHEDULE),
)
_ON_HOST_NETWORK: Final = ("node.kubernetes.io/network-unavailable", NO_SCHEDULE)


class Verdict(NamedTuple):
    """Whether a pod is to be started on a node, and whether one that is there may stay."""

    should_run: bool
    should_continue: bool


def with_tolerations(spec: PodSpec) -> PodSpec:
    """Returns a spec that also tolerates what no daemon is to be kept away by."""
    wanted = (*_TOLERATED, _ON_HOST_NETWORK) if spec.host_network else _TOLERATED
    tolerations = list(spec.tolerations)
    for key, effect in wanted:
        toleration = Toleration(key=key, operator="Exists", effect=effect)
        if toleration not in tolerations:
            tolerations.append(toleration)
    return replace(spec, tolerations=tuple(tolerations))


def verdict(spec: PodSpec, node: Node) -> Verdict:
    """Returns whether a daemon is for a node.

    Args:
        spec: of the template, with the daemons' tolerations
        node: the node
    """
    if spec.node_name and spec.node_name != node.metadata.name:
        return Verdict(False, False)
    if not matches_affinity(spec, node):
        return Verdict(False, False)
    if not node.spec.taints or _tolerates(spec.tolerations, node.spec.taints, (NO_SCHEDULE, NO_EXECUTE)):
        return Verdict(True, True)
    return Verdict(False, _tolerates(spec.tolerations, node.spec.taints, (NO_EXECUTE,)))


def matches_affinity(spec: PodSpec, node: Node) -> bool:
    """Returns whether the node meets the node selector and the required node affinity."""
    labels = node.metadata.labels
    if any(labels.get(key) != value for key, value in spec.node_selector.items()):
        return False
    affinity = spec.affinity.node_affinity if spec.affinity is not None else None
    required = affinity.required_during_scheduling_ignored_during_execution if affinity is not None else None
    return required is None or required.matches(node.metadata.name, labels)


def for_node(template: PodTemplateSpec, node_name: str) -> PodTemplateSpec:
    """Returns the template for one node: the scheduler binds the pod there, or nowhere."""
    name_is = NodeSelectorRequirement(key=METADATA_NAME, operator=IN, values=(node_name,))
    affinity = template.spec.affinity or Affinity()
    node_affinity = affinity.node_affinity or NodeAffinity()
    required = node_affinity.required_during_scheduling_ignored_during_execution
    terms = required.node_selector_terms if required is not None else ()
    if terms:
        pinned = tuple(replace(term, match_fields=(name_is,)) for term in terms)
    else:
        pinned = (NodeSelectorTerm(match_fields=(name_is,)),)
    node_affinity = replace(
        node_affinity,
        required_during_scheduling_ignored_during_execution=NodeSelector(node_selector_terms=pinned),
    )
    spec = replace(template.spec, affinity=replace(affinity, node_affinity=node_affinity))
    return replace(template, spec=spec)


def target_node(pod: Pod) -> str:
    """Returns the node that a daemon pod is bound to, or is for.

    Source: pkg/controller/daemon/util/daemonset_util.go, GetTargetNodeName, v1.34.1
    """
    if pod.spec.node_name:
        return pod.spec.node_name
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity is not None else None
    required = affinity.required_during_scheduling_ignored_during_execution if affinity is not None else None
    for term in required.node_selector_terms if required is not None else ():
        for requirement in term.match_fields:
            if requirement.key == METADATA_NAME and requirement.operator == IN and requirement.values:
                return requirement.values[0]
    return ""


def _tolerates(tolerations: Iterable[Toleration], taints: Iterable[Taint], effects: tuple[str, ...]) -> bool:
    tolerations = tuple(tolerations)
    return all(
        any(toleration.tolerates(taint) for toleration in tolerations)
        for taint in taints
        if taint.effect in effects
    )
