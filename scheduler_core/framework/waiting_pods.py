"""Pods that Permit plugins hold back.

Source: pkg/scheduler/framework/runtime/waiting_pods_map.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.framework.status import Code, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scheduler_core.snapshot.pod_info import PodInfo


class WaitingPod:
    """A pod between Permit and its binding, and who has not allowed it yet (plugin → deadline, virtual µs)."""

    __slots__ = ("deadlines", "node_name", "on_decided", "pod_info", "status")

    def __init__(self, pod_info: PodInfo, node_name: str, deadlines: dict[str, int]) -> None:
        self.pod_info = pod_info
        self.node_name = node_name
        self.deadlines = deadlines
        self.status: Status | None = None
        self.on_decided: Callable[[], None] | None = None

    @property
    def first_deadline(self) -> tuple[int, str]:
        """When the first timeout strikes, and whose it is."""
        return min((deadline, plugin) for plugin, deadline in self.deadlines.items())

    def allow(self, plugin: str) -> None:
        """Counts a plugin's consent; the last one lets the pod go."""
        self.deadlines.pop(plugin, None)
        if not self.deadlines:
            self._decide(Status(Code.SUCCESS))

    def reject(self, plugin: str, message: str) -> None:
        """Refuses the pod."""
        self._decide(Status(Code.UNSCHEDULABLE, (message,), plugin))

    def _decide(self, status: Status) -> None:
        if self.status is not None:
            return
        self.status = status
        if self.on_decided is not None:
            self.on_decided()


class WaitingPods:
    """Waiting pods by uid, in the order in which they came."""

    def __init__(self) -> None:
        self._pods: dict[str, WaitingPod] = {}

    def __iter__(self) -> Iterator[WaitingPod]:
        return iter(tuple(self._pods.values()))

    def add(self, waiting: WaitingPod) -> None:
        """Adds a pod."""
        self._pods[waiting.pod_info.uid] = waiting

    def get(self, uid: str) -> WaitingPod | None:
        """The waiting pod, or None."""
        return self._pods.get(uid)

    def remove(self, uid: str) -> None:
        """Drops a pod whose wait is over."""
        self._pods.pop(uid, None)
