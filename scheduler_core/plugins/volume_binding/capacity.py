"""Pools of storage that CSI drivers report: whether one that a node reaches has room for a claim.

Source: pkg/scheduler/framework/plugins/volumebinding/binder.go, hasEnoughCapacity, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.plugins.helper.volumes import STORAGE
from scheduler_core.plugins.volume_binding.topology import rows_matching_labels

if TYPE_CHECKING:
    from scheduler_core.api.quantity import Quantity
    from scheduler_core.api.storage import (
        CSIDriver,
        CSIStorageCapacity,
        PersistentVolumeClaim,
        StorageClass,
    )
    from scheduler_core.framework.interface import ObjectLister
    from scheduler_core.snapshot.node_infos import BoolArray, NodeInfos, RowIndex


def find_pool(
    lister: ObjectLister,
    claim: PersistentVolumeClaim,
    storage_class: StorageClass,
    nodes: NodeInfos,
    rows: RowIndex,
    wanted: BoolArray,
) -> dict[int, CSIStorageCapacity] | None:
    """The first pool with room for the claim that each row reaches, by index into ``rows``.

    Shapes: wanted bool[len(rows)], the rows that need one

    Returns: None where no pool is needed: the driver does not report its storage, or no size is asked for
    """
    size = claim.spec.resources.requests.get(STORAGE)
    if size is None:
        return None
    driver: CSIDriver | None = lister.get("CSIDriver", "", storage_class.provisioner)
    if driver is None or not driver.spec.storage_capacity:
        return None
    found: dict[int, CSIStorageCapacity] = {}
    left = wanted.copy()
    for capacity in lister.list("CSIStorageCapacity"):
        if not left.any():
            break
        if capacity.storage_class_name != storage_class.metadata.name or capacity.node_topology is None:
            continue
        limit = volume_limit(capacity)
        if limit is None or limit.value() < size.value():
            continue
        reached = left & rows_matching_labels(capacity.node_topology, nodes, rows)
        found.update(dict.fromkeys(np.flatnonzero(reached).tolist(), capacity))
        left &= ~reached
    return found


def volume_limit(capacity: CSIStorageCapacity) -> Quantity | None:
    """How large a volume of the pool may be; None if it does not say."""
    if capacity.maximum_volume_size is not None:
        return capacity.maximum_volume_size
    return capacity.capacity
