"""Orders activeQ by priority, then by how long pods wait.

Source: pkg/scheduler/framework/plugins/queuesort/priority_sort.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.plugins import names

if TYPE_CHECKING:
    from scheduler_core.framework.interface import Handle
    from scheduler_core.framework.types import QueuedPodInfo

NAME: Final = names.PRIORITY_SORT


class PrioritySort:
    """The queue's order: the highest priority first, of equal ones the one that was queued first."""

    name = NAME

    def sort_key(self, queued: QueuedPodInfo) -> tuple[int, ...]:
        """The smallest key is popped first."""
        return (-queued.pod_info.priority, queued.timestamp_us)


def new(args: None, handle: Handle) -> PrioritySort:
    """Makes the plugin."""
    return PrioritySort()
