"""The workloads that kube-scheduler was measured with: nodes, bound pods, and pending pods in order."""

from __future__ import annotations

import json
import random
from typing import Any

Raw = dict[str, Any]

NODES_PER_TAINT = 10
APPS = 20
BOUND_PER_NODE = 2
FIRST_BOUND = 900_000
_ZONE = "topology.kubernetes.io/zone"
_HOST = "kubernetes.io/hostname"
_CPU = ("100m", "250m", "500m", "1")
_MEMORY = ("128Mi", "512Mi", "1Gi", "2Gi")


def node(index: int) -> Raw:
    """A node of 32 cores in one of three zones; every tenth is tainted."""
    name = f"node-{index:05d}"
    labels = {
        _HOST: name,
        _ZONE: f"zone-{index % 3}",
        "topology.kubernetes.io/region": "r",
        "disk": ("ssd", "hdd")[index % 2],
    }
    taints = [{"key": "spot", "value": "true", "effect": "NoSchedule"}]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": taints} if index % NODES_PER_TAINT == 0 else {},
        "status": {
            "capacity": {"cpu": "32", "memory": "128Gi", "pods": "110"},
            "allocatable": {"cpu": "31500m", "memory": "120Gi", "pods": "110"},
        },
    }


def pod(index: int, kind: str, draw: random.Random, node_name: str = "") -> Raw:
    """A pod of one of twenty apps, with what its kind asks for."""
    app = f"app-{index % APPS}"
    requests = {"cpu": draw.choice(_CPU), "memory": draw.choice(_MEMORY)}
    container = {"name": "c", "image": "img:1", "resources": {"requests": requests}}
    made: Raw = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{index:06d}", "namespace": "default", "labels": {"app": app}},
        "spec": {"containers": [container]},
    }
    made["spec"].update(_constraints(kind, index, app))
    if node_name:
        made["spec"]["nodeName"] = node_name
        made["status"] = {"phase": "Running"}
    return made


def _constraints(kind: str, index: int, app: str) -> Raw:
    selector = {"labelSelector": {"matchLabels": {"app": app}}}
    turn = index % 5 if kind == "mixed" else None
    if kind == "spread" or turn == 0:
        spread = {"maxSkew": 1, "topologyKey": _ZONE, "whenUnsatisfiable": "DoNotSchedule", **selector}
        return {"topologySpreadConstraints": [spread]}
    if kind == "anti" or turn == 1:
        required = {"requiredDuringSchedulingIgnoredDuringExecution": [{**selector, "topologyKey": _HOST}]}
        return {"affinity": {"podAntiAffinity": required}}
    if turn == 2:
        expression = {"key": "disk", "operator": "In", "values": ["ssd"]}
        terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
        return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}}
    if turn == 3:
        term = {"weight": 50, "podAffinityTerm": {**selector, "topologyKey": _ZONE}}
        return {
            "affinity": {"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [term]}},
            "tolerations": [{"key": "spot", "operator": "Exists"}],
        }
    return {}


def case(num_nodes: int, num_pods: int, kind: str, *, all_nodes: bool = False) -> Raw:
    """A workload as a case: ``objects`` in order, and with ``all_nodes`` a configuration without sampling."""
    draw = random.Random(1)
    objects = [node(index) for index in range(num_nodes)]
    objects += [
        pod(FIRST_BOUND + index, "plain", draw, f"node-{index % num_nodes:05d}")
        for index in range(num_nodes * BOUND_PER_NODE)
    ]
    objects += [pod(index, kind, draw) for index in range(num_pods)]
    made: Raw = {"objects": objects}
    if all_nodes:
        config = {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "percentageOfNodesToScore": 100,
        }
        made["config"] = json.dumps(config)
    return made
