from __future__ import annotations

from scheduler_core.simulator.controllers.node_zones import zone_of
from tests.make import make_node


def test_the_old_labels_of_zone_and_region_come_first() -> None:
    new = {"topology.kubernetes.io/zone": "new", "topology.kubernetes.io/region": "r"}
    old = {"failure-domain.beta.kubernetes.io/zone": "old", "failure-domain.beta.kubernetes.io/region": ""}
    assert zone_of(make_node("n", labels=new)) == "r:new"
    assert zone_of(make_node("n", labels={**new, **old})) == ":old"
