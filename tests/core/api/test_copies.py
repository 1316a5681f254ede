"""Nodes like others."""

from __future__ import annotations

from scheduler_core.api.copies import csi_node_like, node_like
from scheduler_core.api.node import Node
from scheduler_core.api.storage import CSINode
from tests.make import make, make_node


def test_a_new_node_has_the_kind_of_the_model_and_nothing_of_its_past() -> None:
    model = make(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": "node-1",
                "uid": "u-1",
                "labels": {"kubernetes.io/hostname": "ip-10-0-0-1", "topology.kubernetes.io/zone": "a"},
            },
            "spec": {
                "providerID": "cloud://1",
                "podCIDR": "10.1.0.0/24",
                "unschedulable": True,
                "taints": [
                    {"key": "gpu", "value": "yes", "effect": "NoSchedule"},
                    {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"},
                ],
            },
            "status": {
                "allocatable": {"cpu": "4", "nvidia.com/gpu": "2"},
                "images": [{"names": ["web:1"], "sizeBytes": 5}],
                "conditions": [{"type": "Ready", "status": "Unknown"}],
            },
        }
    )
    assert isinstance(model, Node)
    new = node_like(model, "node-9")
    assert new.metadata.name == "node-9"
    assert new.metadata.uid == ""
    assert new.metadata.labels == {"kubernetes.io/hostname": "node-9", "topology.kubernetes.io/zone": "a"}
    assert [taint.key for taint in new.spec.taints] == ["gpu"]
    assert not new.spec.unschedulable
    assert new.spec.provider_id == new.spec.pod_cidr == ""
    assert new.status.allocatable == model.status.allocatable
    assert new.status.images == ()
    assert [(condition.type, condition.status) for condition in new.status.conditions] == [("Ready", "True")]


def test_a_node_without_a_hostname_label_gets_none() -> None:
    assert node_like(make_node("a", labels={"zone": "x"}), "b").metadata.labels == {"zone": "x"}


def test_the_drivers_of_a_new_node_have_the_model_s_limits() -> None:
    model = make(
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSINode",
            "metadata": {"name": "node-1", "uid": "u"},
            "spec": {
                "drivers": [
                    {"name": "ebs", "nodeID": "i-1", "topologyKeys": ["zone"], "allocatable": {"count": 25}}
                ]
            },
        }
    )
    assert isinstance(model, CSINode)
    (driver,) = csi_node_like(model, "node-9").spec.drivers
    assert (driver.name, driver.node_id, driver.topology_keys) == ("ebs", "node-9", ("zone",))
    assert driver.allocatable is not None
    assert driver.allocatable.count == 25
