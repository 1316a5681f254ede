from __future__ import annotations

from scheduler_core.framework.cluster_event import ASSIGNED_POD_DELETE, NODE_ADD
from scheduler_core.framework.types import QueuedPodInfo
from scheduler_core.queue.active_queue import ActiveQueue
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.make import make_pod


def queued(name: str) -> QueuedPodInfo:
    return QueuedPodInfo(PodInfo(make_pod(name), ResourceAxis()), 0)


def test_a_pod_in_flight_sees_the_events_since_it_was_popped_and_no_others() -> None:
    active = ActiveQueue(lambda pod: (0,))
    first, second = queued("first"), queued("second")
    active.add_event(NODE_ADD, None, "before anybody flies")
    active.take(first)
    active.add_event(NODE_ADD, None, "one")
    active.take(second)
    active.add_event(ASSIGNED_POD_DELETE, "two", None)
    assert [event.new for event in active.events_of(first.uid)] == ["one", None]
    assert [event.old for event in active.events_of(second.uid)] == ["two"]


def test_events_are_dropped_once_nobody_can_need_them() -> None:
    active = ActiveQueue(lambda pod: (0,))
    first, second = queued("first"), queued("second")
    active.take(first)
    active.add_event(NODE_ADD, None, "one")
    active.take(second)
    active.add_event(NODE_ADD, None, "two")
    active.done(first.uid)
    assert not active.is_in_flight(first.uid)
    assert [event.new for event in active.events_of(second.uid)] == ["two"]
    active.add_event(NODE_ADD, None, "three")
    assert [event.new for event in active.events_of(second.uid)] == ["two", "three"]
    active.done(second.uid)
    third = queued("third")
    active.take(third)
    assert list(active.events_of(third.uid)) == []
    active.done("nobody")
