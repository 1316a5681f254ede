"""Labels and taints of nodes that nobody sets by hand: what a machine is, and what state it is in."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.copies import PASSING_TAINTS
from scheduler_core.api.selectors import METADATA_NAME

_GIVEN_DOMAINS: Final = (
    "kubernetes.io",
    "k8s.io",
    "karpenter.sh",
    "eks.amazonaws.com",
    "eksctl.io",
    "cloud.google.com",
    "kubernetes.azure.com",
    "k8s.aws",
)
_OWN_DOMAINS: Final = ("node-role.kubernetes.io", "node-restriction.kubernetes.io")


def may_label(key: str) -> bool:
    """Whether people set this label of a node; its name, host, zone and type come from the kubelet and the cloud."""
    domain = key.rpartition("/")[0]
    if key == METADATA_NAME:
        return False
    return domain in _OWN_DOMAINS or not any(
        domain == given or domain.endswith(f".{given}") for given in _GIVEN_DOMAINS
    )


def may_tolerate(key: str) -> bool:
    """Whether a taint tells of a kind of node; one that tells of its state (disk pressure) goes with the state."""
    return not key.startswith(PASSING_TAINTS)
