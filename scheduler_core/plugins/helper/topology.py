"""Topology keys on columns: nodes with the same value of a label are one domain.

A domain is known by its slot: 0 stands for the nodes without the label, else the label's value id + 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from scheduler_core.snapshot.node_infos import Int32Array, Int64Array, NodeInfos

NO_DOMAIN = 0


def slots_of(nodes: NodeInfos, topology_key: str) -> Int32Array:
    """The slot of each row's domain.

    Shapes: int32[capacity], indexed by row
    """
    return nodes.label_columns.slots(topology_key)


def slot_of(nodes: NodeInfos, labels: Mapping[str, str], topology_key: str) -> int:
    """The slot of the domain of a node with these labels, one of the snapshot's nodes."""
    value = labels.get(topology_key)
    if value is None:
        return NO_DOMAIN
    nodes.label_columns.column(topology_key)
    return nodes.label_columns.values.find(value) + 1


def num_slots(nodes: NodeInfos) -> int:
    """How many slots there are; to be asked after the columns in question."""
    return len(nodes.label_columns.values) + 1


def domain_of(nodes: NodeInfos, slot: int) -> str:
    """The label's value that a slot other than NO_DOMAIN stands for."""
    return nodes.label_columns.values.values[slot - 1]


def sums_by_slot(slots: NDArray[np.integer], amounts: Int64Array, size: int) -> Int64Array:
    """Sums amounts over domains. NO_DOMAIN gets 0.

    Shapes: slots, amounts: [n] → int64[size]

    Numerics: summed in float64, exact below 2**53
    """
    sums = np.bincount(slots, weights=amounts, minlength=size).astype(np.int64)
    sums[NO_DOMAIN] = 0
    return sums


def present_slots(slots: Int32Array, size: int) -> NDArray[np.intp]:
    """The distinct slots but NO_DOMAIN, in their order.

    Shapes: int32[n] → intp[number of domains]
    """
    present = np.zeros(size, np.bool_)
    present[slots] = True
    present[NO_DOMAIN] = False
    return np.flatnonzero(present)
