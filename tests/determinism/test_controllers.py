"""A run with all controllers gives the same bytes, whatever the seed of Python's hashes is; another seed, others."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.needs import ROOT

RUN = """
import sys
from msgspec.structs import replace
from scheduler_core.config import load_config
from scheduler_core.simulator import DEFAULT, Simulator
from scheduler_core.trace.sink import MemorySink
from tests.core.simulator.controllers.cluster import template, workload
from tests.make import make, make_node

lively = {f"scheduler-playground/{name}": text for name, text in (
    ("start-delay", "uniform(1s, 5s)"), ("run-time", "exponential(20s)"), ("exit-code", "1,0"))}
job = {"parallelism": 3, "completions": 6, "template": template(annotations=lively, restartPolicy="Never")}
zone = "topology.kubernetes.io/zone"
objects = [
    *(make_node(f"n{number}", cpu="8", labels={zone: f"z{number % 2}"}) for number in range(6)),
    workload("Deployment", replicas=7), workload("StatefulSet", "db", replicas=3, template=template({"app": "db"})),
    workload("DaemonSet", "agent", template=template({"app": "agent"}, cpu="100m")),
    workload("Job", "load", group="batch/v1", **job),
    workload("CronJob", "tick", group="batch/v1", schedule="* * * * *", jobTemplate={"spec": job}, template={}),
]
simulator = Simulator(load_config(""), replace(DEFAULT, seed=int(sys.argv[1]), horizon_us=400_000_000), MemorySink())
simulator.load(objects)
api = simulator.api
lost = {"metadata": {"annotations": {"scheduler-playground/kubelet": "stopped"}}}
edits = {
    20: lambda: api.patch("Deployment", "default", "web", {"spec": {"template": template(image="app:2")}}, by="edit"),
    30: lambda: api.patch("Node", "", "n1", lost, by="edit"),
    40: lambda: api.delete("StatefulSet", "default", "db", by="edit", propagation="Foreground"),
    90: lambda: api.delete("Node", "", "n3", by="edit"),
}
for second, edit in edits.items():
    simulator.loop.call_later(second * 1_000_000, edit)
result = simulator.run()
print(result.digest, result.last_seq, result.num_bound)
"""


def told(seed: str, hash_seed: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, seed],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_hash_seeds_do_not_matter_and_the_run_s_seed_does() -> None:
    first = told("3", "1")
    assert int(first[1]) > 500
    assert told("3", "2") == first
    assert told("4", "1")[0] != first[0]
