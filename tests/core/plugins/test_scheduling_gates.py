from __future__ import annotations

from scheduler_core.framework.cluster_event import ActionType, QueueingHint
from scheduler_core.plugins.scheduling_gates import SchedulingGates
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.judging import hints, verdict_of
from tests.make import make_pod

PLUGIN = SchedulingGates()


def pre_enqueue(*gates: str) -> tuple[str, tuple[str, ...]] | None:
    pod = make_pod(schedulingGates=[{"name": gate} for gate in gates])
    return verdict_of(PLUGIN.pre_enqueue(PodInfo(pod, ResourceAxis())))


def test_a_pod_without_gates_may_be_queued() -> None:
    assert pre_enqueue() is None


def test_a_pod_with_gates_is_held_back_by_their_names_in_its_order() -> None:
    reason = "waiting for scheduling gates: [example.com/b example.com/a]"
    assert pre_enqueue("example.com/b", "example.com/a") == ("UnschedulableAndUnresolvable", (reason,))


def test_the_loss_of_the_last_gate_queues_the_pod_itself_and_no_other() -> None:
    [hint] = hints(PLUGIN, "Pod", ActionType.UPDATE_POD_SCHEDULING_GATES_ELIMINATED)
    gated = make_pod("mine", schedulingGates=[{"name": "g"}])
    assert hint(gated, gated, make_pod("mine")) == QueueingHint.QUEUE
    assert hint(gated, gated, make_pod("other")) == QueueingHint.SKIP
    assert len(PLUGIN.events_to_register()) == 1
