"""Init containers, sidecars, overhead, pod-level resources, statuses of resizes, extended resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import Raw, case, mixed, nodes

if TYPE_CHECKING:
    from random import Random

EXTENDED = "example.com/gpu"


def build(random: Random) -> Raw:
    """Pods whose requests come from many places."""
    found = nodes(random)
    for raw in found:
        if random.random() < 0.5:
            for room in ("allocatable", "capacity"):
                raw["status"][room] = {**raw["status"][room], EXTENDED: "2", "ephemeral-storage": "10Gi"}
    objects = mixed(random, found, lambda: _spec(random))
    for raw in objects:
        if raw["kind"] == "Pod" and raw["spec"].get("nodeName") and random.random() < 0.5:
            raw["status"].update(_status(random, raw["spec"]))
    return case(objects)


def _amounts(random: Random) -> Raw:
    amounts = {"cpu": random.choice(("0", "100m", "0.25", "1"))}
    if random.random() < 0.5:
        amounts["memory"] = random.choice(("100M", "256Mi", "1e9", "1Gi"))
    if random.random() < 0.2:
        amounts["ephemeral-storage"] = "1Gi"
    return amounts


def _container(random: Random, name: str) -> Raw:
    resources: Raw = {"requests": _amounts(random)}
    if random.random() < 0.2:
        resources["limits"] = dict(resources["requests"])
    if random.random() < 0.2:
        for field in ("requests", "limits"):
            resources.setdefault(field, {})[EXTENDED] = "1"
    return {"name": name, "image": "app:1", "resources": resources}


def _spec(random: Random) -> Raw:
    spec: Raw = {"containers": [_container(random, f"c{number}") for number in range(random.randint(1, 2))]}
    init = [_container(random, f"i{number}") for number in range(random.randint(0, 3))]
    for container in init:
        if random.random() < 0.4:
            container["restartPolicy"] = "Always"
    if init:
        spec["initContainers"] = init
    if random.random() < 0.2:
        spec["overhead"] = {"cpu": "50m", "memory": "32Mi"}
    if random.random() < 0.2:
        spec["resources"] = {"requests": {"cpu": "3", "memory": "4Gi"}}
    return spec


def _status(random: Random, spec: Raw) -> Raw:
    def statuses(field: str) -> list[Raw]:
        return [
            {
                "name": container["name"],
                "resources": {"requests": _amounts(random)},
                "allocatedResources": _amounts(random),
            }
            for container in spec.get(field) or ()
        ]

    status: Raw = {
        "containerStatuses": statuses("containers"),
        "initContainerStatuses": statuses("initContainers"),
    }
    if random.random() < 0.6:
        reason = random.choice(("Infeasible", "Deferred"))
        status["conditions"] = [{"type": "PodResizePending", "status": "True", "reason": reason}]
    return status
