"""Clusters made for looking at: of any size, with long names, with mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LONG_NAMES = """
apiVersion: v1
kind: Node
metadata:
  name: gke-production-europe-west4-highmem-pool-7f3a9c21-0a1b2c3d.internal
  labels: {topology.kubernetes.io/zone: europe-west4-a}
status: {allocatable: {cpu: "64", memory: 512Gi, pods: "110", nvidia.com/gpu: "8"}}
---
apiVersion: v1
kind: Node
metadata:
  name: gke-production-europe-west4-highmem-pool-7f3a9c21-9z8y7x6w.internal
  labels: {topology.kubernetes.io/zone: europe-west4-b}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata:
  name: recommendation-embeddings-precompute-nightly-28391234-x7k2p
  namespace: machine-learning-platform-production
spec:
  containers:
  - {name: c, image: i, resources: {requests: {cpu: "3", memory: 10Gi, nvidia.com/gpu: "1"}}}
---
apiVersion: v1
kind: Pod
metadata:
  name: recommendation-embeddings-precompute-nightly-28391234-q9w8e
  namespace: machine-learning-platform-production
spec:
  containers:
  - {name: c, image: i, resources: {requests: {cpu: "3", memory: 10Gi, nvidia.com/gpu: "9"}}}
"""

ONLY_A_POD = """
apiVersion: v1
kind: Pod
metadata: {name: lonely}
spec: {containers: [{name: c, image: i}]}
"""

WRONG = """
apiVersion: v1
kind: Node
metadata: {name: good}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: greedy}
spec:
  containers:
  - name: main
    image: i
    resources:
      requests: {memory: 6GiB}
---
apiVersion: v1
kind: Node
metadata: {}
"""


def workload(num_nodes: int, num_pods: int) -> dict[str, Any]:
    """Returns a list of nodes in three zones and pending pods of several sizes."""
    nodes = [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"node-{i:04d}", "labels": {"topology.kubernetes.io/zone": f"zone-{i % 3}"}},
            "spec": {"taints": [{"key": "spot", "effect": "NoSchedule"}]} if i % 10 == 9 else {},
            "status": {"allocatable": {"cpu": str(8 << (i % 2)), "memory": "64Gi", "pods": "110"}},
        }
        for i in range(num_nodes)
    ]
    pods = [_pod(i) for i in range(num_pods)]
    return {"apiVersion": "v1", "kind": "List", "items": nodes + pods}


def _pod(i: int) -> dict[str, Any]:
    requests = {"cpu": f"{100 * (1 + i % 7)}m", "memory": f"{256 << (i % 4)}Mi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{i:05d}", "namespace": f"team-{i % 5}"},
        "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": requests}}]},
    }


def write_workload(folder: Path, num_nodes: int, num_pods: int) -> Path:
    """Writes a workload as a file and returns its path."""
    path = folder / f"{num_nodes}-nodes.json"
    path.write_text(json.dumps(workload(num_nodes, num_pods)))
    return path
