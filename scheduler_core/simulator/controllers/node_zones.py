"""How fast nodes of a zone may be emptied, by how many of them are ready.

Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go, handleDisruption, ComputeZoneState;
component-helpers/node/topology/helpers.go, GetZoneKey, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scheduler_core.clock import MICROSECONDS
from scheduler_core.simulator.controllers.pod_util import FALSE, READY, UNKNOWN, condition_of

if TYPE_CHECKING:
    from scheduler_core.api.node import Node

USUAL_US: Final = 10 * MICROSECONDS
SLOW_US: Final = 100 * MICROSECONDS
LARGE: Final = 50
UNHEALTHY_PERCENT: Final = 55
_REGIONS: Final = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")
_ZONES: Final = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")


def zone_of(node: Node) -> str:
    """Returns region and zone of a node; nodes without either form a zone of their own."""
    labels = node.metadata.labels
    region = next((labels[key] for key in _REGIONS if key in labels), "")
    zone = next((labels[key] for key in _ZONES if key in labels), "")
    return f"{region}:{zone}"


class Limiter:
    """Counts nodes by zone, and says when the next one may be emptied."""

    def __init__(self) -> None:
        self._nodes: dict[str, tuple[str, bool]] = {}
        self._num_ready: dict[str, int] = {}
        self._num_lost: dict[str, int] = {}
        self._next_us: dict[str, int] = {}

    def note(self, node: Node) -> bool:
        """Takes a node as it is now; returns whether it is another than before, so that waiting nodes may go on."""
        before = self._nodes.get(node.metadata.name)
        self.forget(node)
        ready = condition_of(node.status.conditions, READY)
        is_lost = ready is not None and ready.status in (FALSE, UNKNOWN)
        zone = zone_of(node)
        self._nodes[node.metadata.name] = zone, is_lost
        counts = self._num_lost if is_lost else self._num_ready
        counts[zone] = counts.get(zone, 0) + 1
        return before is not None and before != (zone, is_lost)

    def lost(self) -> list[str]:
        """Returns the names of the nodes that are not ready."""
        return sorted(name for name, (_, is_lost) in self._nodes.items() if is_lost)

    def is_stopped(self) -> bool:
        """Returns whether no node of the cluster is ready, so that what is lost is more likely the network."""
        return not any(self._num_ready.values())

    def forget(self, node: Node) -> None:
        """Takes a node out."""
        known = self._nodes.pop(node.metadata.name, None)
        if known is not None:
            counts = self._num_lost if known[1] else self._num_ready
            counts[known[0]] -= 1

    def wait_us(self, zone: str, now_us: int) -> int | None:
        """Returns how long a node of the zone has to wait for its turn; 0 takes the turn, None: nobody's comes."""
        period_us = self._period_us(zone)
        if period_us is None:
            return None
        next_us = self._next_us.get(zone, 0)
        if now_us < next_us:
            return next_us - now_us
        self._next_us[zone] = now_us + period_us
        return 0

    def _period_us(self, zone: str) -> int | None:
        ready, lost = self._num_ready.get(zone, 0), self._num_lost.get(zone, 0)
        is_partial = ready > 0 and lost > 2 and 100 * lost >= UNHEALTHY_PERCENT * (ready + lost)
        if not is_partial:
            return USUAL_US
        return SLOW_US if ready + lost > LARGE else None
