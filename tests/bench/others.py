"""What has no figure of kube-scheduler's: preemption, loading, a run that nobody watches, a churning cluster."""

from __future__ import annotations

import json
import os
import random
from itertools import chain
from typing import Any

import msgspec

from engine.collector import set_aside
from scheduler_core.api import Source, decode_object, load_manifests
from scheduler_core.config import load_config
from scheduler_core.simulator import CONFORMANCE, DEFAULT, Simulator
from tests.bench.churn import workload
from tests.bench.cold import cold_detail
from tests.bench.dump import through_the_command_line
from tests.bench.make_workload import FIRST_BOUND, Raw, case, node, pod
from tests.bench.measure import measure, peak_mib
from tests.bench.sinks import SummarySink

_PREEMPT_NODES, _PREEMPT_BOUND, _PREEMPT_ARRIVALS = 1000, 10_000, 200
_LOAD_NODES, _LOAD_PODS = 5000, 50_000
_LARGE_NODES, _LARGE_BOUND, _LARGE_PENDING = 15_000, 150_000, 2000


class CountingSink(SummarySink):
    """Counts preemptions."""

    def __init__(self) -> None:
        self.num_preemptions = 0

    def write(self, seq: int, data: bytes) -> None:
        """Looks at the event's type."""
        self.num_preemptions += b'"type":"VictimsSelected"' in data


def preemption() -> dict[str, Any]:
    """1,000 nodes full of 10,000 pods of low priority, and 200 arrivals that need room."""
    objects = [{**node(index), "spec": {}} for index in range(_PREEMPT_NODES)]
    objects += [
        _prioritized(f"low-{index:05d}", "3", index % 7, f"node-{index % _PREEMPT_NODES:05d}")
        for index in range(_PREEMPT_BOUND)
    ]
    objects += [_prioritized(f"high-{index:03d}", "4", 1000) for index in range(_PREEMPT_ARRIVALS)]
    sink = CountingSink()
    simulator = Simulator(load_config(""), CONFORMANCE, sink)
    simulator.load(decode_object(raw) for raw in objects)
    set_aside()
    took = measure(simulator.run)
    return {
        "preemptions": sink.num_preemptions,
        "per_s": round(sink.num_preemptions / took.seconds, 1),
        **_common(took),
    }


def loading() -> dict[str, Any]:
    """5,000 nodes and 50,000 pods as scheduling reads them, from text to a cluster ready to run."""
    objects = case(_LOAD_NODES, _LOAD_PODS - 2 * _LOAD_NODES, "mixed")["objects"]
    for raw in objects:  # what scheduling does not read, so that the text has its usual size
        raw["metadata"].setdefault("annotations", {})["note"] = "x" * 600
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    del objects

    def load() -> None:
        loaded = load_manifests([Source("cluster.json", text)])
        simulator = Simulator(load_config(""), DEFAULT, SummarySink())
        simulator.load(found.object for found in loaded.objects)

    took = measure(load)
    return {"mb": round(len(text) / 1e6), "seconds": round(took.seconds, 2), **_common(took)}


def unwatched() -> dict[str, Any]:
    """plain:1000:2000 without a sink and with one: pods a second."""
    made = case(1000, 2000, "plain")
    rates = {}
    for name, sink in (("no_sink", None), ("summary", SummarySink())):
        simulator = Simulator(load_config(""), CONFORMANCE, sink)
        simulator.load(decode_object(raw) for raw in made["objects"])
        set_aside()
        took = measure(simulator.run)
        rates[name] = round(2000 / took.seconds)
    return {**rates, **_common(took)}


def churning() -> dict[str, Any]:
    """The tenth workload with the seed SEED, with and without reuse: whether the events are the same."""
    size = [int(part) for part in os.environ.get("SIZE", "1000:5000:500").split(":")]
    seed = int(os.environ.get("SEED", "1"))
    found: dict[str, Any] = {"seed": seed}
    digests = []
    for name, reuse in (("reuse", True), ("plain", False)):
        objects, steps = workload(seed, *size)
        simulator = Simulator(load_config(""), msgspec.structs.replace(DEFAULT, reuse=reuse), SummarySink())
        simulator.load(decode_object(raw) for raw in objects)
        took = measure(lambda simulator=simulator, steps=steps: simulator.run(steps))  # type: ignore[misc]
        result = simulator.result()
        digests.append(result.digest)
        found[f"{name}_s"] = round(took.seconds, 1)
        found["cycles"] = result.num_cycles
    return {**found, "same": digests[0] == digests[1], **_common(took)}


def large() -> dict[str, Any]:
    """15,000 nodes with 150,000 bound pods, and 2,000 pending ones: the most memory at any time."""
    draw = random.Random(1)
    raws = chain(
        (node(index) for index in range(_LARGE_NODES)),
        (pod(index, "plain", draw, f"node-{index % _LARGE_NODES:05d}") for index in range(_LARGE_BOUND)),
        (pod(FIRST_BOUND + index, "mixed", draw) for index in range(_LARGE_PENDING)),
    )
    simulator = Simulator(load_config(""), DEFAULT, SummarySink())
    loading = measure(lambda: simulator.load(map(decode_object, raws)))
    loaded = round(peak_mib())
    set_aside()
    took = measure(simulator.run)
    return {
        "bound": simulator.result().num_bound,
        "load_s": round(loading.seconds, 1),
        "loaded_mib": loaded,
        "pods_per_s": round(_LARGE_PENDING / took.seconds),
        **_common(took),
    }


OTHERS = {
    "preemption": preemption,
    "loading": loading,
    "unwatched": unwatched,
    "churning": churning,
    "cold": cold_detail,
    "dump": through_the_command_line,
    "large": large,
}


def _common(took: Any) -> dict[str, Any]:
    return {"speed": round(took.speed, 2), "peak_mib": round(peak_mib())}


def _prioritized(name: str, cpu: str, priority: int, node_name: str = "") -> Raw:
    spec: Raw = {
        "priority": priority,
        "containers": [{"name": "c", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}],
    }
    made: Raw = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "default", "labels": {"app": name[:3]}},
        "spec": spec,
    }
    if node_name:
        spec["nodeName"] = node_name
        made["status"] = {"phase": "Running"}
    return made
