"""Topology spread: constraints of pods, and the defaults, by list or by the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import APPS, HOST, ZONE, Raw, case, configuration, mixed, nodes, selector, thing

if TYPE_CHECKING:
    from random import Random

OWNERS = {"ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "ReplicationController": "v1"}


def build(random: Random) -> Raw:
    """Pods with constraints of their own, or with services and owners that give them some."""
    by_default = random.random() < 0.4
    objects = mixed(random, nodes(random), lambda: {} if by_default else spec(random))
    config = ""
    if by_default:
        objects += _owners(random, objects)
        if random.random() < 0.6:
            constraints = [
                {
                    "maxSkew": 1,
                    "topologyKey": name,
                    "whenUnsatisfiable": random.choice(("DoNotSchedule", "ScheduleAnyway")),
                }
                for name in random.sample((ZONE, HOST), random.randint(1, 2))
            ]
            args = {"defaultingType": "List", "defaultConstraints": constraints}
            plugin = {"name": "PodTopologySpread", "args": args}
            config = configuration(random, {"schedulerName": "default-scheduler", "pluginConfig": [plugin]})
    return case(objects, config=config)


def spec(random: Random) -> Raw:
    """Up to two constraints."""
    found = []
    for name in random.sample((ZONE, HOST, "disk"), random.randint(0, 2)):
        action = random.choice(("DoNotSchedule", "ScheduleAnyway"))
        one: Raw = {"maxSkew": random.randint(1, 3), "topologyKey": name, "whenUnsatisfiable": action}
        chosen = selector(random)
        if chosen is not None:
            one["labelSelector"] = chosen
        if action == "DoNotSchedule" and random.random() < 0.3:
            one["minDomains"] = random.randint(1, 4)
        for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            if random.random() < 0.3:
                one[policy] = random.choice(("Honor", "Ignore"))
        if chosen and random.random() < 0.3:
            one["matchLabelKeys"] = random.choice((["rev"], ["none"]))
        found.append(one)
    made: Raw = {"topologySpreadConstraints": found}
    if random.random() < 0.2:
        made["nodeSelector"] = {"disk": "ssd"}
    return made


def _owners(random: Random, objects: list[Raw]) -> list[Raw]:
    found = []
    for app in APPS:
        labels = {"app": app}
        if random.random() < 0.5:
            space = random.choice(("default", "blue"))
            found.append(
                thing(
                    "Service",
                    f"svc-{app}",
                    namespace=space,
                    spec={"selector": labels, "ports": [{"port": 80}]},
                )
            )
        kind = random.choice(tuple(OWNERS))
        template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        chosen = labels if kind == "ReplicationController" else {"matchLabels": labels}
        body = {"replicas": 3, "selector": chosen, "template": template}
        found.append(thing(kind, f"own-{app}", OWNERS[kind], "default", spec=body))
        for raw in objects:
            metadata = raw["metadata"]
            if (
                raw["kind"] == "Pod"
                and metadata["labels"]["app"] == app
                and metadata["namespace"] == "default"
            ):
                owner = {"apiVersion": OWNERS[kind], "kind": kind, "name": f"own-{app}", "uid": f"u-{app}"}
                metadata["ownerReferences"] = [{**owner, "controller": True}]
    return found
