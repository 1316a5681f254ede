"""Priorities and preemption: budgets, terminating victims, nominated pods, policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.areas import podaffinity, ports
from tests.fuzz.base import APPS, NAMESPACES, Raw, case, names, nodes, pod, thing

if TYPE_CHECKING:
    from random import Random

CLASSES = {"low": -10, "mid": 100, "high": 1000, "polite": 1000}


def build(random: Random) -> Raw:
    """Full nodes, and pods of more priority."""
    found = nodes(random, 4)
    hosts = names(found)
    placed = [
        pod(random, number, random.choice(hosts), **_spec(random, "low", "mid")) for number in range(12)
    ]
    for raw in placed:
        if random.random() < 0.5:
            raw["status"]["startTime"] = f"2025-12-31T2{random.randrange(4)}:00:00Z"
        if random.random() < 0.1:
            raw["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
            raw["metadata"]["deletionGracePeriodSeconds"] = 30
    waiting = [pod(random, 100 + number, **_spec(random, *CLASSES)) for number in range(random.randint(1, 6))]
    for raw in waiting:
        if random.random() < 0.2:
            raw["status"] = {"phase": "Pending", "nominatedNodeName": random.choice(hosts)}
    return case([*found, *placed, *waiting, *_classes(), *_budgets(random)])


def _spec(random: Random, *classes: str) -> Raw:
    spec: Raw = {"priorityClassName": random.choice(classes)}
    kind = random.randrange(8)
    if kind == 0:
        spec.update(podaffinity.spec(random))
    elif kind == 1:
        spec.update(ports.spec(random))
    return spec


def _classes() -> list[Raw]:
    return [
        thing(
            "PriorityClass",
            name,
            "scheduling.k8s.io/v1",
            value=value,
            preemptionPolicy="Never" if name == "polite" else "PreemptLowerPriority",
        )
        for name, value in CLASSES.items()
    ]


def _budgets(random: Random) -> list[Raw]:
    return [
        thing(
            "PodDisruptionBudget",
            f"budget-{app}",
            "policy/v1",
            random.choice(tuple(NAMESPACES)),
            spec={"selector": {"matchLabels": {"app": app}}, "minAvailable": 1},
            status={
                "disruptionsAllowed": random.randrange(3),
                "currentHealthy": 2,
                "desiredHealthy": 1,
                "expectedPods": 2,
            },
        )
        for app in APPS
        if random.random() < 0.6
    ]
