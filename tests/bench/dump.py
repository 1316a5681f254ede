"""`python -m tests.bench.dump FILE [NODES PODS]`: a cluster as `kubectl get nodes,pods -A -o json` writes it.

Objects come with all that a real API server tells of them: managed fields, conditions, images, volumes, probes,
statuses; 8 to 10 kB each. 5,000 nodes and 50,000 pods are about 450 MB.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.bench.make_workload import Raw, node, pod

NODES, PODS, PENDING = 5000, 50_000, 1000
_TIME: Final = "2026-01-02T03:04:05Z"
_PROBE: Final = {"httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"}, "periodSeconds": 10}
_TOLERATIONS: Final = [
    {
        "key": f"node.kubernetes.io/{key}",
        "operator": "Exists",
        "effect": "NoExecute",
        "tolerationSeconds": 300,
    }
    for key in ("not-ready", "unreachable")
]


def write(path: Path, num_nodes: int = NODES, num_pods: int = PODS, num_pending: int = PENDING) -> int:
    """Writes the dump, object by object; its size in bytes."""
    draw = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        file.write('{\n    "apiVersion": "v1",\n    "items": [\n')
        for index in range(num_nodes + num_pods):
            if index < num_nodes:
                made = _node(index, draw)
            else:
                number = index - num_nodes
                at = "" if number >= num_pods - num_pending else f"node-{number % num_nodes:05d}"
                made = _pod(number, at, draw)
            lines = json.dumps(made, indent=4).replace("\n", "\n        ")
            separator = ",\n" if index else ""
            file.write(f"{separator}        {lines}")
        file.write('\n    ],\n    "kind": "List",\n    "metadata": {"resourceVersion": ""}\n}\n')
    return path.stat().st_size


def _metadata(made: Raw, index: int, draw: random.Random, fields: int) -> None:
    made["metadata"] |= {
        "uid": f"{draw.getrandbits(128):032x}",
        "resourceVersion": str(100_000 + index),
        "creationTimestamp": _TIME,
        "annotations": {f"example.com/note-{place}": f"{draw.getrandbits(200):050x}" for place in range(4)},
        "managedFields": [
            {
                "manager": manager,
                "operation": "Update",
                "apiVersion": "v1",
                "time": _TIME,
                "fieldsType": "FieldsV1",
                "fieldsV1": {
                    f"f:part-{part}": {f"f:field-{place}": {} for place in range(6)} for part in range(fields)
                },
            }
            for manager in ("kubelet", "kube-controller-manager")
        ],
    }


def _conditions(types: tuple[str, ...]) -> list[Raw]:
    return [
        {
            "type": type_,
            "status": "True",
            "lastTransitionTime": _TIME,
            "reason": f"{type_}Because",
            "message": "",
        }
        for type_ in types
    ]


def _node(index: int, draw: random.Random) -> Raw:
    made = node(index)
    _metadata(made, index, draw, 4)
    made["status"] |= {
        "conditions": _conditions(("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")),
        "images": [
            {"names": [f"registry.example/app-{place}:1", f"registry.example/app-{place}@sha256:{place:064x}"],
             "sizeBytes": 10**8 + place}
            for place in range(14)
        ],
        "nodeInfo": {"kubeletVersion": "v1.34.1", "osImage": "Linux", "architecture": "amd64"},
    }  # fmt: skip
    return made


def _pod(index: int, node_name: str, draw: random.Random) -> Raw:
    made = pod(index, "mixed", draw, node_name)
    _metadata(made, index, draw, 2)
    made["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "app", "uid": "u", "controller": True}
    ]
    container: Raw = made["spec"]["containers"][0]
    container |= {
        "env": [{"name": f"NAME_{place}", "value": f"{draw.getrandbits(100):025x}"} for place in range(8)],
        "livenessProbe": _PROBE,
        "readinessProbe": _PROBE,
        "volumeMounts": [{"name": "token", "mountPath": "/var/run/secrets", "readOnly": True}],
    }
    made["spec"] |= {
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "serviceAccountName": "app",
    }
    made["spec"].setdefault("tolerations", []).extend(_TOLERATIONS)
    made.setdefault("status", {"phase": "Pending"})
    if node_name:
        made["status"] |= {
            "conditions": _conditions(("Initialized", "Ready", "ContainersReady", "PodScheduled")),
            "containerStatuses": [
                {"name": "c", "ready": True, "restartCount": 0, "image": "img:1", "imageID": f"sha256:{index:064x}",
                 "state": {"running": {"startedAt": _TIME}}}
            ],
            "hostIP": "10.0.0.1", "podIP": "10.0.1.1", "startTime": _TIME,
        }  # fmt: skip
    return made


def through_the_command_line() -> dict[str, Any]:
    """`playground run` of the dump: seconds, the process' peak memory, and how often it told its progress."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cluster.json"
        size = write(path)
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "engine.cli", "run", "-f", str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "mb": size // 10**6,
        "kb_an_object": round(size / (NODES + PODS) / 1000, 1),
        "seconds": round(seconds, 1),
        "cpu_s": round(used.ru_utime + used.ru_stime, 1),
        "peak_mib": used.ru_maxrss // 1024,
        "told": done.stderr.count("reading"),
        "first_line": done.stdout.splitlines()[0],
    }


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), *map(int, sys.argv[2:])))
