"""Profiles: plugins on and off, weights, percentages, several names, arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.areas import nodeaffinity, podaffinity, ports, spread
from tests.fuzz.base import Raw, case, configuration, mixed, nodes

if TYPE_CHECKING:
    from random import Random

FILTERS = (
    "NodeName",
    "NodePorts",
    "NodeAffinity",
    "NodeResourcesFit",
    "PodTopologySpread",
    "InterPodAffinity",
)
SCORES = (
    "NodeAffinity",
    "NodeResourcesFit",
    "TaintToleration",
    "ImageLocality",
    "PodTopologySpread",
    "InterPodAffinity",
)
MULTI = (*FILTERS, "NodeUnschedulable", "NodeResourcesBalancedAllocation", "TaintToleration", "ImageLocality")


def build(random: Random) -> Raw:
    """Up to two profiles, and pods of both."""
    names = ["default-scheduler", "second"][: random.randint(1, 2)]
    fields: Raw = {}
    if random.random() < 0.3:
        fields["percentageOfNodesToScore"] = random.choice((1, 50, 100))
    config = configuration(random, *(_profile(random, name) for name in names), **fields)

    def spec() -> Raw:
        area = random.choice((nodeaffinity, podaffinity, ports, spread))
        return {**area.spec(random), "schedulerName": random.choice((*names, *names, "nobody"))}

    return case(mixed(random, nodes(random), spec), config=config)


def _profile(random: Random, name: str) -> Raw:
    plugins: Raw = {}
    if random.random() < 0.4:
        plugins["multiPoint"] = {"disabled": [{"name": one} for one in random.sample(MULTI, 2)]}
    if random.random() < 0.4:
        off = random.choice((random.choice(FILTERS), "*"))
        plugins["filter"] = {"disabled": [{"name": off}]}
        if off == "*":
            plugins["filter"]["enabled"] = [{"name": one} for one in ("NodeName", "NodeUnschedulable")]
    if random.random() < 0.5:
        chosen = random.sample(SCORES, random.randint(1, 3))
        plugins["score"] = {"disabled": [{"name": one} for one in chosen]}
        plugins["score"]["enabled"] = [{"name": one, "weight": random.randint(1, 9)} for one in chosen[:2]]
    for point in ("preFilter", "preScore"):
        if random.random() < 0.15:
            off = random.choice(FILTERS if point == "preFilter" else SCORES)
            plugins[point] = {"disabled": [{"name": off}]}
    profile: Raw = {"schedulerName": name, "plugins": plugins}
    if random.random() < 0.5:
        kind = random.choice(("LeastAllocated", "MostAllocated"))
        resources = [{"name": "cpu", "weight": random.randint(1, 5)}, {"name": "memory", "weight": 1}]
        fit = {"scoringStrategy": {"type": kind, "resources": resources}}
        weight = {"hardPodAffinityWeight": random.choice((0, 1, 50))}
        arguments = [{"name": "NodeResourcesFit", "args": fit}, {"name": "InterPodAffinity", "args": weight}]
        profile["pluginConfig"] = arguments
    return profile
