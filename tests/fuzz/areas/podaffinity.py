"""Pod affinity: namespaces and their selectors, label keys, first of a series, preferred and anti."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import HOST, PREFERRED, REQUIRED, ZONE, Raw, case, expression, mixed, nodes, selector

if TYPE_CHECKING:
    from random import Random


def build(random: Random) -> Raw:
    """Pods that ask for each other."""
    return case(mixed(random, nodes(random), lambda: spec(random)))


def spec(random: Random) -> Raw:
    """An affinity to other pods, or against them."""
    found: Raw = {}
    for field in ("podAffinity", "podAntiAffinity"):
        side: Raw = {}
        if random.random() < 0.35:
            side[REQUIRED] = [_term(random) for _ in range(random.randint(1, 2))]
        if random.random() < 0.35:
            side[PREFERRED] = [{"weight": random.randint(1, 100), "podAffinityTerm": _term(random)}]
        if side:
            found[field] = side
    return {"affinity": found} if found else {}


def _term(random: Random) -> Raw:
    found: Raw = {"topologyKey": random.choice((ZONE, HOST, "disk"))}
    chosen = selector(random)
    if chosen is not None:
        found["labelSelector"] = chosen
    if random.random() < 0.3:
        found["namespaces"] = random.sample(("default", "blue", "absent"), random.randint(1, 2))
    if random.random() < 0.4:
        expressions = [
            expression(random, ("team", "tier", "kubernetes.io/metadata.name"), ("a", "b", "x", "blue"))
        ]
        found["namespaceSelector"] = random.choice(({}, {"matchExpressions": expressions}))
    if chosen and random.random() < 0.25:
        found[random.choice(("matchLabelKeys", "mismatchLabelKeys"))] = ["rev"]
    return found
