"""What all areas have in common: nodes, pods, namespaces, and a case made of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

Raw = dict[str, Any]

ZONE: Final = "topology.kubernetes.io/zone"
HOST: Final = "kubernetes.io/hostname"
REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
APPS: Final = ("web", "db", "cache")
NAMESPACES: Final = {"default": {}, "blue": {"team": "a"}, "green": {"team": "b", "tier": "x"}}


def thing(kind: str, name: str, version: str = "v1", namespace: str = "", **fields: Any) -> Raw:
    """An object of a kind; ``labels`` and ``annotations`` among the fields go into its metadata."""
    metadata: Raw = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    for field in ("labels", "annotations", "ownerReferences", "deletionTimestamp", "finalizers"):
        if fields.get(field):
            metadata[field] = fields[field]
        fields.pop(field, None)
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **fields}


def node(random: Random, number: int, **spec: Any) -> Raw:
    """A node of some size, in one of three zones or in none."""
    name = f"node-{number:03}"
    labels = {HOST: name, "disk": random.choice(("ssd", "hdd")), "gen": str(random.randrange(6))}
    if zone := random.choice(("a", "b", "c", "")):
        labels[ZONE] = zone
        labels["topology.kubernetes.io/region"] = "r"
    room = {"cpu": random.choice(("1", "2", "4")), "memory": random.choice(("2Gi", "4Gi", "8Gi"))}
    room["pods"] = random.choice(("3", "10", "110"))
    return thing("Node", name, labels=labels, spec=spec, status={"allocatable": room, "capacity": room})


def nodes(random: Random, most: int = 7) -> list[Raw]:
    """One node or more."""
    return [node(random, number) for number in range(random.randint(1, most))]


def pod(random: Random, number: int, bound_to: str = "", **spec: Any) -> Raw:
    """A pod of an app in a namespace; what is named of its spec takes the place of the usual."""
    requests = {}
    if random.random() < 0.8:
        requests["cpu"] = f"{random.choice((0, 50, 100, 300, 700, 1300))}m"
    if random.random() < 0.6:
        requests["memory"] = f"{random.choice((0, 64, 300, 1000))}Mi"
    container = {"name": "main", "image": "app:1", "resources": {"requests": requests}}
    name, namespace = f"pod-{number:03}", random.choice(("default", "default", "blue", "green"))
    raw = thing(
        "Pod", name, namespace=namespace, labels={"app": random.choice(APPS), "rev": random.choice("12")}
    )
    raw["spec"] = {"containers": [container], **spec}
    if bound_to:
        raw["spec"]["nodeName"] = bound_to
        raw["status"] = {"phase": "Running"}
    return raw


def names(objects: list[Raw], kind: str = "Node") -> list[str]:
    """The names of the objects of a kind, in order."""
    return [raw["metadata"]["name"] for raw in objects if raw["kind"] == kind]


def key(raw: Raw) -> str:
    """``Kind/namespace/name``, as a step names what it deletes."""
    metadata = raw["metadata"]
    return "/".join(filter(None, (raw["kind"], metadata.get("namespace", ""), metadata["name"])))


def expression(
    random: Random, keys: tuple[str, ...], values: tuple[str, ...], *, ordered: bool = False
) -> Raw:
    """A requirement on a label; ``ordered`` adds Gt and Lt, of nodes only."""
    operators = ["In", "NotIn", "Exists", "DoesNotExist", *(("Gt", "Lt") if ordered else ())]
    operator = random.choice(operators)
    found: Raw = {"key": random.choice(keys), "operator": operator}
    if operator in ("In", "NotIn"):
        found["values"] = random.sample(values, random.randint(1, min(2, len(values))))
    elif operator in ("Gt", "Lt"):
        found["key"], found["values"] = "gen", [random.choice(("-3", "-1", "0", "2", "4"))]
    return found


def selector(random: Random) -> Raw | None:
    """A label selector of pods: of one app, by expressions, empty, or nil."""
    kind = random.randrange(6)
    if kind < 3:
        return {"matchLabels": {"app": random.choice(APPS)}}
    if kind == 3:
        return {"matchExpressions": [expression(random, ("app", "rev", "none"), (*APPS, "1"))]}
    return {} if kind == 4 else None


def configuration(random: Random, *profiles: Raw, **fields: Any) -> str:
    """A configuration's text, with one default profile where none is named."""
    del random
    body = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return json.dumps(
        {**body, "profiles": list(profiles) or [{"schedulerName": "default-scheduler"}], **fields}
    )


def case(objects: list[Raw], steps: list[Raw] | None = None, config: str = "") -> Raw:
    """A case of these objects, its namespaces and what changes later."""
    spaces = [
        thing("Namespace", name, labels={"kubernetes.io/metadata.name": name, **labels})
        for name, labels in NAMESPACES.items()
    ]
    made: Raw = {"objects": [*spaces, *objects]}
    if steps:
        made["steps"] = steps
    if config:
        made["config"] = config
    return made


def mixed(random: Random, found: list[Raw], spec: Any, pending: int = 9, bound: int = 5) -> list[Raw]:
    """The nodes, with bound and pending pods; ``spec()`` makes what is special of each pod."""
    hosts = names(found)
    placed = [
        pod(random, number, random.choice(hosts), **spec()) for number in range(random.randint(0, bound))
    ]
    templates = [spec() for _ in range(random.randint(1, 4))]
    waiting = [
        pod(random, 100 + number, **json.loads(json.dumps(random.choice(templates))))
        for number in range(random.randint(1, pending))
    ]
    return [*found, *placed, *waiting]
