"""Steps that wake pods and that do not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.fuzz.areas import nodeaffinity, podaffinity, ports, spread, taints
from tests.fuzz.base import Raw, case, key, mixed, node, nodes

if TYPE_CHECKING:
    from random import Random


def build(random: Random) -> Raw:
    """Pods that wait for many reasons, and changes one after the other."""
    found = nodes(random, 4)
    if random.random() < 0.5:
        found[0]["spec"]["unschedulable"] = True
    objects = mixed(random, found, lambda: _spec(random))
    current = {key(raw): raw for raw in objects}
    steps = [
        {"advanceSeconds": random.choice((0, 1, 5, 20)), **_change(random, current, number)}
        for number in range(random.randint(1, 5))
    ]
    return case(objects, steps)


def _spec(random: Random) -> Raw:
    area = random.choice((nodeaffinity, podaffinity, ports, spread))
    found = area.spec(random)
    if random.random() < 0.3:
        found["tolerations"] = taints.tolerations(random)
    return found


def _change(random: Random, current: dict[str, Raw], number: int) -> Raw:
    chosen = random.choice(("node", "node", "node", "pod", "delete", "add", "terminate"))
    wanted = "Node" if chosen == "node" else "Pod"
    candidates = sorted(name for name, raw in current.items() if raw["kind"] == wanted)
    if chosen == "add" or not candidates:
        new = node(random, 50 + number)
        current[key(new)] = new
        return {"apply": [new]}
    name = random.choice(candidates)
    if chosen == "delete":
        del current[name]
        return {"delete": [name]}
    raw = json.loads(json.dumps(current[name]))
    if chosen == "node":
        _change_node(random, raw)
    elif chosen == "pod":
        raw["metadata"]["labels"]["app"] = random.choice(("web", "db", "cache"))
    else:
        raw["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:10Z"
        raw["metadata"]["deletionGracePeriodSeconds"] = 30
    if raw["kind"] == "Pod" and "nodeName" not in raw["spec"]:
        # Its old form would unbind a pod that is bound by now: a new pod like it comes instead.
        return {"apply": [_fresh(raw, number)]}
    current[name] = raw
    return {"apply": [raw]}


def _fresh(raw: Raw, number: int) -> Raw:
    metadata = {**raw["metadata"], "name": f"pod-{500 + number}"}
    return {**raw, "metadata": metadata}


def _change_node(random: Random, raw: Raw) -> None:
    kind = random.randrange(5)
    if kind == 0:
        raw["spec"]["unschedulable"] = not raw["spec"].get("unschedulable", False)
    elif kind == 1:
        raw["metadata"]["labels"]["disk"] = random.choice(("ssd", "hdd", "tape"))
    elif kind == 2:
        effect = random.choice(("NoSchedule", "PreferNoSchedule"))
        raw["spec"]["taints"] = random.choice(([], [{"key": "gpu", "value": "x", "effect": effect}]))
    elif kind == 3:
        room = {**raw["status"]["allocatable"], "cpu": random.choice(("1", "8"))}
        raw["status"] = {"allocatable": room, "capacity": room}
    else:
        raw["metadata"].setdefault("annotations", {})["seen"] = str(random.randrange(9))
