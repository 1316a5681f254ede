"""What a run did to pods beside placing them: who had to go and for whom, and what was not let in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from scheduler_core.api.kinds import object_key

if TYPE_CHECKING:
    from scheduler_core.api.pod import Pod

PodEnd = Literal["preempted", "evicted"]
_EVICTING: Final = frozenset({"taint-eviction-controller", "pod-garbage-collector-controller"})
_replace = msgspec.structs.replace


class Evicted(msgspec.Struct, frozen=True):
    """A pod that had to leave its node.

    ``reason``: "preempted", for the pod ``preemptor``; or "evicted", by a drain (``by`` is "edit") or by a controller
    that cleared a lost or tainted node.
    """

    pod: str
    node: str
    reason: PodEnd
    by: str
    priority: int = 0
    preemptor: str = ""


class NotAdmitted(msgspec.Struct, frozen=True):
    """What ``by`` could not create, for admission refused it; ``message`` is that of the last time.

    ``object`` is the workload that a refused pod was for, such as ``ReplicaSet/default/web-5d``, else what was refused.
    """

    object: str
    by: str
    message: str
    times: int = 1


class Account:
    """Collects it as the API server's stand-in does it, whether anybody reads the trace or not."""

    def __init__(self) -> None:
        self.evicted: list[Evicted] = []
        self._seen: set[str] = set()
        self._not_admitted: dict[str, NotAdmitted] = {}

    @property
    def not_admitted(self) -> tuple[NotAdmitted, ...]:
        """What was refused and has not been let in since, in order of its first refusal."""
        return tuple(self._not_admitted.values())

    def leaving(self, pod: Pod, by: str, reason: str) -> None:
        """A pod goes, or was asked to end. Ended pods, and those that their owner deletes, are no evictions."""
        if pod.metadata.uid in self._seen or not pod.spec.node_name or pod.standing == "finished":
            return
        how: PodEnd
        if reason == "preempted":
            how = "preempted"
        elif reason == "evicted" or by in _EVICTING:
            how = "evicted"
        else:
            return
        self._seen.add(pod.metadata.uid)
        self.evicted.append(Evicted(pod.key, pod.spec.node_name, how, by, pod.spec.priority or 0))

    def note_preemptor(self, key: str) -> None:
        """A pod was nominated: the victims that went last went for it."""
        for number in range(len(self.evicted) - 1, -1, -1):
            victim = self.evicted[number]
            if victim.reason != "preempted" or victim.preemptor:
                break
            self.evicted[number] = _replace(victim, preemptor=key)

    def refused(self, object_: Any, by: str, message: str) -> None:
        """Admission refused an object that a controller or an edit would have created."""
        key = _creation(object_)
        known = self._not_admitted.get(key)
        times = known.times + 1 if known is not None else 1
        self._not_admitted[key] = NotAdmitted(key, by, message, times)

    def admitted(self, object_: Any) -> None:
        """Admission took an object; its workload is no longer held up."""
        if self._not_admitted:
            self._not_admitted.pop(_creation(object_), None)


def _creation(object_: Any) -> str:
    """What tells one thing to be created from another: pods of a workload are one."""
    metadata = object_.metadata
    owner = metadata.controller()
    if owner is not None:
        return object_key(owner.kind, metadata.namespace, owner.name)
    return object_key(object_.kind, metadata.namespace, metadata.name)
