from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.config.plugin_args import (
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    RequestedToCapacityRatioParam,
    ResourceSpec,
    ScoringStrategy,
    UtilizationShapePoint,
)
from scheduler_core.plugins.node_resources.balanced_allocation import BalancedAllocation
from scheduler_core.plugins.node_resources.fit import Fit
from tests.core.plugins import strategies
from tests.core.plugins.judging import score
from tests.core.plugins.reference import resources as reference
from tests.make import make_node, make_pod, make_snapshot

NAMES = ("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "example.com/fpga")
WEIGHTS = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 9), min_size=1)
SHAPE = st.lists(
    st.tuples(st.integers(0, 100), st.integers(0, 10)), min_size=1, max_size=4, unique_by=lambda p: p[0]
)


def specs(weights: dict[str, int]) -> tuple[ResourceSpec, ...]:
    return tuple(ResourceSpec(name=name, weight=weight) for name, weight in weights.items())


def fit(strategy: str, weights: dict[str, int], shape: list[tuple[int, int]] | None = None) -> Fit:
    points = tuple(UtilizationShapePoint(utilization=x, score=y) for x, y in shape or ())
    ratio = RequestedToCapacityRatioParam(shape=points) if points else None
    scoring: Any = ScoringStrategy(type=strategy, resources=specs(weights), requested_to_capacity_ratio=ratio)
    return Fit(NodeResourcesFitArgs(scoring_strategy=scoring))


def pairs_by_node(cluster: tuple[list, list], pod: Any, weights: Any, *, actual: bool) -> dict[str, list]:
    nodes, bound = cluster
    return {
        node.metadata.name: reference.pairs(
            pod,
            node,
            [other for other in bound if other.spec.node_name == node.metadata.name],
            list(weights),
            actual=actual,
        )
        for node in nodes
    }


@given(strategies.clusters(), strategies.pods_with_requests(), WEIGHTS)
def test_least_and_most_allocated_score_as_one_node_at_a_time(
    cluster: tuple[list, list], pod: Any, weights: dict[str, int]
) -> None:
    pairs = pairs_by_node(cluster, pod, weights, actual=False)
    numbers = list(weights.values())
    snapshot = make_snapshot(*cluster)
    assert score(fit("LeastAllocated", weights), pod, snapshot) == {
        name: reference.least_allocated(found, numbers) for name, found in pairs.items()
    }
    assert score(fit("MostAllocated", weights), pod, snapshot) == {
        name: reference.most_allocated(found, numbers) for name, found in pairs.items()
    }


@given(strategies.clusters(), strategies.pods_with_requests(), WEIGHTS, SHAPE.map(sorted))
def test_requested_to_capacity_ratio_scores_as_one_node_at_a_time(
    cluster: tuple[list, list], pod: Any, weights: dict[str, int], shape: list[tuple[int, int]]
) -> None:
    pairs = pairs_by_node(cluster, pod, weights, actual=False)
    expected = {
        name: reference.requested_to_capacity_ratio(found, list(weights.values()), shape)
        for name, found in pairs.items()
    }
    plugin = fit("RequestedToCapacityRatio", weights, shape)
    assert score(plugin, pod, make_snapshot(*cluster)) == expected


@given(strategies.clusters(), strategies.pods_with_requests(), WEIGHTS)
def test_balanced_allocation_scores_as_one_node_at_a_time(
    cluster: tuple[list, list], pod: Any, weights: dict[str, int]
) -> None:
    plugin = BalancedAllocation(NodeResourcesBalancedAllocationArgs(resources=specs(weights)))
    pairs = pairs_by_node(cluster, pod, weights, actual=True)
    expected = {name: reference.balanced_allocation(found) for name, found in pairs.items()}
    requested = reference.total([pod], reference.pod_requests)
    if not any(requested.get(name) for name in weights):
        assert score(plugin, pod, make_snapshot(*cluster)) is None
    else:
        assert score(plugin, pod, make_snapshot(*cluster)) == expected


@pytest.mark.parametrize(
    ("strategy", "scores"),
    [
        ("LeastAllocated", {"empty": (50 + 75) // 2, "half": (0 + 50) // 2}),
        ("MostAllocated", {"empty": (50 + 25) // 2, "half": (100 + 50) // 2}),
    ],
)
def test_free_and_used_shares(strategy: str, scores: dict[str, int]) -> None:
    bound = [make_pod("there", node="half", requests={"cpu": "2", "memory": "2Gi"})]
    snapshot = make_snapshot([make_node("empty"), make_node("half")], bound)
    pod = make_pod(requests={"cpu": "2", "memory": "2Gi"})
    assert score(fit(strategy, {"cpu": 1, "memory": 1}), pod, snapshot) == scores


def test_containers_that_request_nothing_count_with_the_defaults() -> None:
    bound = [make_pod("there", node="n")]
    snapshot = make_snapshot([make_node("n", cpu="1", memory="1000Mi")], bound)
    assert score(fit("MostAllocated", {"cpu": 1}), make_pod(), snapshot) == {"n": 20}
    assert score(fit("MostAllocated", {"memory": 1}), make_pod(), snapshot) == {"n": 40}


def test_more_than_everything_is_nothing_free_and_all_used() -> None:
    bound = [make_pod("there", node="n", requests={"cpu": "3"})]
    snapshot = make_snapshot([make_node("n", cpu="1")], bound)
    assert score(fit("LeastAllocated", {"cpu": 1}), make_pod(), snapshot) == {"n": 0}
    assert score(fit("MostAllocated", {"cpu": 1}), make_pod(), snapshot) == {"n": 100}
    ratio = fit("RequestedToCapacityRatio", {"cpu": 1}, [(0, 0), (100, 7)])
    assert score(ratio, make_pod(), snapshot) == {"n": 70}


def test_fit_scores_without_the_pod_level_resources_and_balanced_allocation_with_them() -> None:
    snapshot = make_snapshot([make_node("n", cpu="10", memory="10Gi")])
    pod = make_pod(resources={"requests": {"cpu": "8"}}, requests={"memory": "1Gi"})
    assert score(fit("MostAllocated", {"cpu": 1}), pod, snapshot) == {"n": 1}
    balanced = BalancedAllocation(NodeResourcesBalancedAllocationArgs())
    assert score(balanced, pod, snapshot) == {"n": int((1 - (0.8 - 0.1) / 2) * 100)}


def test_fit_scores_the_spec_of_a_pod_whose_containers_are_being_resized() -> None:
    status = {"containerStatuses": [{"name": "main", "resources": {"requests": {"cpu": "8"}}}]}
    pod = make_pod(requests={"cpu": "2"}, status=status)
    snapshot = make_snapshot([make_node("n", cpu="10")])
    assert score(fit("MostAllocated", {"cpu": 1}), pod, snapshot) == {"n": 20}


def test_an_extended_resource_counts_only_if_the_pod_wants_it() -> None:
    gpus = {"nvidia.com/gpu": "4"}
    bound = [make_pod("there", node="n", requests={"nvidia.com/gpu": "1"})]
    snapshot = make_snapshot([make_node("n", cpu="1", resources=gpus)], bound)
    plugin = fit("MostAllocated", {"cpu": 1, "nvidia.com/gpu": 3})
    assert score(plugin, make_pod(requests={"cpu": "100m"}), snapshot) == {"n": 20}
    wanting = make_pod(requests={"cpu": "100m", "nvidia.com/gpu": "1"})
    assert score(plugin, wanting, snapshot) == {"n": (20 + 3 * 50) // 4}


def test_the_ratio_s_mean_leaves_out_zeros_and_is_rounded() -> None:
    plugin = fit("RequestedToCapacityRatio", {"cpu": 1, "memory": 1}, [(0, 0), (50, 0), (100, 10)])
    snapshot = make_snapshot([make_node("n", cpu="4", memory="4Gi")])
    pod = make_pod(requests={"cpu": "2", "memory": "3Gi"})
    assert score(plugin, pod, snapshot) == {"n": 50}
    uneven = fit("RequestedToCapacityRatio", {"cpu": 1, "memory": 1}, [(0, 10), (100, 0)])
    assert score(uneven, pod, snapshot) == {"n": 38}


def test_balanced_allocation_skips_pods_that_request_none_of_its_resources() -> None:
    snapshot = make_snapshot([make_node("n")])
    balanced = BalancedAllocation(NodeResourcesBalancedAllocationArgs())
    assert score(balanced, make_pod(), snapshot) is None
    assert score(balanced, make_pod(requests={"nvidia.com/gpu": "1"}), snapshot) is None
    assert score(balanced, make_pod(requests={"memory": "1Gi"}), snapshot) == {"n": 93}


def test_three_shares_are_spread_by_their_standard_deviation() -> None:
    resources = specs({"cpu": 1, "memory": 1, "nvidia.com/gpu": 1})
    plugin = BalancedAllocation(NodeResourcesBalancedAllocationArgs(resources=resources))
    node = make_node("n", cpu="10", memory="10Gi", resources={"nvidia.com/gpu": "10"})
    pod = make_pod(requests={"cpu": "1", "memory": "4Gi", "nvidia.com/gpu": "7"})
    assert score(plugin, pod, make_snapshot([node])) == {"n": 75}


HUGE = 200_000 * 2**40
"""Bytes of memory of which the hundredfold is over 2^63: 195 PiB."""


@pytest.mark.parametrize(
    ("strategy", "shape", "requested", "expected"),
    [
        ("LeastAllocated", None, HUGE // 4, -8),
        ("MostAllocated", None, HUGE // 2, -33),
        ("MostAllocated", None, HUGE // 4, 25),
        ("RequestedToCapacityRatio", [(0, 0), (100, 10)], HUGE // 2, 0),
        ("RequestedToCapacityRatio", [(0, 0), (100, 10)], 2 * HUGE, 100),
    ],
)
def test_memory_of_which_the_hundredfold_overflows_scores_as_int64_does(
    strategy: str, shape: list[tuple[int, int]] | None, requested: int, expected: int
) -> None:
    pod = make_pod(requests={"memory": str(requested)})
    snapshot = make_snapshot([make_node("n0", memory=str(HUGE))])
    assert score(fit(strategy, {"memory": 1}, shape), pod, snapshot) == {"n0": expected}
