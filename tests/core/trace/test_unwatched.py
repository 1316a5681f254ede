"""A trace that nobody reads costs nothing."""

from __future__ import annotations

import sys
from typing import Any, get_args

import pytest

from scheduler_core.api import decode_object
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator
from scheduler_core.trace.events import Event
from scheduler_core.trace.sink import MemorySink, Sink
from tests.bench.churn import workload


def num_built(monkeypatch: pytest.MonkeyPatch, sink: Sink | None) -> int:
    built = 0

    def counting(kind: Any) -> Any:
        def build(**fields: Any) -> Any:
            nonlocal built
            built += 1
            return kind(**fields)

        return build

    kinds = set(get_args(Event))
    with monkeypatch.context() as patched:
        for name, module in list(sys.modules.items()):
            if name.startswith("scheduler_core") and not name.startswith("scheduler_core.trace"):
                for attribute, value in list(vars(module).items()):
                    if isinstance(value, type) and value in kinds:
                        patched.setattr(module, attribute, counting(value))
        objects, steps = workload(seed=1, num_nodes=30, num_pods=150, num_templates=20)
        simulator = Simulator(load_config(""), DEFAULT, sink)
        simulator.load(decode_object(raw) for raw in objects)
        simulator.run(steps)
    return built


def test_without_a_sink_no_event_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    sink = MemorySink()
    assert num_built(monkeypatch, sink) == len(sink.lines) > 0
    assert num_built(monkeypatch, None) == 0
