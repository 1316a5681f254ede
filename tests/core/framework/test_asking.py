"""A fault of a plugin costs the pod its attempt, and never the run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scheduler_core.config import load_config
from scheduler_core.framework.registry import Registry
from scheduler_core.plugins.in_tree import IN_TREE
from scheduler_core.simulator import CONFORMANCE, Simulator
from scheduler_core.trace.sink import MemorySink
from tests.make import make_node, make_pod

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
WORDS = "internal error: KeyError: 'lost'"


def look_up(*_: Any) -> Any:
    """Fails as a plugin with a fault does."""
    return {}["lost"]


def pass_over(*_: Any) -> None:
    """Has nothing to say."""


FAULTY: dict[str, dict[str, Any]] = {
    f'running PreFilter plugin "Faulty": {WORDS}': {"pre_filter": look_up},
    f'running "Faulty" filter plugin: {WORDS}': {"filter": look_up},
    f'running PreScore plugin "Faulty": {WORDS}': {"pre_score": look_up},
    f'running Score plugins: plugin "Faulty" failed with: {WORDS}': {"score": look_up},
    f'running Normalize on Score plugins: plugin "Faulty" failed with: {WORDS}': {
        "score": lambda state, pod, nodes, rows: rows * 0,
        "normalize_score": look_up,
    },
    f'running Reserve plugin "Faulty": {WORDS}': {"reserve": look_up, "unreserve": pass_over},
}


@pytest.mark.parametrize("message", FAULTY)
def test_a_plugin_that_raises_costs_the_attempt_with_its_name(message: str) -> None:
    own = type("Faulty", (), {"name": "Faulty"})()
    vars(own).update(FAULTY[message])
    registry = Registry(IN_TREE)
    registry.register("Faulty", lambda args, handle: own)
    profiles = [
        {"schedulerName": "default-scheduler"},
        {"schedulerName": "own", "plugins": {"multiPoint": {"enabled": [{"name": "Faulty"}]}}},
    ]
    sink = MemorySink(details=True)
    simulator = Simulator(
        load_config(json.dumps({**HEAD, "profiles": profiles})), CONFORMANCE, sink, registry=registry
    )
    pods = [make_pod("faulty", schedulerName="own"), make_pod("sound")]
    simulator.load([make_node("n1"), make_node("n2"), *pods])
    result = simulator.run()
    failed = [event for line in sink.lines if (event := json.loads(line))["type"] == "PodUnschedulable"]
    assert [(event["pod"], event["message"], event["error"]) for event in failed] == [
        ("default/faulty", message, True)
    ]
    assert list(result.placements) == ["default/sound"]
