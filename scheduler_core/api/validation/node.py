"""Nodes.

Source: pkg/apis/core/validation/validation.go, ValidateNode, v1.34.1
"""

from __future__ import annotations

import ipaddress

from scheduler_core.api.field_path import FieldPath
from scheduler_core.api.node import Node
from scheduler_core.api.resources import ResourceList
from scheduler_core.api.validation.metadata import validate_metadata
from scheduler_core.api.validation.resources import validate_quantity
from scheduler_core.api.validation.rules import NEGATIVE, Faults, invalid
from scheduler_core.api.validation.taints import validate_taints

_NO_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
_TOO_MANY_CIDRS = "may specify no more than one CIDR for each IP family"


def validate_node(node: Node) -> Faults:
    """Yields what the API server would refuse in a node that is created."""
    yield from validate_metadata(node.metadata, namespaced=False)
    yield from validate_taints(node.spec.taints)
    for field, resources in _resources(node):
        for name, quantity in resources.items():
            yield from validate_quantity(name, quantity, ("status", field, name))
    yield from _validate_cidrs(node)


def validate_node_amounts(node: Node) -> Faults:
    """Yields the amounts of a node that are negative."""
    for field, resources in _resources(node):
        for name, quantity in resources.items():
            if quantity.nanos < 0:
                yield invalid(("status", field, name), str(quantity), NEGATIVE)


def _resources(node: Node) -> tuple[tuple[str, ResourceList], ...]:
    return (("capacity", node.status.capacity), ("allocatable", node.status.allocatable))


def _validate_cidrs(node: Node) -> Faults:
    path: FieldPath = ("spec", "podCIDRs")
    texts = node.spec.pod_cidrs or ((node.spec.pod_cidr,) if node.spec.pod_cidr else ())
    families = []
    for index, text in enumerate(texts):
        family = _family(text)
        if family is None:
            at = (*path, index) if node.spec.pod_cidrs else ("spec", "podCIDR")
            yield invalid(at, text, _NO_CIDR, field=f"spec.podCIDRs[{index}]")
            return
        families.append(family)
    if len(families) > len(set(families)):
        yield invalid(path, list(texts), _TOO_MANY_CIDRS)


def _family(text: str) -> int | None:
    if "/" not in text:
        return None
    try:
        return ipaddress.ip_network(text, strict=False).version
    except ValueError:
        return None
