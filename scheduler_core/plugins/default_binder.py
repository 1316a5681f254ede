"""Binds pods at the API server.

Source: pkg/scheduler/framework/plugins/defaultbinder/default_binder.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.plugins import names

if TYPE_CHECKING:
    from scheduler_core.framework.cycle_state import CycleState
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.status import Status
    from scheduler_core.snapshot.pod_info import PodInfo

NAME: Final = names.DEFAULT_BINDER


class DefaultBinder:
    """Writes the binding."""

    name = NAME

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def bind(self, state: CycleState, pod: PodInfo, node_name: str) -> Status | None:
        """Binds the pod to the node; what the API server refuses comes back as a status."""
        return self._handle.client.bind(pod, node_name)


def new(args: None, handle: Handle) -> DefaultBinder:
    """Makes the plugin."""
    return DefaultBinder(handle)
