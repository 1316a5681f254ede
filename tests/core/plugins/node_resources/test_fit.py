from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.config.plugin_args import NodeResourcesFitArgs
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.plugins.node_resources.fit import Fit
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins import strategies
from tests.core.plugins.judging import filter_rows, judge, refused
from tests.core.plugins.reference import resources as reference
from tests.make import make_node, make_pod, make_snapshot

PLUGIN = Fit(NodeResourcesFitArgs())
BOTH = "UnschedulableAndUnresolvable"


def pods_on(name: str, pods: list) -> list:
    return [pod for pod in pods if pod.spec.node_name == name]


@given(strategies.clusters(), strategies.pods_with_requests(), st.booleans(), st.booleans())
def test_the_columns_judge_as_one_node_at_a_time(
    cluster: tuple[list, list], pod: Any, ignores_gpu: bool, ignores_group: bool
) -> None:
    nodes, bound = cluster
    args = NodeResourcesFitArgs(
        ignored_resources=("nvidia.com/gpu", "cpu", "hugepages-2Mi") if ignores_gpu else (),
        ignored_resource_groups=("example.com",) if ignores_group else (),
    )
    ignored = {"nvidia.com/gpu"} if ignores_gpu else set()
    ignored |= {"example.com/fpga"} if ignores_group else set()
    expected = {
        node.metadata.name: reference.fit(pod, node, pods_on(node.metadata.name, bound), ignored.__contains__)
        for node in nodes
    }
    assert judge(Fit(args), pod, make_snapshot(nodes, bound)) == expected


def test_a_request_beyond_the_whole_node_cannot_be_resolved_by_preemption() -> None:
    nodes = [make_node("small", cpu="1"), make_node("full", cpu="2"), make_node("free", cpu="2")]
    bound = [make_pod("there", node="full", requests={"cpu": "1"})]
    snapshot = make_snapshot(nodes, bound)
    assert judge(PLUGIN, make_pod(requests={"cpu": "1500m"}), snapshot) == {
        "small": (BOTH, ("Insufficient cpu",)),
        "full": ("Unschedulable", ("Insufficient cpu",)),
        "free": None,
    }


def test_every_shortage_is_named_and_one_beyond_the_node_decides_the_code() -> None:
    node = make_node("n", cpu="2", memory="1Gi", pods="1", resources={"ephemeral-storage": "1Gi"})
    snapshot = make_snapshot([node], [make_pod("there", node="n", requests={"cpu": "1"})])
    wanted = {"cpu": "2", "memory": "2Gi", "ephemeral-storage": "2Gi", "nvidia.com/gpu": "1"}
    state = CycleState()
    pod = PodInfo(make_pod(requests=wanted), snapshot.node_infos.axis)
    PLUGIN.pre_filter(state, pod, snapshot.node_infos)
    result = PLUGIN.filter(state, pod, snapshot.node_infos, snapshot.node_infos.order)
    assert result is not None
    [status] = result.statuses
    assert status.code_name == BOTH
    assert status.reasons == (
        "Too many pods",
        "Insufficient cpu",
        "Insufficient memory",
        "Insufficient ephemeral-storage",
        "Insufficient nvidia.com/gpu",
    )


def test_a_full_node_refuses_a_pod_that_requests_nothing() -> None:
    snapshot = make_snapshot([make_node("n", pods="1")], [make_pod("there", node="n")])
    assert refused(PLUGIN, make_pod(), snapshot) == {"n": ("Unschedulable", ("Too many pods",))}


def test_what_is_not_requested_is_not_looked_at_though_it_be_overbooked() -> None:
    bound = [make_pod("there", node="n", requests={"cpu": "8", "memory": "32Gi"})]
    snapshot = make_snapshot([make_node("n", cpu="1", memory="1Gi")], bound)
    assert refused(PLUGIN, make_pod(), snapshot) == {}
    assert refused(PLUGIN, make_pod(requests={"cpu": "0", "nvidia.com/gpu": "0"}), snapshot) == {}


def test_only_extended_resources_can_be_ignored() -> None:
    args = NodeResourcesFitArgs(
        ignored_resources=("cpu", "hugepages-2Mi", "nvidia.com/gpu"), ignored_resource_groups=("example.com",)
    )
    snapshot = make_snapshot([make_node("n", cpu="1")])
    wanted = {"cpu": "2", "hugepages-2Mi": "4Mi", "nvidia.com/gpu": "1", "example.com/fpga": "1"}
    assert refused(Fit(args), make_pod(requests=wanted), snapshot) == {
        "n": (BOTH, ("Insufficient cpu", "Insufficient hugepages-2Mi"))
    }


def test_more_resources_than_a_machine_word_has_bits_are_still_told_apart() -> None:
    many = {f"example.com/r{number:02}": "1" for number in range(70)}
    snapshot = make_snapshot([make_node("none"), make_node("all", resources=many)])
    verdicts = refused(PLUGIN, make_pod(requests=many), snapshot)
    assert set(verdicts) == {"none"}
    assert len(verdicts["none"][1]) == 70


def test_a_resource_first_named_by_the_pod_is_missing_everywhere() -> None:
    snapshot = make_snapshot([make_node("n")])
    pod = make_pod(requests={"example.com/new": "1"})
    assert refused(PLUGIN, pod, snapshot) == {"n": (BOTH, ("Insufficient example.com/new",))}


def test_one_row_is_judged_like_all_rows() -> None:
    snapshot = make_snapshot([make_node("a", cpu="1"), make_node("b")])
    nodes, state, pod = snapshot.node_infos, CycleState(), make_pod(requests={"cpu": "2"})
    PLUGIN.pre_filter(state, PodInfo(pod, nodes.axis), nodes)
    alone = {}
    for row in nodes.order:
        alone |= filter_rows(PLUGIN, state, pod, nodes, nodes.order[nodes.order == row])
    assert alone == judge(PLUGIN, pod, snapshot)


def test_a_state_cloned_for_a_dry_run_judges_the_same() -> None:
    snapshot = make_snapshot([make_node("a", cpu="1")])
    nodes, state, pod = snapshot.node_infos, CycleState(), make_pod(requests={"cpu": "2"})
    PLUGIN.pre_filter(state, PodInfo(pod, nodes.axis), nodes)
    assert filter_rows(PLUGIN, state.clone(), pod, nodes, nodes.order) == judge(PLUGIN, pod, snapshot)


@pytest.mark.parametrize(
    ("requests", "numbers"),
    [
        (
            {"cpu": "1500m"},
            [{"resource": "cpu", "requested": 1500, "used": 3000, "allocatable": 4000, "short": 500}],
        ),
        (
            {"cpu": "100m", "example.com/new": "2"},
            [{"resource": "example.com/new", "requested": 2, "used": 0, "allocatable": 0, "short": 2}],
        ),
        ({"cpu": "1"}, []),
    ],
)
def test_the_numbers_behind_a_refusal(requests: dict[str, str], numbers: list[dict]) -> None:
    nodes = make_snapshot([make_node("n")], [make_pod("there", node="n", requests={"cpu": "3"})]).node_infos
    state, pod = CycleState(), PodInfo(make_pod(requests=requests), nodes.axis)
    PLUGIN.pre_filter(state, pod, nodes)
    assert PLUGIN.refusal_numbers(state, pod, nodes, nodes.row_of["n"]) == numbers


def test_the_numbers_behind_too_many_pods() -> None:
    nodes = make_snapshot([make_node("n", pods="1")], [make_pod("there", node="n")]).node_infos
    state, pod = CycleState(), PodInfo(make_pod(), nodes.axis)
    PLUGIN.pre_filter(state, pod, nodes)
    assert PLUGIN.refusal_numbers(state, pod, nodes, nodes.row_of["n"]) == [
        {"resource": "pods", "requested": 1, "used": 1, "allocatable": 1, "short": 1}
    ]
