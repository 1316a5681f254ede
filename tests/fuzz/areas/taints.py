"""Taints, tolerations and cordons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import Raw, case, mixed, nodes

if TYPE_CHECKING:
    from random import Random

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def build(random: Random) -> Raw:
    """Nodes with taints or cordoned, pods with tolerations."""
    found = nodes(random)
    for raw in found:
        keys = random.sample(("gpu", "old", "team"), random.randint(0, 2))
        raw["spec"]["taints"] = [
            {"key": name, "value": random.choice(("", "x", "y")), "effect": random.choice(EFFECTS)}
            for name in keys
        ]
        raw["spec"]["unschedulable"] = random.random() < 0.2
    return case(mixed(random, found, lambda: {"tolerations": tolerations(random)}))


def tolerations(random: Random) -> list[Raw]:
    """Tolerations of every form."""
    found: list[Raw] = []
    for _ in range(random.randint(0, 3)):
        one: Raw = {"operator": random.choice(("Exists", "Equal"))}
        name = random.choice(("gpu", "old", "team", "node.kubernetes.io/unschedulable", ""))
        if name:
            one["key"] = name
        else:
            one["operator"] = "Exists"
        if one["operator"] == "Equal":
            one["value"] = random.choice(("", "x", "y"))
        if random.random() < 0.6:
            one["effect"] = random.choice(EFFECTS)
        found.append(one)
    return found
