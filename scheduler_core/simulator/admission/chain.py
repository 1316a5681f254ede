"""Admission: what the API server does to an object before it is stored, plugin after plugin.

Source: pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scheduler_core.api.pod import Pod
from scheduler_core.simulator.admission.priority import admit_priority
from scheduler_core.simulator.api_server.interface import Admitted

if TYPE_CHECKING:
    from scheduler_core.simulator.object_store import ObjectStore


class AdmissionChain:
    """The plugins in their order, over one store."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    def admit(self, object_: Any) -> Admitted:
        """Admits a new object.

        Raises:
            ApiError: a plugin refuses it.
        """
        if isinstance(object_, Pod):
            return Admitted(admit_priority(object_, self._store), {})
        return Admitted(object_, {})

    def admit_update(self, old: Any, new: Any) -> Any:
        """Admits a change.

        Raises:
            ApiError: a plugin refuses it.
        """
        return new
