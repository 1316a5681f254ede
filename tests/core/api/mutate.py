"""Manifests with something changed at random: what people's editors, templates and tools do to them."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any, Final

import yaml

SEEDS: Final[list[dict[str, Any]]] = [
    {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "web",
            "namespace": "shop",
            "labels": {"app": "web"},
            "annotations": {"a.io/note": "x"},
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "w", "uid": "1"}],
        },
        "spec": {
            "nodeSelector": {"zone": "a"},
            "tolerations": [{"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute"}],
            "affinity": {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [
                            {
                                "matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}],
                                "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}],
                            }
                        ]
                    }
                },
                "podAntiAffinity": {
                    "preferredDuringSchedulingIgnoredDuringExecution": [
                        {
                            "weight": 5,
                            "podAffinityTerm": {
                                "topologyKey": "zone",
                                "labelSelector": {"matchLabels": {"app": "web"}},
                                "namespaces": ["shop"],
                                "matchLabelKeys": ["rev"],
                            },
                        }
                    ]
                },
            },
            "topologySpreadConstraints": [
                {
                    "maxSkew": 1,
                    "topologyKey": "zone",
                    "whenUnsatisfiable": "DoNotSchedule",
                    "minDomains": 2,
                    "labelSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]},
                }
            ],
            "containers": [
                {
                    "name": "main",
                    "image": "img:1",
                    "ports": [{"name": "http", "containerPort": 80, "hostPort": 80, "protocol": "TCP"}],
                    "resources": {
                        "requests": {"cpu": "100m", "memory": "64Mi", "nvidia.com/gpu": 1},
                        "limits": {"memory": "1Gi", "nvidia.com/gpu": 1, "hugepages-2Mi": "4Mi"},
                        "claims": [{"name": "gpu"}],
                    },
                    "volumeMounts": [{"name": "data", "mountPath": "/data"}],
                    "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"}],
                }
            ],
            "initContainers": [{"name": "init", "image": "img", "restartPolicy": "Always"}],
            "volumes": [
                {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
                {"name": "tmp", "emptyDir": {"sizeLimit": "1Gi"}},
            ],
            "resources": {"requests": {"cpu": "1"}},
            "overhead": {"cpu": "10m"},
            "schedulingGates": [{"name": "a.io/gate"}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}],
            "priority": 5,
            "restartPolicy": "Always",
        },
        "status": {"conditions": [{"type": "Ready", "status": "True", "lastProbeTime": None}]},
    },
    {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1", "labels": {"zone": "a"}},
        "spec": {"taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}], "podCIDRs": ["10.0.0.0/24"]},
        "status": {
            "capacity": {"cpu": "4", "pods": "110"},
            "allocatable": {"cpu": 3.5, "memory": "8Gi"},
            "images": [{"names": ["img:1"], "sizeBytes": 5}],
        },
    },
    {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [{"name": "a", "image": "b"}]},
            },
        },
    },
    {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web"},
        "spec": {"minAvailable": "50%", "selector": {"matchLabels": {"app": "web"}}},
    },
    {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pv"},
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce"],
            "claimRef": {"name": "c", "namespace": "shop"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": []}]}},
        },
    },
]

ODD: Final[list[Any]] = [
    *(None, True, False, 0, -1, 1.5, 2**31, 2**63, 10**30, 1e400, float("nan")),
    *("", " ", "x", "null", "1e3", "-5", "0x10", "6GiB", "1,5", "a b", "\u0000", "\ud7ff", "é", "x" * 300),
    *([], {}, [None], [[]], {"": ""}, [{}], {"a": {"a": {"a": 1}}}, ["x", 1, None]),
]


def mutated(random: Random) -> bytes:
    """Returns the text of a manifest in which up to four things are changed, or its bytes are damaged."""
    manifest = copy.deepcopy(random.choice(SEEDS))
    for _ in range(random.randint(0, 4)):
        _change(manifest, random)
    if random.random() < 0.2:
        manifest = {
            "apiVersion": "v1",
            "kind": "List",
            "items": [manifest, copy.deepcopy(random.choice(SEEDS))],
        }
    data = json.dumps(manifest).encode() if random.random() < 0.5 else _yaml(manifest)
    if random.random() < 0.2:
        data = _damaged(data, random)
    return data


def _yaml(manifest: Any) -> bytes:
    text: str = yaml.safe_dump(manifest, allow_unicode=True)
    return text.encode()


def _change(manifest: Any, random: Random) -> None:
    """Changes one place, deep or not."""
    holder: Any = manifest
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return
        key = random.choice(keys)
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner or random.random() < 0.15:
            break
        holder = inner
    action = random.randrange(5)
    if action == 0:
        del holder[key]
    elif action == 1 and isinstance(holder, dict):
        holder[random.choice([str(key).lower(), f"{key}s", "extra", " "])] = holder.pop(key)
    elif action == 2 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    else:
        holder[key] = copy.deepcopy(random.choice(ODD))


def _damaged(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data))
    piece = random.choice(
        [b"", b"\t", b"{", b"]", b'"', b":", b"- ", b"&a ", b"*a", b"\xff", b"\r\n", b"---\n", b"!!x "]
    )
    return data[:at] + piece + data[at + random.choice([0, 1, 5]) :]
