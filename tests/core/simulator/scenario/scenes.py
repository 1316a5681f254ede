"""Runs of small scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Question, Simulator, SimulatorOptions, read_edits
from scheduler_core.trace import MemorySink
from tests.make import make

OPTIONS = msgspec.structs.replace(DEFAULT, tie_break="lowest-name", controllers="off")
"""Without controllers, so that a test sees the edit alone."""


class Scene:
    """A run of edits over objects, and what it left."""

    def __init__(
        self,
        objects: Iterable[Any],
        *edits: dict[str, Any],
        options: SimulatorOptions = OPTIONS,
        question: Question | None = None,
        **changes: Any,
    ) -> None:
        self.sink = MemorySink()
        self.objects = [make(it) if isinstance(it, dict) else it for it in objects]
        options = msgspec.structs.replace(options, **changes)
        self.simulator = Simulator(load_config(""), options, self.sink)
        planned = read_edits(edits, objects=self.objects)
        self.simulator.load(self.objects, question or Question())
        self.result = self.simulator.run(edits=planned)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.sink.lines]

    def of_type(self, *types: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] in types]

    def get(self, kind: str, name: str, namespace: str = "default") -> Any:
        return self.simulator.api.get(kind, namespace, name)

    def node(self, name: str) -> Any:
        return self.get("Node", name, "")

    @property
    def refusals(self) -> list[tuple[str, str]]:
        return [(refused.kind, refused.message) for refused in self.result.refused_edits]


def deployment(name: str = "web", replicas: int = 2, **spec: Any) -> dict[str, Any]:
    """A deployment of one container."""
    labels = {"app": name}
    containers = [{"name": "main", "image": f"{name}:1", "resources": {"requests": {"cpu": "1"}}}]
    template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template, **spec},
    }
