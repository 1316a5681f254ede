"""Finished jobs go when their time to live is over.

Source: pkg/controller/ttlafterfinished/ttlafterfinished_controller.go, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.base import ControllerBase
from scheduler_core.simulator.controllers.job.outcome import COMPLETE, FAILED_CONDITION

if TYPE_CHECKING:
    from scheduler_core.api.batch import Job


class TTLAfterFinishedController(ControllerBase):
    """Deletes jobs that say for how long they are kept."""

    name = "ttl-after-finished-controller"
    kind = "Job"
    kinds = frozenset({"Job"})

    def sync(self, key: str) -> None:
        """Deletes a job whose time is over, its pods first; looks again later at one whose time is not."""
        job: Job | None = self._find(key)
        if job is None or job.spec.ttl_seconds_after_finished is None:
            return
        finished = next(
            (
                own
                for own in job.status.conditions
                if own.type in (COMPLETE, FAILED_CONDITION) and own.status == "True"
            ),
            None,
        )
        if finished is None or job.metadata.deletion_timestamp is not None:
            return
        since = self._in_run(finished.last_transition_time)
        left_us = since + job.spec.ttl_seconds_after_finished * MICROSECONDS - self._wall_us()
        if left_us > 0:
            self._queue.enqueue_after(key, left_us)
        else:
            metadata = job.metadata
            self._api.delete(
                self.kind, metadata.namespace, metadata.name, by=self.name, propagation="Foreground"
            )
