"""Permit, with a plugin from outside the tree: wait, allow, reject, time out."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.clock import MICROSECONDS
from scheduler_core.framework.cluster_event import ASSIGNED_POD_DELETE, ClusterEventWithHint
from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.framework.interface import Handle
from scheduler_core.framework.status import Code, Status, unschedulable
from scheduler_core.simulator import DEFAULT, Simulator
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.simulator.running import Run
from tests.make import make_node, make_pod

CONFIG = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins:
    permit:
      enabled: [{name: Doorkeeper}]
    reserve:
      enabled: [{name: Doorkeeper}]
"""


class Doorkeeper:
    """Answers each pod by its label ``door``; keeps books on what is reserved."""

    name = "Doorkeeper"

    def __init__(self) -> None:
        self.reserved: list[str] = []

    def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
        return ()

    def reserve(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        self.reserved.append(pod.key)
        return None

    def unreserve(self, state: CycleState, pod: PodInfo, node_name: str) -> None:
        self.reserved.remove(pod.key)

    def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> tuple[Status | None, int]:
        answer = pod.pod.metadata.labels.get("door", "open")
        if answer == "wait":
            return Status(Code.WAIT), 4 * MICROSECONDS
        return (unschedulable("the door is shut") if answer == "shut" else None), 0


def run(door: str) -> tuple[Run, Doorkeeper]:
    keeper = Doorkeeper()

    def new(args: Any, handle: Handle) -> Doorkeeper:
        return keeper

    pod = make_pod("pod", labels={"door": door})
    return Run(
        [make_node("node-a"), pod], options=DEFAULT, config=CONFIG, plugins={"Doorkeeper": new}
    ), keeper


def test_a_pod_that_is_let_through_is_bound_and_stays_reserved() -> None:
    done, keeper = run("open")
    assert done.result.placements == {"default/pod": "node-a"}
    assert keeper.reserved == ["default/pod"]


def test_a_refused_pod_is_unreserved_and_told_with_the_one_node_that_was_chosen() -> None:
    done, keeper = run("shut")
    (failed,) = done.of_type("PodUnschedulable")
    assert failed["message"] == "0/1 nodes are available: 1 the door is shut."
    assert failed["plugins"] == ["Doorkeeper"]
    assert keeper.reserved == []
    assert not done.simulator.scheduler.cache.is_assumed("uid-Pod-default/pod")


def test_a_pod_waits_until_its_time_is_over() -> None:
    done, keeper = run("wait")
    (waiting,) = done.of_type("PodWaiting")
    (failed,) = done.of_type("PodUnschedulable")
    assert (waiting["node"], waiting["plugin"]) == ("node-a", "Doorkeeper")
    assert failed["t_us"] - waiting["t_us"] == 4 * MICROSECONDS
    assert failed["message"] == (
        "0/1 nodes are available: 1 rejected due to timeout after waiting 4s at plugin Doorkeeper."
    )
    assert keeper.reserved == []


def test_the_room_that_a_refused_pod_gives_back_does_not_move_that_pod() -> None:
    class Hoping(Doorkeeper):
        def events_to_register(self) -> tuple[ClusterEventWithHint, ...]:
            return (ClusterEventWithHint(ASSIGNED_POD_DELETE, None),)

    pods = [make_pod("late", labels={"door": "wait"}), make_pod("shut", labels={"door": "shut"})]
    done = Run(
        [make_node("node-a"), *pods],
        options=DEFAULT,
        config=CONFIG,
        plugins={"Doorkeeper": lambda args, handle: Hoping()},
    )
    timed_out = 4 * MICROSECONDS
    moved = [(e["pod"], e["queue"]) for e in done.of_type("PodEnqueued") if e["t_us"] > timed_out][:2]
    assert moved[0] == ("default/late", "unschedulable")
    assert moved[1][0] == "default/shut"
    assert moved[1][1] in ("active", "backoff")


def test_the_time_of_a_plugin_that_allowed_the_pod_does_not_end_it() -> None:
    class Patient(Doorkeeper):
        name = "Patient"

        def permit(self, state: CycleState, pod: PodInfo, node_name: str) -> tuple[Status | None, int]:
            return Status(Code.WAIT), 90 * MICROSECONDS

    config = CONFIG.replace(
        "permit:\n      enabled: [{name: Doorkeeper}",
        "permit:\n      enabled: [{name: Doorkeeper}, {name: Patient}",
    )
    makers = {"Doorkeeper": lambda args, handle: Doorkeeper(), "Patient": lambda args, handle: Patient()}
    done = Run([], options=DEFAULT, config=config, plugins=makers)
    simulator: Simulator = done.simulator

    def allow() -> None:
        for waiting in simulator.scheduler.waiting_pods:
            waiting.allow("Doorkeeper")

    simulator.load([make_node("node-a"), make_pod("pod", labels={"door": "wait"})])
    simulator.defer(MICROSECONDS, allow)
    simulator.run()
    failed = done.of_type("PodUnschedulable")[0]
    assert (failed["t_us"] // MICROSECONDS, failed["plugins"]) == (90, ["Patient"])
    assert "after waiting 1m30s at plugin Patient" in failed["message"]


@pytest.mark.parametrize(("word", "event"), [("allow", "PodBound"), ("reject", "PodUnschedulable")])
def test_a_waiting_pod_can_be_let_through_or_refused_by_hand(word: str, event: str) -> None:
    keeper = Doorkeeper()
    done = Run([], options=DEFAULT, config=CONFIG, plugins={"Doorkeeper": lambda args, handle: keeper})
    simulator: Simulator = done.simulator

    def decide() -> None:
        for waiting in simulator.scheduler.waiting_pods:
            if word == "allow":
                waiting.allow("Doorkeeper")
            else:
                waiting.reject("Doorkeeper", "not today")

    simulator.load([make_node("node-a"), make_pod("pod", labels={"door": "wait"})])
    simulator.defer(MICROSECONDS, decide)
    simulator.run()
    (decided,) = done.of_type(event)
    assert decided["t_us"] in (MICROSECONDS, MICROSECONDS + 3000)
    assert bool(done.of_type("PodPermitted")) is (word == "allow")
