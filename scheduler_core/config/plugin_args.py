"""Arguments of the in-tree plugins, with upstream's defaults.

Source: staging/src/k8s.io/kube-scheduler/config/v1/types_pluginargs.go and
pkg/scheduler/apis/config/v1/defaults.go, v1.34.1
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from scheduler_core.api.affinity import NodeAffinity, TopologySpreadConstraint
from scheduler_core.api.meta import Int32, Int64, KubeStruct
from scheduler_core.config.duration import Duration, seconds

LEAST_ALLOCATED = "LeastAllocated"
MOST_ALLOCATED = "MostAllocated"
REQUESTED_TO_CAPACITY_RATIO = "RequestedToCapacityRatio"
SYSTEM_DEFAULTING = "System"
LIST_DEFAULTING = "List"


class PluginArgs(KubeStruct, frozen=True, kw_only=True):
    """What the arguments of all plugins have in common."""

    other_fields = frozenset()

    api_version: str = ""
    kind: str = ""


class DefaultPreemptionArgs(PluginArgs, frozen=True, kw_only=True):
    """How many candidates preemption tries: at least a percentage of the nodes, at least a number."""

    min_candidate_nodes_percentage: Int32 = 10
    min_candidate_nodes_absolute: Int32 = 100


class InterPodAffinityArgs(PluginArgs, frozen=True, kw_only=True):
    """hardPodAffinityWeight: what another pod's required affinity counts for in the score, 0 to 100."""

    hard_pod_affinity_weight: Int32 = 1
    ignore_preferred_terms_of_existing_pods: bool = False


class NodeAffinityArgs(PluginArgs, frozen=True, kw_only=True):
    """Affinity added to all pods of the profile."""

    added_affinity: NodeAffinity | None = None


class ResourceSpec(KubeStruct, frozen=True, kw_only=True):
    """A resource and its weight in a score; 0 is defaulted to 1."""

    other_fields = frozenset()

    name: str = ""
    weight: Int64 = 1


DEFAULT_RESOURCES: Final = (ResourceSpec(name="cpu"), ResourceSpec(name="memory"))


class UtilizationShapePoint(KubeStruct, frozen=True, kw_only=True):
    """Utilization in percent, score from 0 to 10."""

    other_fields = frozenset()

    utilization: Int32 = 0
    score: Int32 = 0


class RequestedToCapacityRatioParam(KubeStruct, frozen=True, kw_only=True):
    """The function from utilization to score, linear between its points."""

    other_fields = frozenset()

    shape: tuple[UtilizationShapePoint, ...] = ()


class ScoringStrategy(KubeStruct, frozen=True, kw_only=True):
    """How NodeResourcesFit scores."""

    other_fields = frozenset()

    type: str = ""
    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES
    requested_to_capacity_ratio: RequestedToCapacityRatioParam | None = None


class NodeResourcesFitArgs(PluginArgs, frozen=True, kw_only=True):
    """ignoredResources: names; ignoredResourceGroups: prefixes before the slash."""

    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategy = ScoringStrategy(type=LEAST_ALLOCATED)


class NodeResourcesBalancedAllocationArgs(PluginArgs, frozen=True, kw_only=True):
    """Resources whose shares are to be even."""

    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES


class PodTopologySpreadArgs(PluginArgs, frozen=True, kw_only=True):
    """Constraints of pods that have none of their own: the system's, or a list."""

    default_constraints: tuple[TopologySpreadConstraint, ...] = ()
    defaulting_type: str = SYSTEM_DEFAULTING


class VolumeBindingArgs(PluginArgs, frozen=True, kw_only=True):
    """bindTimeoutSeconds; shape: how storage capacity is scored (feature gate StorageCapacityScoring)."""

    bind_timeout_seconds: Int64 = 600
    shape: tuple[UtilizationShapePoint, ...] = ()


class DynamicResourcesArgs(PluginArgs, frozen=True, kw_only=True):
    """How long a node's devices are tried."""

    filter_timeout: Duration = seconds(10)


PLUGIN_ARGS: Final[dict[str, type[PluginArgs]]] = {
    "DefaultPreemption": DefaultPreemptionArgs,
    "DynamicResources": DynamicResourcesArgs,
    "InterPodAffinity": InterPodAffinityArgs,
    "NodeAffinity": NodeAffinityArgs,
    "NodeResourcesBalancedAllocation": NodeResourcesBalancedAllocationArgs,
    "NodeResourcesFit": NodeResourcesFitArgs,
    "PodTopologySpread": PodTopologySpreadArgs,
    "VolumeBinding": VolumeBindingArgs,
}


def default_args(args: PluginArgs) -> PluginArgs:
    """Returns arguments with what an explicit zero or empty list is defaulted to."""
    if isinstance(args, NodeResourcesFitArgs):
        strategy = args.scoring_strategy
        strategy = replace(strategy, resources=_default_resources(strategy.resources))
        return replace(args, scoring_strategy=strategy)
    if isinstance(args, NodeResourcesBalancedAllocationArgs):
        return replace(args, resources=_default_resources(args.resources))
    if isinstance(args, PodTopologySpreadArgs):
        return replace(args, defaulting_type=args.defaulting_type or SYSTEM_DEFAULTING)
    return args


def _default_resources(resources: tuple[ResourceSpec, ...]) -> tuple[ResourceSpec, ...]:
    return tuple(replace(spec, weight=spec.weight or 1) for spec in resources) or DEFAULT_RESOURCES
