"""Arguments of the in-tree plugins, with upstream's defaults.

Source: staging/src/k8s.io/kube-scheduler/config/v1/types_pluginargs.go and
pkg/scheduler/apis/config/v1/defaults.go, v1.34.1
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from scheduler_core.api.node import NodeSelector  # noqa: TC001 (msgspec reads it)
from scheduler_core.api.pod import (  # noqa: TC001 (msgspec reads them)
    PreferredSchedulingTerm,
    TopologySpreadConstraint,
)


class _Args(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Common shape: optional type information, no unknown fields."""

    api_version: str | None = None
    kind: str | None = None


class _Part(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    pass


class DefaultPreemptionArgs(_Args):
    """How many candidates preemption tries: at least a percentage of the nodes, at least a number."""

    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100


class InterPodAffinityArgs(_Args):
    """hardPodAffinityWeight: what another pod's required affinity counts for in the score, 0 to 100."""

    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False


class RequiredNodeAffinity(_Part):
    """Required and preferred terms added to those of every pod of the profile (v1 NodeAffinity)."""

    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    preferred_during_scheduling_ignored_during_execution: tuple[PreferredSchedulingTerm, ...] = ()


class NodeAffinityArgs(_Args):
    """Affinity added to all pods of the profile."""

    added_affinity: RequiredNodeAffinity | None = None


class ResourceSpec(_Part):
    """A resource and its weight in a score; 0 is defaulted to 1."""

    name: str
    weight: int = 1


DEFAULT_RESOURCES: Final = (ResourceSpec(name="cpu"), ResourceSpec(name="memory"))


class UtilizationShapePoint(_Part):
    """utilization in percent, score from 0 to 10."""

    utilization: int = 0
    score: int = 0


class RequestedToCapacityRatioParam(_Part):
    """The function from utilization to score, linear between its points."""

    shape: tuple[UtilizationShapePoint, ...] = ()


class ScoringStrategy(_Part):
    """How NodeResourcesFit scores."""

    type: Literal["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"] = "LeastAllocated"
    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES
    requested_to_capacity_ratio: RequestedToCapacityRatioParam | None = None


class NodeResourcesFitArgs(_Args):
    """ignoredResources: names; ignoredResourceGroups: prefixes before the slash."""

    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategy = ScoringStrategy()


class NodeResourcesBalancedAllocationArgs(_Args):
    """Resources whose shares are to be even."""

    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES


class PodTopologySpreadArgs(_Args):
    """Constraints of pods that have none of their own: the system's, or a list."""

    default_constraints: tuple[TopologySpreadConstraint, ...] = ()
    defaulting_type: Literal["System", "List"] = "System"


class VolumeBindingArgs(_Args):
    """bindTimeoutSeconds; shape: how storage capacity is scored (feature gate StorageCapacityScoring)."""

    bind_timeout_seconds: int = 600
    shape: tuple[UtilizationShapePoint, ...] = ()


class DynamicResourcesArgs(_Args):
    """filterTimeout as a Go duration."""

    filter_timeout: str = "10s"


PLUGIN_ARGS: Final[dict[str, type[_Args]]] = {
    "DefaultPreemption": DefaultPreemptionArgs,
    "DynamicResources": DynamicResourcesArgs,
    "InterPodAffinity": InterPodAffinityArgs,
    "NodeAffinity": NodeAffinityArgs,
    "NodeResourcesBalancedAllocation": NodeResourcesBalancedAllocationArgs,
    "NodeResourcesFit": NodeResourcesFitArgs,
    "PodTopologySpread": PodTopologySpreadArgs,
    "VolumeBinding": VolumeBindingArgs,
}
