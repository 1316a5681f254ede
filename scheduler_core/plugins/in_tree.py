"""The registry of the in-tree plugins: name → what makes the plugin from its arguments.

Source: pkg/scheduler/framework/plugins/registry.go, NewInTreeRegistry, v1.34.1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scheduler_core.plugins import (
    default_binder,
    default_preemption,
    dynamic_resources,
    image_locality,
    names,
    node_affinity,
    node_name,
    node_ports,
    node_unschedulable,
    priority_sort,
    scheduling_gates,
    taint_toleration,
    volume_restrictions,
    volume_zone,
)
from scheduler_core.plugins.inter_pod_affinity import plugin as inter_pod_affinity
from scheduler_core.plugins.node_resources import balanced_allocation, fit
from scheduler_core.plugins.node_volume_limits import csi
from scheduler_core.plugins.pod_topology_spread import plugin as pod_topology_spread
from scheduler_core.plugins.volume_binding import volume_binding

if TYPE_CHECKING:
    from collections.abc import Callable

    from scheduler_core.framework.interface import Handle, Plugin

    PluginFactory = Callable[[Any, Handle], Plugin]

IN_TREE: Final[dict[str, PluginFactory]] = {
    names.DEFAULT_BINDER: default_binder.new,
    names.DEFAULT_PREEMPTION: default_preemption.new,
    names.DYNAMIC_RESOURCES: dynamic_resources.new,
    names.IMAGE_LOCALITY: image_locality.new,
    names.INTER_POD_AFFINITY: inter_pod_affinity.new,
    names.NODE_AFFINITY: node_affinity.new,
    names.NODE_NAME: node_name.new,
    names.NODE_PORTS: node_ports.new,
    names.NODE_RESOURCES_BALANCED_ALLOCATION: balanced_allocation.new,
    names.NODE_RESOURCES_FIT: fit.new,
    names.NODE_UNSCHEDULABLE: node_unschedulable.new,
    names.NODE_VOLUME_LIMITS: csi.new,
    names.POD_TOPOLOGY_SPREAD: pod_topology_spread.new,
    names.PRIORITY_SORT: priority_sort.new,
    names.SCHEDULING_GATES: scheduling_gates.new,
    names.TAINT_TOLERATION: taint_toleration.new,
    names.VOLUME_BINDING: volume_binding.new,
    names.VOLUME_RESTRICTIONS: volume_restrictions.new,
    names.VOLUME_ZONE: volume_zone.new,
}
"""Each makes a plugin from (its arguments or None, the handle)."""
