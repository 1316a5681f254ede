"""``python -m tests.bench.check``: how long ``playground check`` takes from its start to its exit.

20 Deployments of three pods against 100 nodes with 1,000 bound pods, objects as large as those of real dumps; as JSON
and as YAML, the first time and the second, when a parsed copy is in the cache. The best of several, as wall time and as
processor time (user and system), for a busy machine tells only the second.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DUMPS = Path(os.environ.get("PLAYGROUND_DATA") or ROOT.parent / "shared") / "dumps"
NUM_NODES, NUM_PODS, NUM_MANIFESTS = 100, 1000, 20
Raw = dict[str, Any]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.check", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="the best of so many (default: 5)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        for dump in ("cluster.json", "cluster.yaml"):
            size = (folder / dump).stat().st_size / 1e6
            first = [measure(folder, dump, f"cache-{dump}-{number}") for number in range(options.runs)]
            second = [measure(folder, dump, f"cache-{dump}-0") for _ in range(options.runs)]
            for title, taken in (("first", first), ("second", second)):
                wall, cpu = (min(each) for each in zip(*taken, strict=True))
                print(f"{dump} ({size:.1f} MB), the {title:6} time {wall:7.2f} s {cpu:7.2f} s of processor")


def write_inputs(folder: Path) -> None:
    """Writes the cluster as JSON and as YAML, and the manifests."""
    nodes = json.loads((DUMPS / "seven-nodes.json").read_text())["items"]
    pods = json.loads((DUMPS / "pending-pods.json").read_text())["items"]
    items = [node(nodes[number % len(nodes)], number) for number in range(NUM_NODES)]
    items += [pod(pods[number % len(pods)], number) for number in range(NUM_PODS)]
    document = {"apiVersion": "v1", "kind": "List", "items": items}
    (folder / "cluster.json").write_text(json.dumps(document, indent=1))
    with (folder / "cluster.yaml").open("w") as file:
        yaml.dump(document, file, Dumper=yaml.CSafeDumper, sort_keys=False)
    (folder / "manifests").mkdir()
    for number in range(NUM_MANIFESTS):
        (folder / "manifests" / f"svc-{number:02}.yaml").write_text(yaml.safe_dump(deployment(number)))


def node(like: Raw, number: int) -> Raw:
    """Returns a node as large as a real one."""
    made = copy.deepcopy(like)
    name = f"node-{number:03}"
    labels = {
        key: f"v{value}" if value.isdigit() else value for key, value in made["metadata"]["labels"].items()
    }
    labels |= {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{number % 3}"}
    made |= {"apiVersion": "v1", "kind": "Node", "spec": {}}
    made["metadata"] |= {"name": name, "uid": f"node-{number}", "labels": labels}
    made["status"]["allocatable"] |= {"cpu": "16", "memory": "64Gi", "pods": "110"}
    return made


def pod(like: Raw, number: int) -> Raw:
    """Returns a bound pod as large as a real one."""
    made = copy.deepcopy(like)
    made |= {"apiVersion": "v1", "kind": "Pod"}
    made["metadata"] |= {"name": f"app-{number:04}", "uid": f"pod-{number}", "namespace": "prod"}
    for name in ("affinity", "nodeSelector", "volumes"):
        made["spec"].pop(name, None)
    for container in made["spec"]["containers"]:
        container["resources"] = {"requests": {"cpu": "500m", "memory": "1Gi"}}
    made["spec"]["nodeName"] = f"node-{number % NUM_NODES:03}"
    made["status"]["phase"] = "Running"
    return made


def deployment(number: int) -> Raw:
    """Returns a Deployment of three pods."""
    labels = {"app": f"svc-{number}"}
    resources = {"requests": {"cpu": "250m", "memory": "256Mi"}}
    container = {"name": "main", "image": f"registry.example/svc-{number}:1", "resources": resources}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"replicas": 3, "selector": {"matchLabels": labels}, "template": template}
    metadata = {"name": f"svc-{number}", "namespace": "prod"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def measure(folder: Path, dump: str, cache: str) -> tuple[float, float]:
    """Returns the seconds from start to exit, and those of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "engine.cli", "check", "-f", folder / "manifests", "--cluster", folder / dump],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "all 60 pods have a node" not in done.stdout:
        sys.exit(f"the check went otherwise:\n{done.stdout}{done.stderr}")
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
