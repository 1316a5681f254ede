"""A cluster that was exported and read back is decided the same; an end state is where the run left it."""

from __future__ import annotations

import os
from typing import Any

import pytest

from scheduler_core.api import Source, canonical, export, load_manifests
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, RunResult, Simulator, end_state
from tests.conformance.compare import Case, read_cases, scheduling_files

FILES = [path for path in scheduling_files() if path.name != "extender.jsonl.gz"]
EACH = 1 if "ALL_EXAMPLES" in os.environ else 60


def run(case: Case, objects: Any) -> tuple[Simulator, RunResult]:
    simulator = Simulator(load_config(case.get("config") or ""), CONFORMANCE)
    simulator.load([item.object for item in objects])
    return simulator, simulator.run()


def last_of_each(objects: list[Any]) -> list[Any]:
    """A recorded case may hold an object twice; an import may not."""
    return list(
        {(o["kind"], str(o["metadata"].get("namespace")), o["metadata"]["name"]): o for o in objects}.values()
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_a_round_trip_changes_no_decision(path: Any) -> None:
    for number, case in enumerate(read_cases(path)[::EACH]):
        items = {"kind": "List", "apiVersion": "v1", "items": last_of_each(case["objects"])}
        loaded = load_manifests([Source("case", canonical(items))])
        format_: Any = ("json", "yaml")[number % 2]
        again = load_manifests([Source("again", export((item.raw for item in loaded.objects), format_))])
        simulator, result = run(case, loaded.objects)
        assert run(case, again.objects)[1].digest == result.digest, case["name"]
        left = end_state(loaded.objects, simulator.store)
        back = load_manifests([Source("left", export(left, format_))])
        pods = {f"{item.namespace}/{item.name}": item.object for item in back.objects if item.kind == "Pod"}
        nodes = {key: pod.spec.node_name for key, pod in pods.items()}  # type: ignore[union-attr]
        assert {key: node for key, node in nodes.items() if node} == result.placements, case["name"]
        assert sorted(key for key, node in nodes.items() if not node) == [p.pod for p in result.pending]
        after = run(case, back.objects)[1].placements
        assert result.placements.items() <= after.items() or result.num_pending, case["name"]


def test_what_the_run_did_not_touch_comes_back_as_it_was() -> None:
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1"},
        "status": {"addresses": [{"type": "x"}]},
    }
    node["status"]["allocatable"] = {"cpu": "1", "pods": "10"}  # type: ignore[index]
    container = {"name": "a", "command": ["sh"], "resources": {"requests": {"cpu": "1000m"}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [container]}}
    loaded = load_manifests([Source("x", canonical(node) + b"\n" + canonical(pod))])
    simulator, _ = run({}, loaded.objects)
    new_node, new_pod = end_state(loaded.objects, simulator.store)
    assert new_node == node
    assert new_pod["spec"]["nodeName"] == "n1"
    assert new_pod["status"]["phase"] == "Running"
    assert new_pod["spec"]["containers"] == [container]
