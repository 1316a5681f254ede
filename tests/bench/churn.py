"""The tenth workload: one that no shortcut can flatter, drawn from a seed.

Many templates, so that few pods are alike; priorities and too little room, so that pods are preempted, fail and are
queued again; claims that are bound while pods wait; nodes that join, change and leave. There is no record of it: its
events are compared with those of a run that reuses nothing.
"""

from __future__ import annotations

import random
from typing import Any, Final

from scheduler_core.api import decode_object
from scheduler_core.simulator import Step
from tests.bench.make_workload import Raw

ZONES: Final = 3
STEPS: Final = 10
_ZONE: Final = "topology.kubernetes.io/zone"
_HOST: Final = "kubernetes.io/hostname"
_IMAGES: Final = tuple(f"registry.example/app-{number}:1" for number in range(12))
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


def workload(seed: int, num_nodes: int, num_pods: int, num_templates: int) -> tuple[list[Raw], list[Step]]:
    """The objects of the start, and the steps in which the rest comes."""
    draw = random.Random(seed)
    objects = [_node(index, draw) for index in range(num_nodes)]
    objects.append(
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "StorageClass",
            "metadata": {"name": "late"},
            "provisioner": "disk.example",
            "volumeBindingMode": "WaitForFirstConsumer",
        }
    )
    templates = [_template(index, draw) for index in range(num_templates)]
    share = num_pods // STEPS
    steps = []
    for number in range(STEPS):
        pods = [_pod(number * share + index, draw.choice(templates)) for index in range(share)]
        claims = [_claim(pod) for pod in pods if "volumes" in pod["spec"]]
        joining = [_node(num_nodes + number * 3 + index, draw) for index in range(2)]
        changed = [_node(draw.randrange(num_nodes), draw) for _ in range(2)]
        leaving = f"Node/node-{num_nodes + (number - 1) * 3:05d}"
        gone = (
            [f"Pod/default/pod-{draw.randrange(number * share):06d}" for _ in range(share // 5)]
            if number
            else []
        )
        if number == 0:
            objects += [*claims, *pods]
            continue
        steps.append(
            Step(
                advance_us=draw.randrange(20_000_000),
                apply=tuple(decode_object(raw) for raw in (*joining, *changed, *claims, *pods)),
                delete=(leaving, *dict.fromkeys(gone)),
            )
        )
    return objects, steps


def _node(index: int, draw: random.Random) -> Raw:
    name = f"node-{index:05d}"
    labels = {_HOST: name, _ZONE: f"zone-{index % ZONES}", "disk": draw.choice(("ssd", "hdd"))}
    taint = {"key": "spot", "effect": draw.choice(("NoSchedule", "PreferNoSchedule"))}
    allocatable = {"cpu": draw.choice(("2", "3", "4")), "memory": draw.choice(("6Gi", "12Gi")), "pods": "20"}
    images = [
        {"names": [name], "sizeBytes": draw.randrange(10**8, 10**9)} for name in draw.sample(_IMAGES, 3)
    ]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "taints": [taint] if draw.random() < 0.2 else [],
            "unschedulable": draw.random() < 0.02,
        },
        "status": {"allocatable": allocatable, "images": images},
    }


def _template(index: int, draw: random.Random) -> Raw:
    app = f"app-{index % 40}"
    selector = {"labelSelector": {"matchLabels": {"app": app}}}
    requests = {"cpu": f"{draw.randrange(50, 2000, 50)}m", "memory": f"{draw.randrange(64, 4096, 64)}Mi"}
    container: Raw = {"name": "main", "image": draw.choice(_IMAGES), "resources": {"requests": requests}}
    spec: Raw = {"containers": [container], "priority": draw.choice((0, 0, 0, 100, 1000))}
    zone, host = {**selector, "topologyKey": _ZONE}, {**selector, "topologyKey": _HOST}
    disk = [{"matchExpressions": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}]
    kind = draw.randrange(12)
    if kind == 0:
        when = draw.choice(("DoNotSchedule", "ScheduleAnyway"))
        spec["topologySpreadConstraints"] = [{**zone, "maxSkew": 1, "whenUnsatisfiable": when}]
    elif kind == 1:
        spec["affinity"] = {"podAntiAffinity": {_REQUIRED: [host]}}
    elif kind == 2:
        spec["affinity"] = {"podAffinity": {_PREFERRED: [{"weight": 40, "podAffinityTerm": zone}]}}
    elif kind == 3:
        spec["affinity"] = {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": disk}}}
    elif kind == 4:
        spec["affinity"] = {"nodeAffinity": {_PREFERRED: [{"weight": 9, "preference": disk[0]}]}}
    elif kind == 5:
        spec["tolerations"] = [{"key": "spot", "operator": "Exists"}]
    elif kind == 6:
        container["ports"] = [{"containerPort": 80, "hostPort": draw.choice((80, 443, 8080))}]
    elif kind == 7:
        spec["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": ""}}]
    return {"labels": {"app": app}, "spec": spec}


def _pod(index: int, template: Raw) -> Raw:
    name = f"pod-{index:06d}"
    spec: dict[str, Any] = dict(template["spec"])
    if "volumes" in spec:
        spec["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": name}}]
    metadata = {"name": name, "namespace": "default", "labels": template["labels"]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _claim(pod: Raw) -> Raw:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": pod["metadata"]["name"], "namespace": "default"},
        "spec": {
            "storageClassName": "late",
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }
