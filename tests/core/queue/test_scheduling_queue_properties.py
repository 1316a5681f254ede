"""The queue loses and duplicates no pod, under any order of events."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from scheduler_core.clock import MICROSECONDS
from scheduler_core.framework.cluster_event import ASSIGNED_POD_DELETE, NODE_ADD
from scheduler_core.framework.types import QueuedPodInfo
from scheduler_core.snapshot.axes import ResourceAxis
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.queue.test_scheduling_queue import POD_UPDATE, Bench
from tests.make import make_pod

PLUGINS = st.sets(st.sampled_from(["Fit", "Gate", "PodTopologySpread", "Waiter"]))


class QueueMachine(RuleBasedStateMachine):
    """Keeps a plain model beside the queue: the pods that exist and those that are being tried."""

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench()
        self.alive: dict[str, PodInfo] = {}
        self.in_flight: dict[str, QueuedPodInfo] = {}
        self.number = 0

    @rule(priority=st.integers(0, 3), held=st.booleans())
    def add(self, priority: int, *, held: bool) -> None:
        self.number += 1
        labels = {"held": "yes"} if held else {}
        pod = self.bench.add(f"pod-{self.number}", priority=priority, labels=labels)
        self.alive[pod.uid] = pod

    @rule()
    def pop(self) -> None:
        expected = self._head()
        queued = self.bench.queue.pop()
        assert (queued.uid if queued else None) == expected
        if queued is not None:
            assert queued.uid in self.alive
            assert queued.uid not in self.in_flight
            self.in_flight[queued.uid] = queued

    def _head(self) -> str | None:
        queue = self.bench.queue
        for pods in (list(queue.active.heap), list(queue.backoff.refused)):
            if pods:
                return pods[0].uid
        return None

    @precondition(lambda self: self.in_flight)
    @rule(data=st.data(), plugins=PLUGINS, pending=PLUGINS)
    def come_back(self, data: Any, plugins: set[str], pending: set[str]) -> None:
        uid = data.draw(st.sampled_from(sorted(self.in_flight)))
        queued = self.in_flight.pop(uid)
        if uid not in self.alive:
            self.bench.queue.done(uid)
            return
        queued.unschedulable_plugins, queued.pending_plugins = set(plugins), set(pending)
        self.bench.queue.add_unschedulable(queued)

    @precondition(lambda self: self.in_flight)
    @rule(data=st.data())
    def be_bound(self, data: Any) -> None:
        uid = data.draw(st.sampled_from(sorted(self.in_flight)))
        del self.in_flight[uid]
        self.bench.queue.done(uid)
        if uid in self.alive:
            self.bench.queue.delete(self.alive.pop(uid), "bound")

    @precondition(lambda self: self.alive)
    @rule(data=st.data())
    def delete(self, data: Any) -> None:
        uid = data.draw(st.sampled_from(sorted(self.alive)))
        self.bench.queue.delete(self.alive.pop(uid))

    @precondition(lambda self: self.alive)
    @rule(data=st.data(), priority=st.integers(0, 3), held=st.booleans())
    def update(self, data: Any, priority: int, *, held: bool) -> None:
        uid = data.draw(st.sampled_from(sorted(self.alive)))
        old = self.alive[uid]
        labels = {"held": "yes"} if held else {}
        new = PodInfo(make_pod(old.pod.metadata.name, priority=priority, labels=labels), ResourceAxis())
        self.alive[uid] = new
        self.bench.queue.update(old, new, [POD_UPDATE])

    @rule(
        event=st.sampled_from([NODE_ADD, ASSIGNED_POD_DELETE]),
        node=st.sampled_from(["big node", "small node"]),
    )
    def move(self, event: Any, node: str) -> None:
        self.bench.queue.move_all(event, None, node)

    @rule(seconds=st.integers(0, 12))
    def wait(self, seconds: int) -> None:
        self.bench.clock.advance(seconds * MICROSECONDS)
        self.bench.queue.flush_backoff_completed()
        self.bench.queue.flush_unschedulable_leftover(20 * MICROSECONDS)

    @invariant()
    def every_pod_stands_in_exactly_one_place(self) -> None:
        queue = self.bench.queue
        places = [
            *(pod.uid for pod in queue.active.heap),
            *(pod.uid for pod in queue.backoff),
            *queue.unschedulable,
        ]
        assert len(places) == len(set(places))
        assert set(places) | (self.in_flight.keys() & self.alive.keys()) == self.alive.keys()
        assert not set(places) & (self.in_flight.keys() & self.alive.keys())


QueueMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestQueue = QueueMachine.TestCase
