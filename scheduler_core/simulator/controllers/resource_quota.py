"""resourcequota-controller: writes into a quota's status how much of it is in use.

Source: pkg/controller/resourcequota/resource_quota_controller.go, syncResourceQuota, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from scheduler_core.api.kinds import KINDS
from scheduler_core.api.quotas import ResourceQuotaStatus

if TYPE_CHECKING:
    from scheduler_core.simulator.controllers.interface import Cluster, WorkQueue

_KIND: Final = "ResourceQuota"


class ResourceQuotaController:
    """Answers what comes and goes in a namespace with quotas."""

    name = "resourcequota-controller"
    kinds = frozenset(info.kind for info in KINDS if info.namespaced)

    def __init__(self, cluster: Cluster, queue: WorkQueue) -> None:
        self._api = cluster.api
        self._admission = cluster.api.admission
        self._queue = queue

    def start(self) -> None:
        """Looks at all quotas."""
        for quota in self._api.list(_KIND):
            self._queue.enqueue(quota.metadata.namespace)

    def on_event(self, kind: str, old: Any | None, new: Any | None) -> None:
        """A quota changed, or something came, went or ended."""
        if (
            kind == _KIND
            or old is None
            or new is None
            or (kind == "Pod" and old.status.phase != new.status.phase)
        ):
            self._queue.enqueue((new or old).metadata.namespace)  # type: ignore[union-attr]

    def sync(self, key: str) -> None:
        """Writes the status of a namespace's quotas, where it is another."""
        for quota in self._api.list(_KIND, key):
            used = dict(self._admission.used(quota))
            status = ResourceQuotaStatus(hard=quota.spec.hard, used=used)
            self._api.update_status(msgspec.structs.replace(quota, status=status), by=self.name)
