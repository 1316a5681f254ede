"""What a controller is, and what it gets: the cluster, and a queue that says what to look at.

Source: client-go/util/workqueue, k8s.io/client-go v0.34.1
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.api_server.names import stream

if TYPE_CHECKING:
    from scheduler_core.clock import VirtualClock
    from scheduler_core.scheduler.tie_break import SplitMix64
    from scheduler_core.simulator.api_server.server import ApiServer
    from scheduler_core.simulator.event_loop import CallLater, Cancel
    from scheduler_core.simulator.options import SimulatorOptions
    from scheduler_core.trace.sink import Tracer

FIRST_RETRY_US: Final = 5_000
LONGEST_RETRY_US: Final = 1_000_000_000
OBJECT_US: Final = 100
"""How long a reconciliation takes for each object that it looks at."""


@dataclass(frozen=True)
class Cluster:
    """What controllers work with."""

    api: ApiServer
    clock: VirtualClock
    call_later: CallLater
    """(delay in virtual µs, step) → number"""
    cancel: Cancel
    """Has a step of that number not done after all."""
    options: SimulatorOptions
    tracer: Tracer
    activate: Callable[[str], None]
    """Has a controller come on by its name, if the run has it."""

    def random(self, name: str) -> SplitMix64:
        """Returns the generator that belongs to a name alone, such as a controller's."""
        return stream(self.options.seed, name)


class Controller(Protocol):
    """Makes the cluster what an object says it should be."""

    name: str
    """Upstream's, such as ``replicaset-controller``."""
    kinds: frozenset[str]
    """Which kinds' events it is told of, once it is on."""

    def start(self) -> None:
        """Comes on: looks at what is there, and enqueues; writes nothing."""
        ...

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """Looks at one change, and enqueues; writes nothing."""
        ...

    def sync(self, key: str) -> None:
        """Reconciles one object. An ApiError has it tried again later."""
        ...


class _Later(NamedTuple):
    """When a key is to be reconciled, by which step."""

    due_us: int
    number: int
    is_passive: bool


class WorkQueue:
    """Keys to reconcile, each once however often it was enqueued, in the order in which they came.

    A key is synced one ``controller_us`` after it was enqueued. One that fails is tried again after 5 ms, and
    after twice as long each further time, up to 1,000 s. Changes that come while a large object is being reconciled
    are looked at together afterwards, as a real worker does.
    """

    def __init__(self, cluster: Cluster, name: str) -> None:
        self._cluster = cluster
        self._name = name
        self._sync: Callable[[str], None] | None = None
        self._waiting: dict[str, None] = {}
        self._failures: dict[str, int] = {}
        self._busy_until_us: dict[str, int] = {}
        self._deferred: set[str] = set()
        self._later: dict[str, _Later] = {}

    def serve(self, sync: Callable[[str], None]) -> None:
        """Says who reconciles."""
        self._sync = sync

    def enqueue(self, key: str) -> None:
        """Has a key reconciled soon."""
        if key in self._waiting or key in self._deferred:
            return
        busy_us = self._busy_until_us.get(key, 0) - self._cluster.clock.now_us
        if busy_us > 0:
            self._deferred.add(key)
            self._cluster.call_later(busy_us, lambda: self._resume(key))
            return
        if not self._waiting:
            self._cluster.call_later(self._cluster.options.controller_us, self._work)
        self._waiting[key] = None

    def enqueue_after(self, key: str, delay_us: int, *, passive: bool = False) -> None:
        """Has a key reconciled in a while; of several whiles the shortest counts.

        ``passive``: to try again what was forbidden, which is in vain where nothing changes.
        """
        due_us = self._cluster.clock.now_us + delay_us
        known = self._later.get(key)
        if known is not None and known.due_us <= due_us:
            return
        self.forget_later(key)
        number = self._cluster.call_later(delay_us, lambda: self._come_due(key), passive=passive)
        self._later[key] = _Later(due_us, number, passive)

    def forget_later(self, key: str) -> None:
        """Has a key not reconciled in a while after all."""
        known = self._later.pop(key, None)
        if known is not None:
            self._cluster.cancel(known.number, passive=known.is_passive)

    def busy(self, key: str, num_objects: int) -> None:
        """Says at how many objects a reconciliation looks."""
        if num_objects * OBJECT_US > self._cluster.options.controller_us:
            self._busy_until_us[key] = self._cluster.clock.now_us + num_objects * OBJECT_US

    def _come_due(self, key: str) -> None:
        del self._later[key]
        self.enqueue(key)

    def _resume(self, key: str) -> None:
        self._deferred.discard(key)
        self._busy_until_us.pop(key, None)
        self.enqueue(key)

    def _work(self) -> None:
        assert self._sync is not None
        keys, self._waiting = self._waiting, {}
        for key in keys:
            try:
                self._sync(key)
            except ApiError as refusal:
                failures = self._failures[key] = self._failures.get(key, 0) + 1
                retry_us = min(FIRST_RETRY_US << min(failures - 1, 30), LONGEST_RETRY_US)
                self.enqueue_after(key, retry_us, passive=refusal.reason == "Forbidden")
            else:
                self._failures.pop(key, None)
