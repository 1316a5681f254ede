"""Replication controllers: replica sets with a plain selector.

Source: pkg/controller/replication/{replication_controller,conversion}.go, v1.34.1
"""

from __future__ import annotations

from typing import Any

from scheduler_core.api.pod import PodTemplateSpec
from scheduler_core.api.selectors import LabelSelector
from scheduler_core.simulator.controllers.replica_set import ReplicaSetController


class ReplicationControllerController(ReplicaSetController):
    """Does for a replication controller what is done for a replica set."""

    name: str = "replicationcontroller-controller"
    kind: str = "ReplicationController"
    kinds: frozenset[str] = frozenset({"ReplicationController", "Pod"})

    def _selector(self, replica_set: Any) -> LabelSelector | None:
        return LabelSelector(match_labels=replica_set.spec.selector)

    def _template(self, replica_set: Any) -> Any:
        return replica_set.spec.template or PodTemplateSpec()
