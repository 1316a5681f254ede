"""Profiles in a run: which one judges a pod, what it has of its own, plugins from outside the tree."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from scheduler_core.api.pod import Pod
from scheduler_core.errors import ManifestError
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import unschedulable
from scheduler_core.framework.types import FilterResult
from scheduler_core.simulator import CONFORMANCE, Step
from scheduler_core.simulator.options import SimulatorOptions
from scheduler_core.snapshot.arrays import Int64Array, RowIndex
from scheduler_core.snapshot.node_infos import NodeInfos
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.simulator.running import Run
from tests.make import make, make_node, make_pod

LEAVE_OUT = SimulatorOptions(tie_break="lowest-name", arrival="given", unknown_plugins="leave-out")


def config(*profiles: dict[str, Any], **fields: Any) -> str:
    head = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return json.dumps({**head, **fields, "profiles": profiles})


def pod_of(scheduler: str, name: str = "pod", **fields: Any) -> Pod:
    return make_pod(name, schedulerName=scheduler, requests={"cpu": "1"}, **fields)


class ByName:
    """Refuses the nodes that its arguments name, and prefers later ones; registers no events."""

    name = "ByName"

    def __init__(self, args: Any) -> None:
        self.refused = frozenset(args["refused"])

    def filter(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> FilterResult:
        index = np.array([nodes.names[row] in self.refused for row in rows], np.int32)
        return FilterResult(index, (unschedulable("its name is on the list"),))

    def score(self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex) -> Int64Array:
        return np.array([int(nodes.names[row][1:]) for row in rows], np.int64)


BY_NAME = {"ByName": lambda args, handle: ByName(args)}


def by_name(*refused: str, **plugins: Any) -> str:
    enabled = {"enabled": [{"name": "ByName", "weight": 9}]}
    plugins = {"multiPoint": enabled, **plugins}
    return config({"plugins": plugins, "pluginConfig": [{"name": "ByName", "args": {"refused": refused}}]})


def test_a_pod_is_judged_by_the_profile_that_it_names_and_no_other() -> None:
    strategy = {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 1}]}
    packing = {
        "schedulerName": "packing",
        "pluginConfig": [{"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}],
        "plugins": {"score": {"disabled": [{"name": "NodeResourcesBalancedAllocation"}]}},
    }
    bound = make_pod("there", node="n1", requests={"cpu": "2"})
    pods = [pod_of("packing", "a"), pod_of("spreading", "b"), pod_of("somebody-else", "c")]
    run = Run(
        [make_node("n0"), make_node("n1"), bound, *pods],
        config=config({"schedulerName": "spreading"}, packing),
    )
    assert run.result.placements == {"default/there": "n1", "default/a": "n1", "default/b": "n0"}
    assert [(pod.pod, pod.queue, pod.message) for pod in run.result.pending] == [("default/c", "", "")]
    packed, spread = (detail for _, detail in sorted(run.sink.details.items()))
    assert packed.raw["NodeResourcesFit"] == [25, 75]
    assert "NodeResourcesBalancedAllocation" not in packed.raw
    assert "NodeResourcesBalancedAllocation" in spread.raw


@pytest.mark.parametrize(("scheduler", "looked_at"), [("own", 120), ("global", 150), ("adaptive", 200)])
def test_a_profile_s_percentage_of_nodes_comes_before_the_global_one(scheduler: str, looked_at: int) -> None:
    profiles = [
        {"schedulerName": "own", "percentageOfNodesToScore": 60},
        {"schedulerName": "global"},
        {"schedulerName": "adaptive", "percentageOfNodesToScore": 100},
    ]
    nodes = [make_node(f"n{number:03}") for number in range(200)]
    run = Run([*nodes, pod_of(scheduler)], config=config(*profiles, percentageOfNodesToScore=75))
    (detail,) = run.sink.details.values()
    assert (detail.num_nodes, detail.num_evaluated, detail.num_feasible) == (200, looked_at, looked_at)
    assert detail.next_start_node_index == looked_at % 200


def test_a_plugin_from_outside_the_tree_gets_its_arguments_filters_and_scores_with_its_weight() -> None:
    nodes = [make_node(f"n{number}") for number in range(4)]
    run = Run([*nodes, make_pod()], config=by_name("n3"), plugins=BY_NAME)
    assert run.result.placements == {"default/pod": "n2"}
    (detail,) = run.sink.details.values()
    assert detail.raw["ByName"] == [0, 1, 2]
    assert detail.weighted["ByName"] == [0, 9, 18]
    (status,) = detail.statuses
    assert (status.plugin, status.reasons) == ("ByName", ("its name is on the list",))


def test_any_event_helps_a_pod_that_a_plugin_without_registered_events_refused() -> None:
    """The pod's own condition, written after the first failure, included."""
    storage = {"kind": "StorageClass", "apiVersion": "storage.k8s.io/v1", "metadata": {"name": "fast"}}
    run = Run(
        [make_node("n0"), make_pod()],
        config=by_name("n0"),
        plugins=BY_NAME,
        steps=[Step(apply=(make({**storage, "provisioner": "x"}),)), Step(advance_us=60_000_000)],
    )
    (pending,) = run.result.pending
    assert pending.plugins == ("ByName",)
    assert [event["event"] for event in run.of_type("PodEnqueued")] == [
        "PodAdd",
        "ScheduleAttemptFailure",
        "PodOtherUpdate",
        "ScheduleAttemptFailure",
        "StorageClassAdd",
        "ScheduleAttemptFailure",
    ]


def test_a_plugin_taken_from_one_point_still_serves_the_other() -> None:
    nodes = [make_node(f"n{number}") for number in range(3)]
    run = Run(
        [*nodes, make_pod()],
        config=by_name("n0", score={"disabled": [{"name": "ByName"}]}),
        plugins=BY_NAME,
    )
    assert run.result.placements == {"default/pod": "n1"}
    (detail,) = run.sink.details.values()
    assert "ByName" not in detail.raw


def test_an_unknown_plugin_is_refused_and_left_out_by_option_with_a_note() -> None:
    objects = [make_node("n0"), make_pod()]
    with pytest.raises(ManifestError, match='"ByName" does not exist'):
        Run(objects, config=by_name("n0"))
    run = Run(objects, config=by_name("n0"), options=LEAVE_OUT)
    assert run.result.placements == {"default/pod": "n0"}
    note = 'profiles[0].plugins.multiPoint: "ByName" is not known here and was left out'
    assert run.result.notes == (note,)


def test_a_pod_with_resource_claims_is_never_placed_and_says_why() -> None:
    pod = make_pod(resourceClaims=[{"name": "gpu", "resourceClaimName": "my-gpu"}])
    run = Run([make_node("n0"), pod], options=CONFORMANCE, steps=[Step(apply=(make_node("n1"),))])
    assert run.result.placements == {}
    (pending,) = run.result.pending
    assert (pending.queue, pending.plugins) == ("unschedulable", ("DynamicResources",))
    assert pending.message == (
        "0/1 nodes are available: resource claims are not simulated yet. no new claims to deallocate, "
        "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )
