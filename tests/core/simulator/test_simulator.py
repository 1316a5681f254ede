from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from scheduler_core.api.kinds import KubeObject
from scheduler_core.clock import MICROSECONDS
from scheduler_core.config import load_config
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.status import Code, Status, error
from scheduler_core.framework.types import FilterResult
from scheduler_core.simulator import CONFORMANCE, DEFAULT, Simulator, SimulatorOptions, Step
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.trace.sink import MemorySink
from tests.core.simulator.running import Run
from tests.make import make, make_node, make_pod

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.snapshot.node_infos import NodeInfos, RowIndex


def test_a_pod_goes_from_the_queue_to_its_node_event_by_event() -> None:
    run = Run([make_node("node-a"), make_pod("pod", requests={"cpu": "1"})])
    assert [event["type"] for event in run.events] == [
        "RunStarted",
        "PodEnqueued",
        "CycleStarted",
        "NodesFiltered",
        "PodAssumed",
        "PodBound",
        "RunFinished",
    ]
    assert [event["seq"] for event in run.events] == list(range(1, len(run.events) + 1))
    assert run.result.placements == {"default/pod": "node-a"}
    assert (run.result.num_cycles, run.result.num_bound, run.result.num_pending) == (1, 1, 0)


def test_the_clock_moves_a_millisecond_for_each_pod_put_and_each_attempt() -> None:
    run = Run([make_node("node-a"), make_pod("bound", node="node-a"), make_pod("one"), make_pod("two")])
    started = [event["t_us"] for event in run.of_type("CycleStarted")]
    assert started == [4000, 5000]


def test_a_cluster_without_nodes_says_so_and_tries_again_only_after_the_error_backoff() -> None:
    run = Run([make_pod("pod")])
    (failed,) = run.of_type("PodUnschedulable")
    assert failed["message"] == "no nodes available to schedule pods"
    (pending,) = run.result.pending
    assert (pending.message, pending.queue, pending.plugins) == (failed["message"], "backoff", ())


def test_an_empty_cluster_is_a_run_of_no_cycles() -> None:
    run = Run([])
    assert [event["type"] for event in run.events] == ["RunStarted", "RunFinished"]
    assert run.result.num_cycles == 0


def test_a_step_changes_the_cluster_once_the_queue_is_quiet() -> None:
    big = make_pod("big", requests={"cpu": "8"})
    step = Step(advance_us=5 * MICROSECONDS, apply=(make_node("node-b", cpu="16"),))
    run = Run([make_node("node-a"), big], steps=[step])
    assert run.result.placements == {"default/big": "node-b"}
    cycles = run.of_type("CycleStarted")
    assert [(cycle["attempt"], cycle.get("step", 0)) for cycle in cycles] == [(1, 0), (2, 1)]
    (added,) = run.of_type("NodeAdded")
    assert added["node"] == "node-b"


def test_deleting_a_pod_makes_room_for_one_that_waits() -> None:
    objects = [
        make_node("node-a"),
        make_pod("old", node="node-a", requests={"cpu": "4"}),
        make_pod("new", requests={"cpu": "3"}),
    ]
    run = Run(objects, steps=[Step(advance_us=MICROSECONDS, delete=("Pod/default/old",))])
    assert run.result.placements == {"default/new": "node-a"}
    assert [event["pod"] for event in run.of_type("PodDeleted")] == ["default/old"]


def test_pods_of_a_dump_arrive_by_creation_then_by_name() -> None:
    def pod(name: str, created: str) -> KubeObject:
        metadata = {"name": name, "creationTimestamp": created}
        spec = {"containers": [{"name": "main"}]}
        return make({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec})

    late, early_b, early_a = (
        pod("late", "2026-01-02T00:00:00Z"),
        pod("early-b", "2026-01-01T00:00:00Z"),
        pod("early-a", "2026-01-01T00:00:00Z"),
    )
    objects = [make_node("node-a"), late, early_b, early_a]
    run = Run(objects, options=DEFAULT)
    order = [event["pod"] for event in run.of_type("CycleStarted")]
    assert order == ["default/early-a", "default/early-b", "default/late"]


def test_by_default_a_binding_overlaps_the_next_attempt() -> None:
    run = Run([make_node("node-a"), make_pod("one"), make_pod("two")], options=DEFAULT)
    story = [(event["type"], event["pod"]) for event in run.of_type("PodAssumed", "PodBound")]
    assert story == [
        ("PodAssumed", "default/one"),
        ("PodAssumed", "default/two"),
        ("PodBound", "default/one"),
        ("PodBound", "default/two"),
    ]


def test_pods_of_another_scheduler_are_left_alone() -> None:
    run = Run([make_node("node-a"), make_pod("theirs", schedulerName="other")])
    assert run.result.num_cycles == 0
    assert [(pod.pod, pod.queue) for pod in run.result.pending] == [("default/theirs", "")]


def test_priority_classes_give_pods_their_priority() -> None:
    urgent = make(
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": "urgent"},
            "value": 1000,
        }
    )
    pods = [make_pod("plain"), make_pod("first", priorityClassName="urgent")]
    run = Run([make_node("node-a"), urgent, *pods])
    assert [event["pod"] for event in run.of_type("CycleStarted")] == ["default/first", "default/plain"]


def test_a_run_stops_where_it_is_cancelled_without_an_end() -> None:
    simulator = Simulator(load_config(""), CONFORMANCE)
    simulator.load([make_node("node-a"), *(make_pod(f"pod-{number}") for number in range(5))])
    result = simulator.run(is_cancelled=lambda: simulator.scheduler.cycle >= 2)
    assert (result.num_cycles, result.num_bound, result.num_pending) == (2, 2, 3)


def test_a_run_up_to_a_cycle_is_a_prefix_of_the_whole_run() -> None:
    objects = [make_node("node-a"), *(make_pod(f"pod-{number}") for number in range(5))]
    whole = Run(objects)
    sink = MemorySink()
    simulator = Simulator(load_config(""), CONFORMANCE, sink)
    simulator.load(objects)
    stopped = simulator.run(until_cycle=3)
    assert stopped.num_cycles == 3
    assert 0 < len(sink.lines) < len(whole.sink.lines)
    assert whole.sink.lines[: len(sink.lines)] == sink.lines


def test_an_error_is_retried_with_growing_backoff_until_the_horizon() -> None:
    options = msgspec.structs.replace(DEFAULT, horizon_us=20 * MICROSECONDS)
    run = Run([make_pod("pod")], options=options)
    times = [event["t_us"] // MICROSECONDS for event in run.of_type("CycleStarted")]
    assert times == [0, 2, 5, 10, 19]


@pytest.mark.parametrize("options", [DEFAULT, CONFORMANCE])
def test_without_a_sink_the_outcome_is_the_same(options: SimulatorOptions) -> None:
    objects = [make_node("node-a"), make_node("node-b"), *(make_pod(f"pod-{i}") for i in range(8))]
    traced = Run(objects, options=options)
    silent = Simulator(load_config(""), options)
    silent.load(objects)
    assert silent.run().placements == traced.result.placements


def test_a_pod_whose_binding_failed_is_told_with_that_reason() -> None:
    class Binder:
        """Never binds."""

        name = "Binder"

        def bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
            return error("the node is on fire")

    config = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins:
    bind: {enabled: [{name: Binder}], disabled: [{name: DefaultBinder}]}
"""
    plugins = {"Binder": lambda args, handle: Binder()}
    run = Run([make_node("node-a"), make_pod("pod")], config=config, plugins=plugins)
    (pending,) = run.result.pending
    assert pending.message == 'running Bind plugin "Binder": the node is on fire'
    assert pending.queue == "backoff"


def test_with_controllers_a_victim_terminates_in_its_own_time() -> None:
    old = make_pod("old", node="n0", priority=0, requests={"cpu": "1"}, terminationGracePeriodSeconds=30)
    urgent = make_pod("urgent", priority=100, requests={"cpu": "1"})
    run = Run([make_node("n0", cpu="1"), old, urgent], options=DEFAULT)
    (terminating,), (deleted,) = run.of_type("PodTerminating"), run.of_type("PodDeleted")
    assert (terminating["reason"], terminating["grace_us"], terminating["t_us"]) == (
        "preempted",
        30_000_000,
        1000,
    )
    assert (deleted["reason"], deleted["t_us"]) == ("preempted", 30_003_000)
    assert run.result.placements == {"default/urgent": "n0"}


SKIPPED = "skip schedule deleting pod: default/going"


def _deleting(name: str, **fields: Any) -> Pod:
    pod = make_pod(name, **fields)
    metadata = msgspec.structs.replace(pod.metadata, deletion_timestamp=1, finalizers=("example.com/wait",))
    return msgspec.structs.replace(pod, metadata=metadata)


def test_a_pending_pod_that_is_being_deleted_leaves_the_queue_untried_and_the_end_says_so() -> None:
    run = Run([make_node("node-a"), _deleting("going"), make_pod("pod")])
    (left,) = run.of_type("PodDequeued")
    assert (left["pod"], left["reason"]) == ("default/going", "deleting")
    assert [event["pod"] for event in run.of_type("CycleStarted")] == ["default/pod"]
    (pending,) = run.result.pending
    assert (pending.pod, pending.message, pending.queue) == ("default/going", SKIPPED, "")


def test_a_pod_that_comes_to_be_deleted_while_it_waits_leaves_the_queue_when_its_turn_comes() -> None:
    going = make_pod("going", requests={"cpu": "8"})
    steps = [
        Step(apply=(_deleting("going", requests={"cpu": "8"}),)),
        Step(apply=(make_node("b", cpu="16"),)),
    ]
    run = Run([make_node("node-a"), going], steps=steps)
    (left,) = run.of_type("PodDequeued")
    assert (left["pod"], left["reason"]) == ("default/going", "deleting")
    assert len(run.of_type("CycleStarted")) == 1
    (pending,) = run.result.pending
    assert (pending.message, pending.queue) == (SKIPPED, "")


ON_B = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [
                {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["b"]}]}
            ]
        }
    }
}


def test_the_nominated_nodes_refusal_is_among_the_plugins_that_narrowed_the_nodes() -> None:
    pod = make_pod("p", affinity=ON_B, requests={"cpu": "8"}, status={"nominatedNodeName": "c"})
    run = Run([make_node("a"), make_node("b"), make_node("c", taints=["x=y:NoSchedule"]), pod])
    failed, *_ = run.of_type("PodUnschedulable")
    assert failed["message"].startswith(
        "0/3 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) "
        "[NodeAffinity TaintToleration], 1 node(s) had untolerated taint {x: y}."
    )
    without = make_pod("p", affinity=ON_B, requests={"cpu": "8"})
    run = Run([make_node("a"), make_node("b"), make_node("c", taints=["x=y:NoSchedule"]), without])
    (failed,) = run.of_type("PodUnschedulable")
    assert "2 node(s) didn't satisfy plugin(s) [NodeAffinity]" in failed["message"]


def test_a_plugin_that_waits_on_the_nominated_node_alone_is_not_waited_for() -> None:
    """Upstream counts it in a copy of the diagnosis."""

    class WaitsOnC:
        name = "WaitsOnC"

        def filter(
            self, state: CycleState, pod: PodInfo, nodes: NodeInfos, rows: RowIndex
        ) -> FilterResult | None:
            verdicts = (rows == nodes.row_of["c"]).astype(np.int32)
            pending = Status(Code.PENDING, ("not yet",))
            return FilterResult(verdicts, (pending,)) if verdicts.any() else None

    config = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- plugins: {filter: {enabled: [{name: WaitsOnC}]}}
"""
    pod = make_pod(
        "p",
        requests={"cpu": "8"},
        affinity=ON_B,
        status={"nominatedNodeName": "c"},
    )
    plugins = {"WaitsOnC": lambda args, handle: WaitsOnC()}
    run = Run([make_node("b"), make_node("c", cpu="16"), pod], config=config, plugins=plugins)
    assert run.sink.details[1].pending_plugins == ()
