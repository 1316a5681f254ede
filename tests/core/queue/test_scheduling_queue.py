from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scheduler_core.api.pod import Pod
from scheduler_core.clock import MICROSECONDS, VirtualClock
from scheduler_core.framework.cluster_event import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE_ADD,
    UNSCHEDULABLE_TIMEOUT,
    ActionType,
    ClusterEvent,
    EventResource,
    QueueingHint,
)
from scheduler_core.framework.status import Status, unresolvable
from scheduler_core.framework.types import QueuedPodInfo
from scheduler_core.queue.hints import QueueingHints, RegisteredHint
from scheduler_core.queue.scheduling_queue import SchedulingQueue
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from scheduler_core.trace.sink import MemorySink, Tracer
from tests.make import make_pod

POD_UPDATE = ClusterEvent(EventResource.UNSCHEDULABLE_POD, ActionType.UPDATE_POD_LABEL, "PodLabelChange")


NEW_UID = msgspec.structs.replace(make_pod("web-0").metadata, uid="new-uid")


class Gate:
    """Holds back pods that carry the label ``held``."""

    name = "Gate"

    def pre_enqueue(self, pod_info: PodInfo) -> Status | None:
        return unresolvable("held") if "held" in pod_info.pod.metadata.labels else None


def only_big_nodes(pod: Pod, old: Any, new: Any) -> QueueingHint:
    return QueueingHint.QUEUE if new == "big node" else QueueingHint.SKIP


HINTS = [
    RegisteredHint(ClusterEvent(EventResource.NODE, ActionType.ADD), "Fit", only_big_nodes),
    RegisteredHint(ClusterEvent(EventResource.ASSIGNED_POD, ActionType.DELETE), "Fit", None),
    RegisteredHint(ClusterEvent(EventResource.POD, ActionType.ADD), "PodTopologySpread", None),
    RegisteredHint(ClusterEvent(EventResource.POD, ActionType.UPDATE_POD_LABEL), "Gate", None),
    RegisteredHint(ClusterEvent(EventResource.NODE, ActionType.ADD), "Waiter", None),
]


class Bench:
    """A queue with its clock and trace."""

    def __init__(self, *, pop_from_backoff: bool = True) -> None:
        self.clock = VirtualClock()
        self.sink = MemorySink()
        self.queue = SchedulingQueue(
            self.clock,
            Tracer(self.clock, self.sink),
            sort_key=lambda queued: (-queued.pod_info.priority, queued.timestamp_us),
            hints=QueueingHints({"default-scheduler": HINTS}),
            pre_enqueue={"default-scheduler": [Gate()]},
            is_nominable=lambda pod: True,
            initial_backoff_us=MICROSECONDS,
            max_backoff_us=10 * MICROSECONDS,
            pop_from_backoff=pop_from_backoff,
        )

    def add(self, name: str, **pod: Any) -> PodInfo:
        pod_info = PodInfo(make_pod(name, **pod), ResourceAxis())
        self.clock.advance(1000)
        self.queue.add(pod_info)
        return pod_info

    def fail(self, *plugins: str, pending: tuple[str, ...] = ()) -> QueuedPodInfo:
        queued = self.queue.pop()
        assert queued is not None
        queued.unschedulable_plugins = set(plugins)
        queued.pending_plugins = set(pending)
        self.queue.add_unschedulable(queued)
        return queued

    def where(self, pod_info: PodInfo) -> str:
        return self.queue.where(pod_info.uid)[0]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_pods_are_popped_by_priority_then_by_time(bench: Bench) -> None:
    bench.add("first")
    bench.add("urgent", priority=10)
    bench.add("second")
    popped = [bench.queue.pop() for _ in range(3)]
    assert [queued.key if queued else "" for queued in popped] == [
        "default/urgent",
        "default/first",
        "default/second",
    ]
    assert bench.queue.pop() is None


def test_a_refused_pod_waits_until_an_event_that_its_plugin_hopes_for(bench: Bench) -> None:
    pod = bench.add("pod")
    bench.fail("Fit")
    assert bench.where(pod) == "unschedulable"
    bench.queue.move_all(NODE_ADD, None, "small node")
    assert bench.where(pod) == "unschedulable"
    bench.queue.move_all(NODE_ADD, None, "big node")
    assert bench.where(pod) == "backoff"


def test_events_of_plugins_that_did_not_refuse_the_pod_do_not_move_it(bench: Bench) -> None:
    pod = bench.add("pod")
    bench.fail("Gate")
    bench.queue.move_all(NODE_ADD, None, "big node")
    bench.queue.move_all(ASSIGNED_POD_DELETE, None, None)
    assert bench.where(pod) == "unschedulable"


def last_event(bench: Bench) -> dict[str, Any]:
    event: dict[str, Any] = msgspec.json.decode(bench.sink.lines[-1])
    return event


def test_a_move_carries_what_each_plugin_that_refused_the_pod_said_of_the_event(bench: Bench) -> None:
    bench.add("pod")
    bench.fail("Fit", "Gate", pending=("Waiter",))
    bench.queue.move_all(NODE_ADD, None, "small node")
    moved = last_event(bench)
    assert (moved["event"], moved["hints"]) == ("NodeAdd", {"Fit": "QueueSkip", "Waiter": "Queue"})


def test_events_not_worth_an_attempt_are_counted_and_told_with_the_move_that_ends_the_wait(
    bench: Bench,
) -> None:
    bench.add("pod")
    bench.fail("Fit")
    lines = len(bench.sink.lines)
    for _ in range(3):
        bench.queue.move_all(NODE_ADD, None, "small node")
    assert len(bench.sink.lines) == lines
    bench.queue.move_all(NODE_ADD, None, "big node")
    assert last_event(bench)["skipped_events"] == {"NodeAdd": 3}
    bench.fail("Fit")
    bench.queue.move_all(NODE_ADD, None, "big node")
    assert "skipped_events" not in last_event(bench)


def test_the_event_during_the_attempt_that_made_the_next_one_worth_it_is_named(bench: Bench) -> None:
    bench.add("pod")
    queued = bench.queue.pop()
    assert queued is not None
    bench.queue.move_all(ASSIGNED_POD_DELETE, None, None)
    bench.queue.move_all(NODE_ADD, None, "big node")
    queued.unschedulable_plugins = {"Fit"}
    bench.queue.add_unschedulable(queued)
    moved = last_event(bench)
    assert (moved["event"], moved["in_flight_event"]) == ("ScheduleAttemptFailure", "AssignedPodDelete")
    assert moved["hints"] == {"Fit": "Queue"}


def test_what_each_plugin_waits_for_is_told_in_words(bench: Bench) -> None:
    assert bench.queue.waits_for() == {
        "Fit": ("Node add", "AssignedPod delete"),
        "PodTopologySpread": ("Pod add",),
        "Gate": ("Pod update (labels)",),
        "Waiter": ("Node add",),
    }


def test_a_pod_whose_backoff_is_over_goes_straight_to_active(bench: Bench) -> None:
    pod = bench.add("pod")
    bench.fail("Fit")
    bench.clock.advance(3 * MICROSECONDS)
    bench.queue.move_all(NODE_ADD, None, "big node")
    assert bench.where(pod) == "active"


def test_a_pending_plugins_hint_skips_the_backoff(bench: Bench) -> None:
    pod = bench.add("pod")
    bench.fail("Fit", pending=("Waiter",))
    bench.queue.move_all(NODE_ADD, None, "small node")
    assert bench.where(pod) == "active"


def test_an_event_during_the_attempt_is_remembered(bench: Bench) -> None:
    pod = bench.add("pod")
    queued = bench.queue.pop()
    assert queued is not None
    bench.queue.move_all(NODE_ADD, None, "small node")
    bench.queue.move_all(NODE_ADD, None, "big node")
    queued.unschedulable_plugins = {"Fit"}
    bench.queue.add_unschedulable(queued)
    assert bench.where(pod) == "backoff"


def test_a_pod_that_waits_already_is_not_put_back_from_its_attempt(bench: Bench) -> None:
    """A pod of the same name came while one was tried: the failed attempt goes on with the new one, which waits."""
    bench.add("web-0")
    tried = bench.queue.pop()
    assert tried is not None
    bench.queue.delete(tried.pod_info)
    anew = PodInfo(msgspec.structs.replace(make_pod("web-0"), metadata=NEW_UID), ResourceAxis())
    bench.queue.add(anew)
    tried.pod_info = anew
    bench.queue.add_unschedulable(tried)
    assert bench.where(anew) == "active"
    assert (len(bench.queue.backoff), len(bench.queue.active.heap)) == (0, 1)
    popped = bench.queue.pop()
    assert popped is not None
    assert (popped.attempts, popped.consecutive_errors_count) == (1, 0)
    assert bench.queue.pop() is None


def test_an_error_without_a_plugin_goes_to_the_error_backoff_and_is_not_popped_early(bench: Bench) -> None:
    pod = bench.add("pod")
    bench.fail()
    assert bench.where(pod) == "backoff"
    assert not bench.queue.has_next()
    bench.clock.advance(2 * MICROSECONDS)
    bench.queue.flush_backoff_completed()
    assert bench.where(pod) == "active"


def test_with_active_empty_the_head_of_backoff_is_popped_before_its_time(bench: Bench) -> None:
    bench.add("pod")
    bench.fail("Fit")
    bench.queue.move_all(NODE_ADD, None, "big node")
    assert bench.queue.has_next()
    queued = bench.queue.pop()
    assert queued is not None
    assert (queued.key, queued.attempts, queued.unschedulable_plugins) == ("default/pod", 2, set())


def test_a_gated_pod_stays_out_and_only_its_gates_events_let_it_in(bench: Bench) -> None:
    pod = bench.add("pod", labels={"held": "yes"})
    assert bench.where(pod) == "gated"
    bench.queue.move_all(NODE_ADD, None, "big node")
    assert bench.where(pod) == "gated"
    freed = PodInfo(
        msgspec.structs.replace(pod.pod, metadata=msgspec.structs.replace(pod.pod.metadata, labels={})),
        ResourceAxis(),
    )
    bench.queue.update(pod, freed, [POD_UPDATE])
    assert bench.where(pod) == "active"
    assert b'"queue":"gated","event":"PodAdd","plugins":["Gate"]' in bench.sink.lines[0]


def test_an_update_of_a_waiting_pod_is_taken_over_where_it_stands(bench: Bench) -> None:
    bench.add("rival", priority=5)
    pod = bench.add("pod")
    raised = PodInfo(make_pod("pod", priority=9), ResourceAxis())
    bench.queue.update(pod, raised, [])
    popped = bench.queue.pop()
    assert popped is not None
    assert popped.pod_info is raised


def test_a_bound_pod_wakes_the_pods_whose_plugins_hope_for_it_and_is_counted_for_no_other(
    bench: Bench,
) -> None:
    spread = bench.add("spread")
    bench.fail("PodTopologySpread")
    fit = bench.add("fit")
    queued = bench.fail("Fit")
    bench.queue.assigned_pod_changed(ASSIGNED_POD_ADD, None, make_pod("new", node="node-a"))
    assert [bench.where(spread), bench.where(fit)] == ["backoff", "unschedulable"]
    assert queued.skipped_events == {}


@pytest.mark.parametrize("pop_from_backoff", [True, False])
def test_an_update_stops_at_the_first_event_that_gets_the_pod_tried(pop_from_backoff: bool) -> None:
    """Upstream's loop goes on where backoffQ is not popped early: the next event finds the pod unschedulable again."""
    bench = Bench(pop_from_backoff=pop_from_backoff)
    pod = bench.add("pod")
    bench.fail("Gate")
    new = PodInfo(make_pod("pod", labels={"new": "label"}), ResourceAxis())
    toleration = ClusterEvent(
        EventResource.UNSCHEDULABLE_POD, ActionType.UPDATE_POD_TOLERATION, "Tolerations"
    )
    bench.queue.update(pod, new, [POD_UPDATE, toleration])
    assert bench.where(pod) == "backoff"
    assert (pod.uid in bench.queue.unschedulable) is not pop_from_backoff
    bench.clock.advance(10 * MICROSECONDS)
    bench.queue.flush_backoff_completed()
    assert bench.where(pod) == "active"
    assert pod.uid not in bench.queue.unschedulable


def test_pods_left_over_for_longer_than_five_minutes_are_tried_again(bench: Bench) -> None:
    pod = bench.add("pod")
    bench.fail("Fit")
    limit = 300 * MICROSECONDS
    bench.clock.advance(limit)
    bench.queue.flush_unschedulable_leftover(limit)
    assert bench.where(pod) == "unschedulable"
    bench.clock.advance(1)
    bench.queue.flush_unschedulable_leftover(limit)
    assert bench.where(pod) == "active"
    assert UNSCHEDULABLE_TIMEOUT.label.encode() in bench.sink.lines[-1]


def test_activate_takes_a_pod_from_wherever_it_waits(bench: Bench) -> None:
    pod = bench.add("pod")
    bench.fail("Fit")
    bench.queue.activate(pod.uid, pod.pod)
    assert bench.where(pod) == "active"


def test_activating_a_pod_in_flight_has_it_tried_again_when_it_comes_back(bench: Bench) -> None:
    pod = bench.add("pod")
    queued = bench.queue.pop()
    assert queued is not None
    bench.queue.activate(pod.uid, pod.pod)
    queued.unschedulable_plugins = {"Fit"}
    bench.queue.add_unschedulable(queued)
    assert bench.where(pod) == "backoff"


@pytest.mark.parametrize("plugins", [(), ("Fit",)])
def test_a_deleted_pod_is_in_no_queue(bench: Bench, plugins: tuple[str, ...]) -> None:
    pod = bench.add("pod")
    if plugins:
        bench.fail(*plugins)
    bench.queue.delete(pod)
    assert bench.where(pod) == ""
    assert not bench.queue.has_next()
    assert b'"type":"PodDequeued","pod":"default/pod","reason":"deleted"' in bench.sink.lines[-1]
