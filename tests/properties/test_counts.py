"""Bound, finished and used are one number wherever they are shown: core, imported items, and the browser's store.

The core's numbers at every cycle and at the end of runs are recorded, and the store of the pages, run under Node, is
held against them (``frontend/tests/agreement``).
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.imports.items import add_pods, counts_of, node_item, pod_item
from scheduler_core.api import Node, Pod, Source, default_object, load_manifests
from scheduler_core.api.pod_resources import pod_requests, to_ints
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator, read_scenario
from scheduler_core.trace.sink import MemorySink
from tests.core.simulator.controllers.cluster import template, workload
from tests.make import make_node, make_pod
from tests.needs import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from scheduler_core.api.kinds import KubeObject

FINISHED = ROOT / "tests/inputs/faults/pages/finished.json"
ZONE = "topology.kubernetes.io/zone"


class CountingSink(MemorySink):
    """Notes what the core counts whenever a cycle begins and at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.simulator: Simulator | None = None
        self.counted: list[dict[str, Any]] = []
        self.placed: set[str] = set()

    def write(self, seq: int, data: bytes) -> None:
        event = json.loads(data)
        if event["type"] == "PodBound":
            self.placed.add(event["pod"])
        elif event["type"] == "PodDeleted":
            self.placed.discard(event["pod"])
        if event["type"] in ("CycleStarted", "RunFinished") and self.simulator is not None:
            self.counted.append({"seq": seq, "placed": sorted(self.placed), **counted(self.simulator)})
        super().write(seq, data)


def counted(simulator: Simulator) -> dict[str, Any]:
    """What objects and the scheduler's cache say now."""
    nodes = [node for node in simulator.store.list("Node") if isinstance(node, Node)]
    used = {node.metadata.name: {"cpu": 0, "pods": 0} for node in nodes}
    standings: Counter[str] = Counter()
    for pod in simulator.store.list("Pod"):
        assert isinstance(pod, Pod)
        standings[pod.standing] += 1
        name = pod.spec.node_name or simulator.scheduler.cache.node_of(pod.metadata.uid)
        if pod.standing != "finished" and name in used:
            used[name]["cpu"] += pod_requests(pod).get("cpu", 0)
            used[name]["pods"] += 1
    assert (simulator.num_bound, simulator.num_finished) == (standings["bound"], standings["finished"])
    return {
        "bound": standings["bound"],
        "finished": standings["finished"],
        "used": used,
        "allocatable": sum(to_ints(node.status.allocatable).get("cpu", 0) for node in nodes),
    }


def recording(objects: Sequence[KubeObject], scenario: bytes | None = None, seed: int = 0) -> dict[str, Any]:
    """A run, with what the interface gives of its cluster and what the core counted on the way."""
    sink = CountingSink()
    options = replace(DEFAULT, seed=seed, horizon_us=400_000_000)
    simulator = sink.simulator = Simulator(load_config(""), options, sink)
    simulator.load(objects)
    edits = read_scenario(scenario, "scenario.yaml").edits if scenario else ()
    result = simulator.run(edits=edits)
    last = sink.counted[-1]
    assert (result.num_bound, result.num_finished) == (last["bound"], last["finished"])
    nodes = [node_item(each) for each in objects if isinstance(each, Node)]
    pods = [pod_item(each) for each in objects if isinstance(each, Pod)]
    add_pods(nodes, pods)
    started = json.loads(sink.lines[0])
    counts = counts_of(nodes, pods, len(objects))
    assert (started["num_bound"], started["num_pending"]) == (counts["bound"], counts["pending"])
    events = [json.loads(line) for line in sink.lines]
    return {"nodes": nodes, "pods": pods, "events": events, "details": {}, "counted": sink.counted}


def lively_cluster(seed: int) -> tuple[list[KubeObject], bytes]:
    """Workloads whose pods start, end and fail, on nodes that are drained, lost and added."""
    draw = random.Random(seed)
    lively = {
        f"scheduler-playground/{name}": text
        for name, text in (("start-delay", "uniform(1s, 5s)"), ("run-time", "exponential(20s)"), ("exit-code", "1,0"))
    }  # fmt: skip
    job = {
        "parallelism": draw.randint(1, 3),
        "completions": 6,
        "template": template(annotations=lively, restartPolicy="Never"),
    }
    objects: list[KubeObject] = [
        *(
            make_node(f"n{number}", cpu=draw.choice(("3", "8")), labels={ZONE: f"z{number % 2}"})
            for number in range(5)
        ),
        workload("Deployment", replicas=draw.randint(3, 9)),
        workload("StatefulSet", "db", replicas=2, template=template({"app": "db"})),
        workload("DaemonSet", "agent", template=template({"app": "agent"}, cpu="100m")),
        workload("Job", "load", group="batch/v1", **job),
        make_pod("done", node="n0", requests={"cpu": "2"}, status={"phase": "Succeeded"}),
        make_pod("never-ran", status={"phase": "Failed"}),
        make_pod("urgent", requests={"cpu": "2"}, priority=1000),
    ]
    edits = [
        {"at": "10s", "kind": "drain", "nodes": ["n1"], "force": True},
        {"at": "30s", "kind": "lose", "nodes": ["n2"]},
        {"at": "60s", "kind": "delete", "object": "Pod/default/urgent"},
        {"at": "90s", "kind": "removeNodes", "nodes": ["n3"]},
        {"at": "120s", "kind": "restore", "nodes": ["n2"]},
    ]
    scenario = {"apiVersion": "playground/v1", "kind": "Scenario", "edits": draw.sample(edits, 4)}
    return objects, json.dumps(scenario).encode()


def objects_of(path: Path) -> list[KubeObject]:
    loaded = load_manifests([Source(path.name, path.read_bytes())])
    return [default_object(item.object) for item in loaded.objects]


def recordings() -> Iterable[tuple[str, dict[str, Any]]]:
    yield "finished", recording(objects_of(FINISHED))
    for path in sorted((ROOT / "examples").glob("*.yaml")):
        yield path.stem, recording(objects_of(path))
    for seed in range(8):
        yield f"lively-{seed}", recording(*lively_cluster(seed), seed=seed)


def test_pods_that_have_run_to_their_end_count_nowhere() -> None:
    run = recording(objects_of(FINISHED))
    (node,) = run["nodes"]
    assert (node["num_pods"], node["requested"]) == (0, {"pods": 0})
    started, ended = run["events"][0], run["events"][-1]
    assert (started["num_bound"], started["num_pending"], started["num_finished"]) == (0, 1, 3)
    assert (ended["num_bound"], ended["num_pending"], ended["num_finished"]) == (1, 0, 3)


def test_the_pages_count_as_the_core_does_at_every_cycle(tmp_path: Path) -> None:
    for name, run in recordings():
        (tmp_path / f"{name}.json").write_text(json.dumps(run))
    done = subprocess.run(
        ["npx", "vitest", "run", "--config", "tests/agreement/vitest.config.ts", "--root", "."],
        cwd=ROOT / "frontend",
        env={**os.environ, "RECORDINGS": str(tmp_path), "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
