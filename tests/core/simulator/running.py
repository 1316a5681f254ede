"""Small runs for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from scheduler_core.api.kinds import KubeObject
from scheduler_core.config import load_config
from scheduler_core.framework.registry import Registry
from scheduler_core.plugins.in_tree import IN_TREE
from scheduler_core.simulator import CONFORMANCE, RunResult, Simulator, SimulatorOptions, Step
from scheduler_core.trace.sink import MemorySink


class Run:
    """A run and what it left."""

    def __init__(
        self,
        objects: Iterable[KubeObject],
        *,
        steps: Sequence[Step] = (),
        options: SimulatorOptions = CONFORMANCE,
        config: str = "",
        plugins: dict[str, Any] | None = None,
    ) -> None:
        self.sink = MemorySink(details=True)
        registry = Registry({**IN_TREE, **(plugins or {})})
        self.simulator = Simulator(load_config(config), options, self.sink, registry=registry)
        self.simulator.load(objects)
        self.result: RunResult = self.simulator.run(steps)

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.sink.lines]

    def of_type(self, *types: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["type"] in types]
