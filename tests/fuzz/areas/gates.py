"""Scheduling gates, and what takes them away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import Raw, case, key, mixed, nodes

if TYPE_CHECKING:
    from random import Random


def build(random: Random) -> Raw:
    """Pods with gates, some of which lose them or go."""
    objects = mixed(random, nodes(random), dict)
    gated = [
        raw
        for raw in objects
        if raw["kind"] == "Pod" and "nodeName" not in raw["spec"] and random.random() < 0.6
    ]
    steps: list[Raw] = []
    for raw in gated:
        gates = [
            {"name": f"example.com/{name}"} for name in random.sample(("a", "b", "c"), random.randint(1, 2))
        ]
        raw["spec"]["schedulingGates"] = gates
        fewer = {**raw, "spec": {**raw["spec"], "schedulingGates": gates[1:]}}
        kind = random.randrange(3)
        if kind < 2:
            steps.append({"advanceSeconds": random.choice((0, 5)), "apply": [fewer]})
        else:
            steps.append({"advanceSeconds": 1, "delete": [key(raw)]})
    return case(objects, steps)
