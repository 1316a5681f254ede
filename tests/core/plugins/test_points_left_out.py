"""What volume plugins do in Filter when the profile leaves their PreFilter out."""

from __future__ import annotations

import numpy as np
import pytest

from scheduler_core.framework.cycle_state import CycleState
from scheduler_core.plugins import volume_restrictions, volume_zone
from scheduler_core.snapshot.pod_info import PodInfo
from tests.core.plugins.small_handle import handle_of
from tests.make import make, make_node, make_pod

DISK = {"volumes": [{"name": "data", "gcePersistentDisk": {"pdName": "d"}}]}
CLAIM = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "c"}}]}


def test_a_disk_in_use_refuses_and_all_else_is_an_error() -> None:
    handle = handle_of([make_node("n1"), make_node("n2")], [make_pod("user", node="n1", **DISK)])
    nodes = handle.snapshot.node_infos
    verdict = volume_restrictions.VolumeRestrictions(handle).filter(
        CycleState(), PodInfo(make_pod(**DISK), nodes.axis), nodes, nodes.order
    )
    assert verdict is not None
    statuses = {
        nodes.names[row]: verdict.statuses[index - 1]
        for row, index in zip(nodes.order.tolist(), verdict.index.tolist(), strict=True)
    }
    assert {name: (status.code_name, status.message) for name, status in statuses.items()} == {
        "n1": ("Unschedulable", "node(s) had no available disk"),
        "n2": ("Error", 'cannot read "PreFilterVolumeRestrictions" from cycleState'),
    }


@pytest.mark.parametrize("has_claim", [True, False])
def test_the_zone_of_a_volume_is_looked_up_again(has_claim: bool) -> None:
    zone = "topology.kubernetes.io/zone"
    volume = make(
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "v", "labels": {zone: "a"}}}
    )
    claim = make(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": "c", "namespace": "default"},
            "spec": {"volumeName": "v"},
        }
    )
    handle = handle_of(
        [make_node("n1", labels={zone: "a"}), make_node("n2", labels={zone: "b"})],
        objects=[volume, claim] if has_claim else [volume],
    )
    nodes = handle.snapshot.node_infos
    rows = np.array([nodes.row_of["n1"], nodes.row_of["n2"]], np.intp)
    verdict = volume_zone.VolumeZone(handle).filter(
        CycleState(), PodInfo(make_pod(**CLAIM), nodes.axis), nodes, rows
    )
    assert verdict is not None
    assert verdict.index.tolist() == ([0, 1] if has_claim else [1, 1])
    (status,) = verdict.statuses
    missing = 'persistentvolumeclaim "c" not found'
    assert status.code_name == "UnschedulableAndUnresolvable"
    assert status.message == ("node(s) had no available volume zone" if has_claim else missing)
