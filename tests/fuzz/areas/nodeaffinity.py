"""Node affinity: every operator, odd values, matchFields, preferred terms, addedAffinity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import PREFERRED, REQUIRED, ZONE, Raw, case, configuration, expression, mixed, nodes

if TYPE_CHECKING:
    from random import Random


def build(random: Random) -> Raw:
    """Pods that ask for nodes."""
    config = ""
    if random.random() < 0.3:
        args = {"addedAffinity": _affinity(random)}
        plugin = {"name": "NodeAffinity", "args": args}
        config = configuration(random, {"schedulerName": "default-scheduler", "pluginConfig": [plugin]})
    return case(mixed(random, nodes(random), lambda: spec(random)), config=config)


def spec(random: Random) -> Raw:
    """A node selector, an affinity, both or neither."""
    found: Raw = {}
    if random.random() < 0.2:
        found["nodeSelector"] = {"disk": random.choice(("ssd", "tape"))}
    if random.random() < 0.8:
        found["affinity"] = {"nodeAffinity": _affinity(random)}
    return found


def _term(random: Random) -> Raw:
    found: Raw = {}
    if random.random() < 0.8:
        found["matchExpressions"] = [
            expression(random, ("disk", "gen", ZONE, "none"), ("ssd", "hdd", "a", "b", "-1"), ordered=True)
            for _ in range(random.randint(1, 2))
        ]
    if random.random() < 0.2:
        name = f"node-{random.randrange(9):03}"
        found["matchFields"] = [
            {"key": "metadata.name", "operator": random.choice(("In", "NotIn")), "values": [name]}
        ]
    return found


def _affinity(random: Random) -> Raw:
    found: Raw = {}
    if random.random() < 0.7:
        found[REQUIRED] = {"nodeSelectorTerms": [_term(random) for _ in range(random.randint(1, 3))]}
    if random.random() < 0.5:
        found[PREFERRED] = [
            {"weight": random.randint(1, 100), "preference": _term(random)}
            for _ in range(random.randint(1, 2))
        ]
    return found
