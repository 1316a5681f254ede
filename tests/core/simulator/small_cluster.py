"""An API server of its own, for tests of what is written to it."""

from __future__ import annotations

import json
from typing import Any

from scheduler_core.clock import VirtualClock
from scheduler_core.simulator.admission.chain import AdmissionChain
from scheduler_core.simulator.api_server.errors import ApiError
from scheduler_core.simulator.api_server.server import ApiServer
from scheduler_core.simulator.object_store import ObjectStore
from scheduler_core.trace.sink import MemorySink, Tracer
from tests.make import make


class SmallCluster:
    """Objects that are there, and an API server over them."""

    def __init__(self, *objects: Any) -> None:
        self.clock = VirtualClock()
        self.sink = MemorySink()
        store = ObjectStore()
        self.api = ApiServer(store, self.clock, Tracer(self.clock, self.sink), AdmissionChain(store), seed=7)
        self.api.observe(make({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}))
        for object_ in objects:
            self.api.observe(make(object_) if isinstance(object_, dict) else object_)

    def create(self, object_: Any) -> Any:
        return self.api.create(make(object_) if isinstance(object_, dict) else object_, by="test")

    def refusal(self, object_: Any) -> str:
        """What the API server says when it refuses to create an object."""
        try:
            self.create(object_)
        except ApiError as refusal:
            return refusal.message
        raise AssertionError("not refused")

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.sink.lines]


def raw(kind: str, name: str, api_version: str = "v1", **fields: Any) -> dict[str, Any]:
    """The JSON form of an object of the namespace "default"."""
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "default"},
        **fields,
    }
