"""A handle over a snapshot and the objects beside it, for plugins that need one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.api.kinds import KubeObject
from scheduler_core.api.node import Node
from scheduler_core.api.pod import Pod
from scheduler_core.simulator.object_store import ObjectStore
from scheduler_core.snapshot.snapshot import Snapshot
from tests.make import make, make_snapshot


class SmallHandle:
    """The part of a handle that looks: a snapshot, a lister, the feature gates."""

    def __init__(
        self, snapshot: Snapshot, objects: Iterable[KubeObject] = (), gates: Mapping[str, bool] | None = None
    ) -> None:
        self.snapshot = snapshot
        self.lister = ObjectStore()
        self._gates = gates or {}
        for found in objects:
            self.lister.put(found.kind, found)

    def feature_enabled(self, gate: str) -> bool:
        return self._gates.get(gate, True)


def handle_of(
    nodes: Iterable[Node] = (), pods: Iterable[Pod] = (), objects: Iterable[KubeObject] = (), **gates: bool
) -> Any:
    """Returns a handle that sees nodes, pods bound to them and other objects."""
    return SmallHandle(make_snapshot(nodes, pods), objects, gates)


def make_namespace(name: str, **labels: str) -> KubeObject:
    """Returns a namespace with labels."""
    return make({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}})
