"""How many pods of each workload are available: before, at the lowest, and at the end of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.kinds import object_key
from scheduler_core.api.pod import RUNNING

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod
    from scheduler_core.simulator.object_store import ObjectStore

_SCALED: Final = ("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController")


class Workload(msgspec.Struct, frozen=True):
    """A workload's pods that run and are ready, out of ``wanted``, its replicas at the end.

    ``lowest`` is where they fell furthest, from ``before``; both are ``after`` where they never fell.
    """

    object: str
    wanted: int
    before: int
    lowest: int
    after: int


class _Course:
    """How many were available in the course of the run."""

    __slots__ = ("before", "lowest", "now", "peak")

    def __init__(self) -> None:
        self.now = self.peak = self.before = self.lowest = 0

    def move(self, by: int) -> None:
        self.now += by
        if by > 0:
            self.peak = max(self.peak, self.now)
        if self.peak - self.now > self.before - self.lowest:
            self.before, self.lowest = self.peak, self.now

    def want(self, replicas: int) -> None:
        """Fewer are wanted: that they go is no loss."""
        self.peak = min(self.peak, max(replicas, 0))


class Availability:
    """Counts from the first edit on."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store
        self._courses: dict[str, _Course] = {}
        self._is_on = False

    def start(self) -> None:
        """Takes what there is as it was before; again has no effect."""
        if self._is_on:
            return
        self._is_on = True
        for pod in self._store.list("Pod"):
            if is_available(pod):
                self._course(self._workload_of(pod)).move(1)
        self._store.listen(self._on_event)

    def workloads(self) -> tuple[Workload, ...]:
        """Those that lost pods on the way or end with fewer than they should have, in order of their names."""
        found = []
        for kind in _SCALED if self._is_on else ():
            for object_ in self._store.list(kind):
                metadata = object_.metadata
                if metadata.controller() is not None:
                    continue
                key = object_key(kind, metadata.namespace, metadata.name)
                course = self._courses.get(key) or _Course()
                wanted = _replicas(object_)
                if course.lowest < course.before:
                    found.append(Workload(key, wanted, course.before, course.lowest, course.now))
                elif course.now < wanted:
                    found.append(Workload(key, wanted, course.now, course.now, course.now))
        return tuple(sorted(found, key=lambda one: one.object))

    def _on_event(self, kind: str, old: Any, new: Any) -> None:
        if kind in _SCALED and old is not None and new is not None:
            if _replicas(new) < _replicas(old):
                self._course(object_key(kind, new.metadata.namespace, new.metadata.name)).want(_replicas(new))
        elif kind == "Pod":
            was, is_now = old is not None and is_available(old), new is not None and is_available(new)
            if was != is_now:
                self._course(self._workload_of(new if new is not None else old)).move(is_now - was)

    def _course(self, key: str) -> _Course:
        return self._courses.setdefault(key, _Course())

    def _workload_of(self, pod: Pod) -> str:
        metadata = pod.metadata
        owner = metadata.controller()
        if owner is None:
            return ""
        if owner.kind == "ReplicaSet":
            set_ = self._store.get("ReplicaSet", metadata.namespace, owner.name)
            owner = (set_.metadata.controller() if set_ is not None else None) or owner
        return object_key(owner.kind, metadata.namespace, owner.name)


def _replicas(object_: Any) -> int:
    return 1 if object_.spec.replicas is None else int(object_.spec.replicas)


def is_available(pod: Pod) -> bool:
    """Returns whether a pod runs, is not said to be unready, and is not about to go."""
    if pod.status.phase != RUNNING or not pod.spec.node_name or pod.metadata.deletion_timestamp is not None:
        return False
    return all(each.status == "True" for each in pod.status.conditions if each.type == "Ready")
