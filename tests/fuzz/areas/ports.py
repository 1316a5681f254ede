"""Host ports: addresses, protocols, host network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fuzz.base import Raw, case, mixed, nodes

if TYPE_CHECKING:
    from random import Random


def build(random: Random) -> Raw:
    """Pods that want ports of their node."""
    return case(mixed(random, nodes(random), lambda: spec(random)))


def spec(random: Random) -> Raw:
    """A container, and perhaps a sidecar, with host ports."""
    own_network = random.random() < 0.2
    containers = [{"name": "c", "image": "i", "ports": [_port(random, own_network)]}]
    found: Raw = {"containers": containers}
    if own_network:
        found["hostNetwork"] = True
    if random.random() < 0.2:
        sidecar = {"name": "s", "image": "i", "ports": [_port(random, own_network)]}
        found["initContainers"] = [{**sidecar, **random.choice(({"restartPolicy": "Always"}, {}))}]
    return found


def _port(random: Random, own_network: bool) -> Raw:
    number = random.choice((80, 443))
    found: Raw = {"containerPort": number}
    if own_network or random.random() < 0.8:
        found["hostPort"] = number
    if random.random() < 0.5:
        found["hostIP"] = random.choice(("0.0.0.0", "127.0.0.1", "10.0.0.1"))
    if random.random() < 0.5:
        found["protocol"] = random.choice(("TCP", "UDP", "SCTP"))
    return found
