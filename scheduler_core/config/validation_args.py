"""Rules for the arguments of plugins, in upstream's words.

Source: pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.34.1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from scheduler_core.api.affinity import TopologySpreadConstraint
from scheduler_core.api.explain import Fault
from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.name_syntax import qualified_name_problems
from scheduler_core.config import plugin_args as args_of
from scheduler_core.errors import DUPLICATE, FORBIDDEN, INVALID, NOT_SUPPORTED, REQUIRED

MAX_CUSTOM_PRIORITY_SCORE = 10
_STRATEGIES = (args_of.LEAST_ALLOCATED, args_of.MOST_ALLOCATED, args_of.REQUESTED_TO_CAPACITY_RATIO)
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def validate_args(args: Any) -> Iterator[Fault]:
    """Yields what is wrong with a plugin's arguments, paths relative to them."""
    rule = _RULES.get(type(args))
    if rule is not None:
        yield from rule(args)


def validate_fit(args: args_of.NodeResourcesFitArgs) -> Iterator[Fault]:
    """Yields what NodeResourcesFit refuses when it is made; the configuration as such is not checked for it."""
    for index, name in enumerate(args.ignored_resources):
        for problem in qualified_name_problems(name):
            yield Fault(("ignoredResources", index), name, INVALID, problem)
    for index, group in enumerate(args.ignored_resource_groups):
        path: FieldPath = ("ignoredResourceGroups", index)
        if "/" in group:
            yield Fault(path, group, INVALID, "resource group name can't contain '/'")
        else:
            for problem in qualified_name_problems(group):
                yield Fault(path, group, INVALID, problem)
    strategy = args.scoring_strategy
    if strategy.type not in _STRATEGIES:
        yield Fault(("scoringStrategy", "type"), strategy.type, NOT_SUPPORTED, supported(_STRATEGIES))
    for index, spec in enumerate(strategy.resources):
        if not 0 < spec.weight <= 100:
            message = f"resource weight of {spec.name} not in valid range (0, 100]"
            yield Fault(("scoringStrategy", "resources", index, "weight"), spec.weight, INVALID, message)
    if strategy.requested_to_capacity_ratio is not None:
        # The messages leave the middle of the path out.
        path = ("scoringStrategy", "requestedToCapacityRatio", "shape")
        yield from _shape(strategy.requested_to_capacity_ratio.shape, path, "scoringStrategy.shape")
    elif strategy.type == args_of.REQUESTED_TO_CAPACITY_RATIO:
        message = "must be specified when type is RequestedToCapacityRatio"
        yield Fault(("scoringStrategy", "requestedToCapacityRatio"), "", REQUIRED, message)


def supported(values: Iterable[str]) -> str:
    """Returns the list of supported values as upstream words it."""
    return "supported values: " + ", ".join(f'"{value}"' for value in values)


def _preemption(args: args_of.DefaultPreemptionArgs) -> Iterator[Fault]:
    share, number = args.min_candidate_nodes_percentage, args.min_candidate_nodes_absolute
    if not 0 <= share <= 100:
        yield Fault(("minCandidateNodesPercentage",), share, INVALID, "not in valid range [0, 100]")
    if number < 0:
        yield Fault(("minCandidateNodesAbsolute",), number, INVALID, "not in valid range [0, inf)")
    if share == 0 and number == 0:
        message = "cannot be zero at the same time as {}"
        yield Fault(("minCandidateNodesPercentage",), 0, INVALID, message.format("minCandidateNodesAbsolute"))
        yield Fault(("minCandidateNodesAbsolute",), 0, INVALID, message.format("minCandidateNodesPercentage"))


def _inter_pod_affinity(args: args_of.InterPodAffinityArgs) -> Iterator[Fault]:
    weight = args.hard_pod_affinity_weight
    if not 0 <= weight <= 100:
        yield Fault(("hardPodAffinityWeight",), weight, INVALID, "not in valid range [0, 100]")


def _node_affinity(args: args_of.NodeAffinityArgs) -> Iterator[Fault]:
    if args.added_affinity is None:
        return
    required = args.added_affinity.required_during_scheduling_ignored_during_execution
    found = list(required.problems(("addedAffinity", _REQUIRED))) if required is not None else []
    preferred = args.added_affinity.preferred_during_scheduling_ignored_during_execution
    for index, weighted in enumerate(preferred):
        if weighted.weight != 0:
            found.extend(weighted.preference.problems(("addedAffinity", _PREFERRED, index)))
    for path, problem in found:
        yield Fault((*path, *problem.path), problem.value, problem.type, problem.message)


def _balanced_allocation(args: args_of.NodeResourcesBalancedAllocationArgs) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, spec in enumerate(args.resources):
        if spec.name in seen:
            yield Fault(("resources", index, "name"), spec.name, DUPLICATE, "")
        seen.add(spec.name)
        if spec.weight != 1:
            yield Fault(("resources", index, "weight"), spec.weight, INVALID, "must be 1")


def _topology_spread(args: args_of.PodTopologySpreadArgs) -> Iterator[Fault]:
    types = (args_of.SYSTEM_DEFAULTING, args_of.LIST_DEFAULTING)
    if args.defaulting_type not in types:
        yield Fault(("defaultingType",), args.defaulting_type, NOT_SUPPORTED, supported(types))
    elif args.defaulting_type == args_of.SYSTEM_DEFAULTING and args.default_constraints:
        yield Fault(
            ("defaultingType",), args.defaulting_type, INVALID, "when .defaultConstraints are not empty"
        )
    seen: set[tuple[str, str]] = set()
    for index, constraint in enumerate(args.default_constraints):
        yield from _constraint(constraint, ("defaultConstraints", index))
        pair = (constraint.topology_key, constraint.when_unsatisfiable)
        if pair in seen:
            yield Fault(("defaultConstraints", index), f"{{{pair[0]}, {pair[1]}}}", DUPLICATE, "")
        seen.add(pair)


def _constraint(constraint: TopologySpreadConstraint, path: FieldPath) -> Iterator[Fault]:
    if constraint.max_skew <= 0:
        yield Fault((*path, "maxSkew"), constraint.max_skew, INVALID, "not in valid range (0, inf)")
    if not constraint.topology_key:
        yield Fault((*path, "topologyKey"), "", REQUIRED, "can not be empty")
    else:
        for problem in qualified_name_problems(constraint.topology_key):
            yield Fault((*path, "topologyKey"), constraint.topology_key, INVALID, problem)
    actions = ("DoNotSchedule", "ScheduleAnyway")
    if not constraint.when_unsatisfiable:
        yield Fault((*path, "whenUnsatisfiable"), "", REQUIRED, "can not be empty")
    elif constraint.when_unsatisfiable not in actions:
        action = constraint.when_unsatisfiable
        yield Fault((*path, "whenUnsatisfiable"), action, NOT_SUPPORTED, supported(actions))
    if constraint.label_selector is not None:
        message = "constraint must not define a selector, as they deduced for each pod"
        yield Fault((*path, "labelSelector"), "", FORBIDDEN, message)


def _volume_binding(args: args_of.VolumeBindingArgs) -> Iterator[Fault]:
    if args.bind_timeout_seconds < 0:
        message = "invalid BindTimeoutSeconds, should not be a negative value"
        yield Fault(("bindTimeoutSeconds",), args.bind_timeout_seconds, INVALID, message)
    if args.shape:
        shape = [{"utilization": point.utilization, "score": point.score} for point in args.shape]
        message = "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"
        yield Fault(("shape",), shape, INVALID, message)


def _dynamic_resources(args: args_of.DynamicResourcesArgs) -> Iterator[Fault]:
    if args.filter_timeout < 0:
        yield Fault(("filterTimeout",), str(args.filter_timeout), INVALID, "must be zero or positive")


def _shape(shape: tuple[args_of.UtilizationShapePoint, ...], path: FieldPath, field: str) -> Iterator[Fault]:
    if not shape:
        yield Fault(path, "", REQUIRED, "at least one point must be specified", field)
    for index in range(1, len(shape)):
        value = shape[index].utilization
        if shape[index - 1].utilization >= value:
            message = "values must be sorted in increasing order"
            yield Fault(
                (*path, index, "utilization"), value, INVALID, message, f"{field}[{index}].utilization"
            )
            break
    for index, point in enumerate(shape):
        for name, value, top in (
            ("utilization", point.utilization, 100),
            ("score", point.score, MAX_CUSTOM_PRIORITY_SCORE),
        ):
            if not 0 <= value <= top:
                message = f"not in valid range [0, {top}]"
                yield Fault((*path, index, name), value, INVALID, message, f"{field}[{index}].{name}")


_RULES: dict[type, Callable[[Any], Iterator[Fault]]] = {
    args_of.DefaultPreemptionArgs: _preemption,
    args_of.InterPodAffinityArgs: _inter_pod_affinity,
    args_of.NodeAffinityArgs: _node_affinity,
    args_of.NodeResourcesBalancedAllocationArgs: _balanced_allocation,
    args_of.PodTopologySpreadArgs: _topology_spread,
    args_of.VolumeBindingArgs: _volume_binding,
    args_of.DynamicResourcesArgs: _dynamic_resources,
}
