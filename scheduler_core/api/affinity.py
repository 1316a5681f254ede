"""Node affinity, pod affinity and topology spread constraints of a pod."""

from __future__ import annotations

from scheduler_core.api.meta import Int32, KubeStruct
from scheduler_core.api.selectors import LabelSelector, NodeSelector, PreferredSchedulingTerm


class NodeAffinity(KubeStruct, frozen=True, kw_only=True):
    """The nodes a pod must or would rather run on."""

    other_fields = frozenset()

    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    preferred_during_scheduling_ignored_during_execution: tuple[PreferredSchedulingTerm, ...] = ()


class PodAffinityTerm(KubeStruct, frozen=True, kw_only=True):
    """Pods, and the topology in which to be with or away from them.

    An absent `label_selector` (None) matches no pod, an empty one every pod. An absent `namespace_selector`
    adds no namespace, an empty one every namespace.
    """

    other_fields = frozenset()

    label_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] = ()
    topology_key: str = ""
    namespace_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] = ()
    mismatch_label_keys: tuple[str, ...] = ()


class WeightedPodAffinityTerm(KubeStruct, frozen=True, kw_only=True):
    """A term that adds its weight to the nodes where it holds."""

    other_fields = frozenset()

    weight: Int32 = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


class PodAffinity(KubeStruct, frozen=True, kw_only=True):
    """The pods to be with."""

    other_fields = frozenset()

    required_during_scheduling_ignored_during_execution: tuple[PodAffinityTerm, ...] = ()
    preferred_during_scheduling_ignored_during_execution: tuple[WeightedPodAffinityTerm, ...] = ()


class PodAntiAffinity(KubeStruct, frozen=True, kw_only=True):
    """The pods to be away from."""

    other_fields = frozenset()

    required_during_scheduling_ignored_during_execution: tuple[PodAffinityTerm, ...] = ()
    preferred_during_scheduling_ignored_during_execution: tuple[WeightedPodAffinityTerm, ...] = ()


class Affinity(KubeStruct, frozen=True, kw_only=True):
    """All affinities of a pod."""

    other_fields = frozenset()

    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAntiAffinity | None = None


class TopologySpreadConstraint(KubeStruct, frozen=True, kw_only=True):
    """How evenly the matching pods are to lie in a topology; the policies stay None where absent."""

    other_fields = frozenset()

    max_skew: Int32 = 0
    topology_key: str = ""
    when_unsatisfiable: str = ""
    label_selector: LabelSelector | None = None
    min_domains: Int32 | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: tuple[str, ...] = ()
