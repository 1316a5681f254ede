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

MANY_REASONS = """
apiVersion: v1
kind: Node
metadata:
  name: node-a1
  labels: {topology.kubernetes.io/zone: zone-a, disktype: hdd}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata:
  name: node-a2
  labels: {topology.kubernetes.io/zone: zone-a, disktype: ssd}
spec: {taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata:
  name: node-b1
  labels: {topology.kubernetes.io/zone: zone-b, disktype: hdd}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata:
  name: node-c1
  labels: {topology.kubernetes.io/zone: zone-c}
spec: {unschedulable: true}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, labels: {app: web}}
spec:
  nodeName: node-a1
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, labels: {app: web}}
spec:
  nodeName: node-b1
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: web-2, labels: {app: web}}
spec:
  nodeName: node-a1
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: db-0, labels: {app: db}}
spec:
  nodeName: node-a1
  containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: db-1, labels: {app: db}}
spec:
  nodeName: node-b1
  containers: [{name: c, image: i, resources: {requests: {cpu: 2500m}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: web-4, labels: {app: web}}
spec:
  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchLabels: {app: web}}
  containers: [{name: c, image: i, resources: {requests: {cpu: 100m}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: db-2, labels: {app: db}}
spec:
  affinity:
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: db}}}
  containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: gpu, labels: {}}
spec:
  nodeSelector: {disktype: ssd}
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [zone-a, zone-b]}]
        - matchExpressions: [{key: accelerator, operator: Exists}]
  containers: [{name: c, image: i, resources: {requests: {cpu: 100m}}}]
"""
"""Four nodes that refuse three pods for spreading, for anti-affinity, for labels, taints and a cordon."""

ONLY_A_POD = """
apiVersion: v1
kind: Pod
metadata: {name: lonely}
spec: {containers: [{name: c, image: i}]}
"""

SOFT = """
apiVersion: v1
kind: Node
metadata: {name: node-a, labels: {topology.kubernetes.io/zone: zone-a}}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: node-b, labels: {topology.kubernetes.io/zone: zone-b}}
status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, labels: {app: web}}
spec: {nodeName: node-a, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, labels: {app: web}}
spec:
  containers: [{name: c, image: i}]
  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {app: web}}
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
            "metadata": {
                "name": f"node-{i:04d}",
                "labels": {"topology.kubernetes.io/zone": f"zone-{i % 3}", "rack": f"rack-{i // 3 % 8}"},
            },
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
