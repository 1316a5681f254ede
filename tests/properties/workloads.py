"""Generated clusters in which workloads of every kind make pods, and what people do to them."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

ZONE = "topology.kubernetes.io/zone"
HOST = "kubernetes.io/hostname"


def pod_template(app: str, *, value: str = "", annotations: Any = None, **spec: Any) -> dict[str, Any]:
    """A template of one container, with a variable where a value is given."""
    container: dict[str, Any] = {"name": "main", "image": "app:1", "resources": {"requests": {"cpu": "100m"}}}
    if value:
        container["env"] = [{"name": "A", "value": value}]
    metadata = {"labels": {"app": app}, **({"annotations": annotations} if annotations else {})}
    return {"metadata": metadata, "spec": {"containers": [container], **spec}}


def lively_cluster(seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A cluster, and edits of it: rollouts of variables, commands and images, scaling, drains, losses."""
    draw = random.Random(seed)
    objects = [_node(number, draw) for number in range(draw.randint(3, 6))]
    objects += [*_deployment(draw), *_stateful_set(draw), _daemon_set(draw), *_jobs(draw), *_plain(draw)]
    edits = draw.sample(_edits(objects, draw), draw.randint(0, 8))
    timed = [{**edit, "at": f"{(n + 1) * draw.choice((3, 40, 400))}s"} for n, edit in enumerate(edits)]
    kinds = {each["kind"] for each in objects}
    return objects, [
        each for each in timed if each["kind"] != "setTarget" or "HorizontalPodAutoscaler" in kinds
    ]


def _object(api_version: str, kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "default"},
        "spec": spec,
    }


def _node(number: int, draw: random.Random) -> dict[str, Any]:
    name = f"n{number}"
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {HOST: name, ZONE: f"z{number % 2}"}},
        "status": {
            "allocatable": {"cpu": draw.choice(("4", "8")), "memory": "8Gi", "pods": "50"},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def _app(kind: str, name: str, value: str, **spec: Any) -> dict[str, Any]:
    template = pod_template(name, value=value)
    return _object(
        "apps/v1", kind, name, {"selector": {"matchLabels": {"app": name}}, "template": template, **spec}
    )


def _deployment(draw: random.Random) -> list[dict[str, Any]]:
    careful = {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}
    result = [
        _app(
            "Deployment",
            "web",
            draw.choice(("", "1")),
            replicas=draw.randint(1, 6),
            strategy=draw.choice(({}, {"type": "Recreate"}, careful)),
            revisionHistoryLimit=draw.choice((10, 1, 0)),
            minReadySeconds=draw.choice((0, 5)),
        ),
        _object(
            "policy/v1",
            "PodDisruptionBudget",
            "web",
            {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}},
        ),
    ]
    if draw.random() < 0.5:
        target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
        spec = {"minReplicas": 2, "maxReplicas": 5, "scaleTargetRef": target}
        result.append(_object("autoscaling/v2", "HorizontalPodAutoscaler", "web", spec))
    return result


def _stateful_set(draw: random.Random) -> list[dict[str, Any]]:
    spec: dict[str, Any] = {
        "replicas": draw.randint(1, 3),
        "serviceName": "db",
        "podManagementPolicy": draw.choice(("OrderedReady", "Parallel")),
    }
    result = []
    if draw.random() < 0.5:
        mode = draw.choice(("WaitForFirstConsumer", "Immediate"))
        result.append(
            {
                "apiVersion": "storage.k8s.io/v1",
                "kind": "StorageClass",
                "metadata": {"name": "fast"},
                "provisioner": "ebs.csi.example",
                "volumeBindingMode": mode,
            }
        )
        claim = {
            "storageClassName": "fast",
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        }
        spec["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": claim}]
        if draw.random() < 0.5:
            scaled = draw.choice(("Retain", "Delete"))
            spec["persistentVolumeClaimRetentionPolicy"] = {"whenDeleted": "Delete", "whenScaled": scaled}
    if draw.random() < 0.4:
        held = {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}
        spec["updateStrategy"] = draw.choice(({"type": "OnDelete"}, held))
    return [*result, _app("StatefulSet", "db", "x", **spec)]


def _daemon_set(draw: random.Random) -> dict[str, Any]:
    surge = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    return _app("DaemonSet", "agent", "z", updateStrategy=draw.choice(({}, {"type": "OnDelete"}, surge)))


def _jobs(draw: random.Random) -> list[dict[str, Any]]:
    ends = draw.choice(("0", "0", "1,0"))
    life = {"scheduler-playground/run-time": "20s", "scheduler-playground/exit-code": ends}
    job = {
        "parallelism": 2,
        "completions": draw.randint(1, 4),
        "completionMode": draw.choice(("NonIndexed", "Indexed")),
        "template": pod_template("load", value="j", annotations=life, restartPolicy="Never"),
    }
    template = pod_template("tick", value="t", annotations=life, restartPolicy="Never")
    cron_job = {
        "schedule": draw.choice(("0 0 * * *", "30 3 1 * *")),
        "jobTemplate": {"spec": {"template": template}},
    }
    return [_object("batch/v1", "Job", "load", job), _object("batch/v1", "CronJob", "tick", cron_job)]


def _plain(draw: random.Random) -> list[dict[str, Any]]:
    controller = {"replicas": 1, "selector": {"app": "old"}, "template": pod_template("old")}
    return [
        _app("ReplicaSet", "bare", "", replicas=draw.randint(0, 2)),
        _object("v1", "ReplicationController", "old", controller),
    ]


def _edits(objects: list[dict[str, Any]], draw: random.Random) -> list[dict[str, Any]]:
    made = {(each["kind"], each["metadata"]["name"]): each for each in objects}

    def patch(kind: str, name: str, **fields: Any) -> dict[str, Any]:
        template = copy.deepcopy(made[kind, name]["spec"]["template"])
        template["spec"]["containers"][0] |= fields
        return {
            "kind": "mergePatch",
            "object": f"{kind}/default/{name}",
            "patch": {"spec": {"template": template}},
        }

    return [
        *(patch("Deployment", "web", env=[{"name": "A", "value": value}]) for value in ("2", "3")),
        patch("Deployment", "web", image="app:2"),
        patch("StatefulSet", "db", env=[{"name": "A", "value": "9"}]),
        patch("DaemonSet", "agent", command=["serve"]),
        *(
            {"kind": "setImage", "object": text, "image": "app:9"}
            for text in ("Deployment/web", "StatefulSet/db")
        ),
        {"kind": "scale", "object": "Deployment/default/web", "replicas": draw.randint(0, 5)},
        {"kind": "scale", "object": "StatefulSet/default/db", "replicas": draw.randint(0, 3)},
        {"kind": "setTarget", "object": "HorizontalPodAutoscaler/default/web", "replicas": 4},
        {"kind": "drain", "nodes": ["n0"], "force": True},
        {"kind": "uncordon", "nodes": ["n0"]},
        {"kind": "lose", "nodes": ["n1"]},
        {"kind": "restore", "nodes": ["n1"]},
        {"kind": "removeNodes", "nodes": ["n2"]},
    ]


def scenario(edits: list[dict[str, Any]]) -> bytes:
    """The edits as a scenario."""
    return json.dumps({"apiVersion": "playground/v1", "kind": "Scenario", "edits": edits}).encode()
