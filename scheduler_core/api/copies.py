"""New nodes that are like one that is there: what a machine of the same kind says of itself when it joins."""

from __future__ import annotations

from typing import Final

import msgspec

from scheduler_core.api.meta import Condition, ObjectMeta
from scheduler_core.api.node import Node
from scheduler_core.api.storage import CSINode

HOSTNAME: Final = "kubernetes.io/hostname"
PASSING_TAINTS: Final = (
    "node.kubernetes.io/",
    "node.cloudprovider.kubernetes.io/",
    "ToBeDeletedByClusterAutoscaler",
)
"""Taints that tell of a state, not of a kind of node."""
_replace = msgspec.structs.replace


def node_like(node: Node, name: str) -> Node:
    """A fresh node of the same kind: labels, lasting taints and allocatable alike, no images yet, ready.

    Args:
        node: the model
        name: of the new node; where the model's hostname label is its name, so is the new one's
    """
    labels = dict(node.metadata.labels)
    if HOSTNAME in labels:
        labels[HOSTNAME] = name
    taints = tuple(taint for taint in node.spec.taints if not taint.key.startswith(PASSING_TAINTS))
    ready = Condition(type="Ready", status="True", reason="KubeletReady")
    return _replace(
        node,
        metadata=ObjectMeta(name=name, labels=labels),
        spec=_replace(
            node.spec, pod_cidr="", pod_cidrs=(), provider_id="", unschedulable=False, taints=taints
        ),
        status=_replace(node.status, images=(), conditions=(ready,)),
    )


def csi_node_like(csi_node: CSINode, name: str) -> CSINode:
    """The drivers of such a node: the same, with the same limits."""
    drivers = tuple(_replace(driver, node_id=name) for driver in csi_node.spec.drivers)
    return _replace(csi_node, metadata=ObjectMeta(name=name), spec=_replace(csi_node.spec, drivers=drivers))
