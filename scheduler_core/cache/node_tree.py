"""Nodes by zone, so that the scheduler looks at zones in turn.

Source: pkg/scheduler/backend/cache/node_tree.go, nodeTree, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scheduler_core.api.node import Node

_REGION_LABELS: Final = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")
_ZONE_LABELS: Final = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")


def zone_key(node: Node) -> tuple[str, str]:
    """The node's (region, zone); empty texts where it has none. Deprecated beta labels come first, even empty ones.

    Source: staging/src/k8s.io/component-helpers/node/topology/helpers.go, GetZoneKey, v1.34.1
    """
    labels = node.metadata.labels
    region = next((labels[key] for key in _REGION_LABELS if key in labels), "")
    zone = next((labels[key] for key in _ZONE_LABELS if key in labels), "")
    return region, zone


class NodeTree:
    """Zone → its nodes, both in the order in which they came."""

    __slots__ = ("_zones",)

    def __init__(self) -> None:
        self._zones: dict[tuple[str, str], dict[str, None]] = {}

    def add(self, node: Node) -> None:
        """Adds a node at the end of its zone."""
        self._zones.setdefault(zone_key(node), {})[node.metadata.name] = None

    def remove(self, node: Node) -> None:
        """Takes a node out; a zone without nodes goes too."""
        key = zone_key(node)
        nodes = self._zones.get(key)
        if nodes is None:
            return
        nodes.pop(node.metadata.name, None)
        if not nodes:
            del self._zones[key]

    def update(self, old: Node, new: Node) -> None:
        """Moves a node whose zone changed to the end of its new zone."""
        if zone_key(old) != zone_key(new):
            self.remove(old)
            self.add(new)

    def list(self) -> list[str]:
        """Node names, one of each zone in turn."""
        queues = [list(nodes) for nodes in self._zones.values()]
        longest = max((len(queue) for queue in queues), default=0)
        return [queue[i] for i in range(longest) for queue in queues if i < len(queue)]
